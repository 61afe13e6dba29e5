// SPDX-License-Identifier: Apache-2.0

#ifndef STARLIGHT_RT_NAP_H
#define STARLIGHT_RT_NAP_H

#include <linux/futex.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "rt_annotations.h"

/// Announces a nap on `word`: whoever looks from here on wakes the thread. What they may have done before is to be looked
/// for behind this.
static inline void rt_nap_begin(uint32_t *word) RT_NO_LOCKS;
static inline void rt_nap_begin(uint32_t *word) {
  __atomic_store_n(word, 1, __ATOMIC_SEQ_CST);
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

/// Sleeps until `rt_nap_wake`, not at all where that came since `rt_nap_begin`; at most until `deadline_ns` on
/// CLOCK_MONOTONIC, and maybe less long.
static inline void rt_nap_until_ns(uint32_t *word, int64_t deadline_ns) RT_NO_LOCKS;
static inline void rt_nap_until_ns(uint32_t *word, int64_t deadline_ns) {
  if (deadline_ns < 0) return;
  struct timespec t = {.tv_sec = deadline_ns / 1000000000, .tv_nsec = deadline_ns % 1000000000};
  syscall(SYS_futex, word, FUTEX_WAIT_BITSET_PRIVATE, 1, &t, NULL, FUTEX_BITSET_MATCH_ANY);
}

/// Ends the nap, woken or not.
static inline void rt_nap_end(uint32_t *word) RT_NO_LOCKS;
static inline void rt_nap_end(uint32_t *word) { __atomic_store_n(word, 0, __ATOMIC_SEQ_CST); }

/// Whether a thread naps on `word`, or is about to: it may not have seen what the caller did before.
static inline int rt_nap_lasts(uint32_t *word) {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  return __atomic_load_n(word, __ATOMIC_SEQ_CST) != 0;
}

/// Ends the nap on `word`, where there is one. Never blocks.
static inline void rt_nap_wake(uint32_t *word) {
  if (__atomic_exchange_n(word, 0, __ATOMIC_SEQ_CST) == 0) return;
  syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

#endif
