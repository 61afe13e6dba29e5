// SPDX-License-Identifier: Apache-2.0

#ifndef STARLIGHT_RT_WAITER_H
#define STARLIGHT_RT_WAITER_H

#include <poll.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

/// A descriptor to be woken by; negative when there is none.
static inline int rt_waiter_event(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

/// A descriptor that becomes readable at an instant of CLOCK_MONOTONIC; negative when there is none.
static inline int rt_waiter_timer(void) { return timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK); }

/// Has `timer` become readable at `deadline_ns` of CLOCK_MONOTONIC, and not before; 0 is never.
static inline void rt_waiter_set(int timer, int64_t deadline_ns) {
  struct itimerspec when = {{0, 0}, {deadline_ns / 1000000000, deadline_ns % 1000000000}};
  timerfd_settime(timer, TFD_TIMER_ABSTIME, &when, 0);
}

/// Makes `event` readable. Never blocks: a full counter is readable already.
static inline void rt_waiter_wake(int event) {
  uint64_t one = 1;
  ssize_t written = write(event, &one, sizeof one);
  (void)written;
}

/// Sleeps until `event` is woken, a signal comes, or CLOCK_MONOTONIC reaches `deadline_ns`; 0 is no deadline.
/// Clears `event`, and tells whether it was woken.
static inline int rt_waiter_wait(int event, int timer, int64_t deadline_ns) {
  rt_waiter_set(timer, deadline_ns);
  struct pollfd ready[2] = {{event, POLLIN, 0}, {timer, POLLIN, 0}};
  poll(ready, 2, -1);
  uint64_t count;
  return read(event, &count, sizeof count) == sizeof count;
}

#endif
