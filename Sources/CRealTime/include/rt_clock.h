// SPDX-License-Identifier: Apache-2.0

#ifndef STARLIGHT_RT_CLOCK_H
#define STARLIGHT_RT_CLOCK_H

#include <stdint.h>
#include <time.h>

#include "rt_annotations.h"

/// CLOCK_MONOTONIC in nanoseconds (vDSO: no system call on the machines we know).
static inline int64_t rt_now_ns(void) RT_NO_LOCKS;
static inline int64_t rt_now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/// The processor time that the calling thread has used, in nanoseconds.
static inline int64_t rt_thread_processor_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

#endif
