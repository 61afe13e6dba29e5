// SPDX-License-Identifier: Apache-2.0

#ifndef STARLIGHT_RT_MEMORY_H
#define STARLIGHT_RT_MEMORY_H

#include <stddef.h>
#include <string.h>

#include "rt_annotations.h"

/// Copies `bytes` bytes; the two places may not overlap.
static inline void rt_copy(void *_Nonnull to, const void *_Nonnull from, size_t bytes) RT_NO_LOCKS;
static inline void rt_copy(void *_Nonnull to, const void *_Nonnull from, size_t bytes) { memcpy(to, from, bytes); }

/// Sets `bytes` bytes to zero.
static inline void rt_zero(void *_Nonnull at, size_t bytes) RT_NO_LOCKS;
static inline void rt_zero(void *_Nonnull at, size_t bytes) { memset(at, 0, bytes); }

#endif
