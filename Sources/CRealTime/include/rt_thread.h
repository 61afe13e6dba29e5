#ifndef STARLIGHT_RT_THREAD_H
#define STARLIGHT_RT_THREAD_H

#include <pthread.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>

/// Declared here because Swift's import of glibc leaves them out (they hide behind _GNU_SOURCE).
extern int pthread_setname_np(pthread_t thread, const char *_Nonnull name);
extern int pthread_clockjoin_np(
    pthread_t thread, void *_Nullable *_Nullable result, clockid_t clock, const struct timespec *_Nonnull until);

/// Names a thread; at most 15 bytes.
static inline int rt_thread_set_name(pthread_t thread, const char *_Nonnull name) {
  return pthread_setname_np(thread, name);
}

/// Waits for a thread's end, not beyond that instant of CLOCK_MONOTONIC. 0, or ETIMEDOUT.
static inline int rt_thread_join_until_ns(pthread_t thread, int64_t instant_ns) {
  const struct timespec until = {instant_ns / 1000000000, instant_ns % 1000000000};
  return pthread_clockjoin_np(thread, NULL, CLOCK_MONOTONIC, &until);
}

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

#endif
