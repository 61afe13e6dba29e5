// SPDX-License-Identifier: Apache-2.0

#ifndef STARLIGHT_RT_THREAD_H
#define STARLIGHT_RT_THREAD_H

#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <time.h>

#include "rt_annotations.h"

/// Declared here because Swift's import of glibc leaves them out (they hide behind _GNU_SOURCE).
extern int pthread_setname_np(pthread_t thread, const char *_Nonnull name);
extern int pthread_tryjoin_np(pthread_t thread, void *_Nullable *_Nullable result);

/// Names a thread; at most 15 bytes.
static inline int rt_thread_set_name(pthread_t thread, const char *_Nonnull name) {
  return pthread_setname_np(thread, name);
}

/// Waits for a thread's end, looking every millisecond, not beyond that instant of CLOCK_MONOTONIC. 0, or EBUSY. (Of the
/// joins with a limit, pthread_clockjoin_np would wait on that clock too, but the thread sanitizer does not know it.)
static inline int rt_thread_join_until_ns(pthread_t thread, int64_t instant_ns) {
  const struct timespec moment = {0, 1000000};
  for (;;) {
    const int result = pthread_tryjoin_np(thread, NULL);
    struct timespec now;
    if (result != EBUSY || clock_gettime(CLOCK_MONOTONIC, &now) != 0) return result;
    if ((int64_t)now.tv_sec * 1000000000 + now.tv_nsec >= instant_ns) return result;
    nanosleep(&moment, NULL);
  }
}

/// The processor time that a thread has used, in nanoseconds; negative where it has ended. A system call.
static inline int64_t rt_thread_processor_ns_of(pthread_t thread) {
  clockid_t clock;
  struct timespec used;
  if (pthread_getcpuclockid(thread, &clock) != 0 || clock_gettime(clock, &used) != 0) return -1;
  return (int64_t)used.tv_sec * 1000000000 + used.tv_nsec;
}

/// Ends the calling thread where it is.
_Noreturn static inline void rt_thread_exit(void) RT_NO_LOCKS;
_Noreturn static inline void rt_thread_exit(void) { pthread_exit(NULL); }

/// The niceness of the calling thread, -20 (first) to 19.
static inline int rt_thread_niceness(void) { return getpriority(PRIO_PROCESS, 0); }

/// Changes it; 0, or -1 with errno set. Linux has one for each thread.
static inline int rt_thread_set_niceness(int niceness) { return setpriority(PRIO_PROCESS, 0, niceness); }

/// The highest real-time priority this process may take without a privilege; 0 when none.
static inline long rt_priority_limit(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_RTPRIO, &limit) != 0) return 0;
  return limit.rlim_cur > 99 ? 99 : (long)limit.rlim_cur;
}

/// Locks the pages that are touched, now and later, and fetches no others.
static inline int rt_lock_touched_memory(void) {
  const int on_fault = 4;  // MCL_ONFAULT
  return mlockall(MCL_CURRENT | MCL_FUTURE | on_fault);
}

/// Has the kernel gather no pages of this process into huge ones, and hand out none.
static inline void rt_keep_pages_small(void) { (void)prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0); }

#endif
