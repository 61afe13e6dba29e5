// SPDX-License-Identifier: Apache-2.0

#ifndef STARLIGHT_RT_MEMORY_H
#define STARLIGHT_RT_MEMORY_H

#include <malloc.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>

#include "rt_annotations.h"

/// Copies `bytes` bytes; the two places may not overlap.
static inline void rt_copy(void *_Nonnull to, const void *_Nonnull from, size_t bytes) RT_NO_LOCKS;
static inline void rt_copy(void *_Nonnull to, const void *_Nonnull from, size_t bytes) { memcpy(to, from, bytes); }

/// Sets `bytes` bytes to zero.
static inline void rt_zero(void *_Nonnull at, size_t bytes) RT_NO_LOCKS;
static inline void rt_zero(void *_Nonnull at, size_t bytes) { memset(at, 0, bytes); }

// Of pages that are locked, since Linux 5.18; older ones refuse it, and the pages stay.
#ifndef MADV_DONTNEED_LOCKED
#define MADV_DONTNEED_LOCKED 24
#endif

/// Gives the memory of whole pages back to the system; they are zero when they are touched again. 0, or -1 and errno.
static inline int rt_give_back(void *_Nonnull pages, size_t bytes) {
  return madvise(pages, bytes, MADV_DONTNEED_LOCKED);
}

/// Gives back what the allocator keeps and nobody uses. Each of its locks is held while that is looked through; pages that are
/// locked stay.
static inline void rt_give_back_spare(void) { malloc_trim(0); }

#endif
