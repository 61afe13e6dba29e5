// SPDX-License-Identifier: Apache-2.0

#ifndef STARLIGHT_RT_MATH_H
#define STARLIGHT_RT_MATH_H

#include <math.h>

#include "rt_annotations.h"

/// Square root, correctly rounded.
static inline float rt_sqrtf(float x) RT_NO_LOCKS;
static inline float rt_sqrtf(float x) { return sqrtf(x); }

/// Sine of an angle in radians.
static inline float rt_sinf(float x) RT_NO_LOCKS;
static inline float rt_sinf(float x) { return sinf(x); }

/// Cosine of an angle in radians.
static inline float rt_cosf(float x) RT_NO_LOCKS;
static inline float rt_cosf(float x) { return cosf(x); }

/// 2 to the power of `x`.
static inline float rt_exp2f(float x) RT_NO_LOCKS;
static inline float rt_exp2f(float x) { return exp2f(x); }

/// Logarithm to base 2.
static inline float rt_log2f(float x) RT_NO_LOCKS;
static inline float rt_log2f(float x) { return log2f(x); }

#endif
