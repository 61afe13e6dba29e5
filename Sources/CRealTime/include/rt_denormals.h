// SPDX-License-Identifier: Apache-2.0

#ifndef STARLIGHT_RT_DENORMALS_H
#define STARLIGHT_RT_DENORMALS_H

#include <stdint.h>

#include "rt_annotations.h"

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

/// The calling thread's floating-point control word (MXCSR, FPCR), to be handed back to `rt_float_control_set`.
static inline uint64_t rt_float_control(void) RT_NO_LOCKS;
static inline uint64_t rt_float_control(void) {
#if defined(__x86_64__)
  return _mm_getcsr();
#elif defined(__aarch64__)
  uint64_t word;
  __asm__ volatile("mrs %0, fpcr" : "=r"(word));
  return word;
#else
  return 0;
#endif
}

/// Sets the calling thread's floating-point control word.
static inline void rt_float_control_set(uint64_t word) RT_NO_LOCKS;
static inline void rt_float_control_set(uint64_t word) {
#if defined(__x86_64__)
  _mm_setcsr((unsigned int)word);
#elif defined(__aarch64__)
  __asm__ volatile("msr fpcr, %0" : : "r"(word) : "memory");
#else
  (void)word;
#endif
}

/// The bits that make denormal results (and on x86 operands, which FZ covers on ARM) zero.
static inline uint64_t rt_float_control_flush_bits(void) RT_NO_LOCKS;
static inline uint64_t rt_float_control_flush_bits(void) {
#if defined(__x86_64__)
  return 0x8040;
#elif defined(__aarch64__)
  return 1u << 24;
#else
  return 0;
#endif
}

#endif
