// SPDX-License-Identifier: Apache-2.0

#ifndef STARLIGHT_RT_LIMITS_H
#define STARLIGHT_RT_LIMITS_H

#include <sys/resource.h>

/// How many bytes this process may lock; negative where there is no limit, or none is known.
static inline long long rt_memory_lock_limit(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_MEMLOCK, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return -1;
  return (long long)limit.rlim_cur;
}

/// Lifts the limit on locked memory where this process may; whether there is none now.
static inline int rt_lift_memory_lock_limit(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_MEMLOCK, &limit) != 0) return 0;
  if (limit.rlim_cur == RLIM_INFINITY) return 1;
  limit.rlim_cur = RLIM_INFINITY;
  if (limit.rlim_max != RLIM_INFINITY) limit.rlim_max = RLIM_INFINITY;
  return setrlimit(RLIMIT_MEMLOCK, &limit) == 0;
}

#endif
