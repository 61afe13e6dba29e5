// SPDX-License-Identifier: Apache-2.0

/// The innermost loops of mixing, for the processor at hand.
///
/// Every kernel gives the same bits: each sample goes through the same operations in the same order, without fused
/// multiplication, whatever the width of the registers.
#ifndef STARLIGHT_RT_MIX_H
#define STARLIGHT_RT_MIX_H

#include <stdbool.h>
#include <stdint.h>

#include "rt_annotations.h"

/// Which instructions the loops are compiled for.
typedef enum __attribute__((enum_extensibility(closed))) {
  /// What every processor of the architecture has: SSE2 on x86-64, NEON on aarch64.
  RT_MIX_BASELINE,
  /// 256-bit registers on x86-64.
  RT_MIX_AVX2,
  /// 512-bit registers on x86-64.
  RT_MIX_AVX512,
} rt_mix_kernel;

/// How samples lie in memory.
typedef enum __attribute__((enum_extensibility(closed))) {
  /// Floats; 1 is full scale.
  RT_SAMPLES_FLOAT,
  /// 16-bit integers; 2^15 is full scale. They mix to the same bits as the floats they stand for: 2^-15 of an integer is
  /// exact, and so is 2^-15 of a gain, unless that is below 2^-111.
  RT_SAMPLES_INT16,
} rt_sample_layout;

/// Interleaved stereo samples.
typedef struct {
  const void *_Nonnull first;
  rt_sample_layout layout;
} rt_samples;

/// A run of interleaved stereo frames and the straight lines their gains follow: gain = base + slope * index, with
/// index + 1 every frame. The index is a whole number below 2^24, so that counting on is exact.
typedef struct {
  rt_samples source;
  float base_left;
  float base_right;
  float slope_left;
  float slope_right;
  float index;
} rt_gain_line;

/// The best kernel this processor runs; it runs all before it as well.
rt_mix_kernel rt_mix_best_kernel(void);

/// Adds `count` runs of `frames` frames, in their order, to `out`, or with `overwrite` puts their sum there.
void rt_mix_lines(rt_mix_kernel kernel, const rt_gain_line *_Nonnull lines, long count, float *_Nonnull out,
                  long frames, bool overwrite) RT_NO_LOCKS;

/// Adds `samples` samples, each at a gain of its own, to `out`.
void rt_mix_gains(rt_mix_kernel kernel, rt_samples source, const float *_Nonnull gains, float *_Nonnull out,
                  long samples) RT_NO_LOCKS;

/// Frames of a group, for which the limiter has one gain.
enum { RT_GROUP_FRAMES = 16 };

/// The highest magnitude among the samples of `groups` groups; NaN when one of them is no finite number.
float rt_mix_peak(rt_mix_kernel kernel, const float *_Nonnull samples, long groups) RT_NO_LOCKS;

/// The highest magnitude of each of `groups` groups, in the same manner.
void rt_mix_group_peaks(rt_mix_kernel kernel, const float *_Nonnull samples, long groups, float *_Nonnull peaks)
    RT_NO_LOCKS;

/// Puts the lowest of values i to i + span - 1 in the place of value i, for every i below `count`; there are
/// `count + span - 1` values, and those behind become anything.
void rt_mix_lowest(float *_Nonnull values, long span, long count) RT_NO_LOCKS;

/// Puts `groups` groups of frames of `source` to `out`, each at the gain on the straight line from its group's to the next
/// one's, and held to -1...1. There are `groups + 1` gains.
void rt_mix_scale(rt_mix_kernel kernel, const float *_Nonnull source, const float *_Nonnull gains, long groups,
                  float *_Nonnull out) RT_NO_LOCKS;

/// Multiplies `frames` gains by sqrt(from^2 cos^2(pi x / 2) + to^2 sin^2(pi x / 2)), x = (passed + i) / length.
void rt_mix_equal_power(rt_mix_kernel kernel, float *_Nonnull gains, long frames, float from, float to, float passed,
                        float length) RT_NO_LOCKS;

/// Reads `frames` frames between those of `source`, interleaved stereo, by a filter of `taps` taps (a multiple of 8).
///
/// The n-th is read at `place + n * step`, in 1 / 2^32 frames behind the filter's middle when that lies at frame
/// `taps / 2 - 1` of `source`. `rows` has 2^phase_bits + 1 rows of `2 * taps` coefficients, each twice, once a channel;
/// between the two rows next to a place they change in a straight line.
void rt_mix_sinc(rt_mix_kernel kernel, rt_samples source, long frames, uint64_t place, uint64_t step,
                 const float *_Nonnull rows, long taps, int phase_bits, float *_Nonnull out) RT_NO_LOCKS;

#endif
