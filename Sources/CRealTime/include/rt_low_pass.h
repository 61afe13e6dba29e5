// SPDX-License-Identifier: Apache-2.0

#ifndef STARLIGHT_RT_LOW_PASS_H
#define STARLIGHT_RT_LOW_PASS_H

#include "rt_annotations.h"

/// What a low-pass of both channels remembers from one sample to the next; all zero at rest.
typedef struct {
  double left[2];
  double right[2];
} rt_low_pass_memory;

/// A value that follows a straight line: base + slope * index at the first frame, index + 1 a frame.
typedef struct {
  float base;
  float slope;
  float index;
} rt_line;

/// Filters `frames` frames in place, interleaved stereo, by a state-variable filter of second order (Butterworth, trapezoidal
/// integration, so that it may be swept at any speed).
///
/// `corner` is log2 of the corner over the sample rate, below -1; `wet` is the share of the filtered in what comes out, 0...1.
void rt_low_pass(float *_Nonnull samples, long frames, rt_low_pass_memory *_Nonnull memory, rt_line corner,
                 rt_line wet) RT_NO_LOCKS;

#endif
