// SPDX-License-Identifier: Apache-2.0

#ifndef STARLIGHT_RT_IO_H
#define STARLIGHT_RT_IO_H

#include <stdint.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "rt_annotations.h"

/// Sleeps until `deadline_ns` on CLOCK_MONOTONIC; returns at once when that is past, early only on a signal.
static inline void rt_sleep_until_ns(int64_t deadline_ns) RT_NO_LOCKS;
static inline void rt_sleep_until_ns(int64_t deadline_ns) {
  if (deadline_ns < 0) return;
  struct timespec t = {.tv_sec = deadline_ns / 1000000000, .tv_nsec = deadline_ns % 1000000000};
  clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL);
}

/// write(2) that does not wait this once, whatever the descriptor is set to: -1 with EAGAIN where it would, and with EOPNOTSUPP
/// where the kernel cannot say (of pipes Linux can from 6.5 on).
ssize_t rt_write_once(int fd, const void *bytes, size_t count);

/// A non-blocking eventfd, closed on exec; negative when the process has no descriptor left. Not real-time.
static inline int rt_eventfd_open(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

/// Adds one to a non-blocking eventfd. A full counter is as good as a written one.
static inline void rt_eventfd_signal(int fd) RT_NO_LOCKS;
static inline void rt_eventfd_signal(int fd) {
  uint64_t one = 1;
  ssize_t written = write(fd, &one, sizeof one);
  (void)written;
}

#endif
