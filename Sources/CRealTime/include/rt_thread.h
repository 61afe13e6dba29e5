#ifndef STARLIGHT_RT_THREAD_H
#define STARLIGHT_RT_THREAD_H

#include <pthread.h>
#include <sys/mman.h>
#include <sys/resource.h>

/// Declared here because Swift's import of glibc leaves it out (it hides behind _GNU_SOURCE).
extern int pthread_setname_np(pthread_t thread, const char *_Nonnull name);

/// Names a thread; at most 15 bytes.
static inline int rt_thread_set_name(pthread_t thread, const char *_Nonnull name) {
  return pthread_setname_np(thread, name);
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
