// SPDX-License-Identifier: Apache-2.0

#include "rt_mix.h"

#include <stdint.h>
#include <string.h>

#pragma STDC FP_CONTRACT OFF

// A 16-bit sample as an integer is 2^15 times what it stands for.
static inline float scale_of(rt_samples samples) { return samples.layout == RT_SAMPLES_INT16 ? 0x1p-15f : 1; }

static inline float sample_at(rt_samples samples, long index) {
  if (samples.layout == RT_SAMPLES_INT16) return 0x1p-15f * ((const int16_t *)samples.first)[index];
  return ((const float *)samples.first)[index];
}

// Every loop is written once and compiled for each kernel.

#define WIDTH 8
#define ATTRIBUTE
#define NAME(x) x##_baseline
#include "rt_mix_loops.h"

#if defined(__x86_64__)

#define WIDTH 8
#define ATTRIBUTE __attribute__((target("avx2")))
#define NAME(x) x##_avx2
#include "rt_mix_loops.h"

#define WIDTH 16
#define ATTRIBUTE __attribute__((target("avx512f"), min_vector_width(512)))
#define NAME(x) x##_avx512
#include "rt_mix_loops.h"

rt_mix_kernel rt_mix_best_kernel(void) {
  // Processors that have the first but not the second turn their clock down for 512-bit arithmetic.
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vbmi2")) return RT_MIX_AVX512;
  return __builtin_cpu_supports("avx2") ? RT_MIX_AVX2 : RT_MIX_BASELINE;
}
#define DISPATCH(name, ...)                                     \
  (kernel == RT_MIX_AVX512 ? name##_avx512(__VA_ARGS__)         \
   : kernel == RT_MIX_AVX2 ? name##_avx2(__VA_ARGS__)           \
                           : name##_baseline(__VA_ARGS__))
#define equal_power_avx512 equal_power_avx2
#define sinc_avx512 sinc_avx2

#else

rt_mix_kernel rt_mix_best_kernel(void) { return RT_MIX_BASELINE; }
#define DISPATCH(name, ...) ((void)kernel, name##_baseline(__VA_ARGS__))

#endif

void rt_mix_lines(rt_mix_kernel kernel, const rt_gain_line *lines, long count, float *out, long frames,
                  bool overwrite) {
  DISPATCH(lines, lines, count, out, frames, overwrite);
}

void rt_mix_gains(rt_mix_kernel kernel, rt_samples source, const float *gains, float *out, long samples) {
  DISPATCH(gains, source, gains, out, samples);
}

float rt_mix_peak(rt_mix_kernel kernel, const float *samples, long groups) {
  return DISPATCH(peak, samples, groups);
}

void rt_mix_group_peaks(rt_mix_kernel kernel, const float *samples, long groups, float *peaks) {
  DISPATCH(group_peaks, samples, groups, peaks);
}

void rt_mix_lowest(float *values, long span, long count) {
  // Windows of twice the width are two of the width; the last step may let them overlap.
  long width = 1;
  while (width < span) {
    const long shift = 2 * width <= span ? width : span - width;
    width += shift;
    const long windows = count + span - width;
    long i = 0;
    // What is read ahead is read before it is written.
    for (; i + 8 <= windows; i += 8) {
      float low[8], high[8];
      memcpy(low, values + i, sizeof low);
      memcpy(high, values + i + shift, sizeof high);
      for (long lane = 0; lane < 8; lane++) low[lane] = high[lane] < low[lane] ? high[lane] : low[lane];
      memcpy(values + i, low, sizeof low);
    }
    for (; i < windows; i++) values[i] = values[i + shift] < values[i] ? values[i + shift] : values[i];
  }
}

void rt_mix_scale(rt_mix_kernel kernel, const float *source, const float *gains, long groups, float *out) {
  DISPATCH(scale, source, gains, groups, out);
}

void rt_mix_equal_power(rt_mix_kernel kernel, float *gains, long frames, float from, float to, float passed,
                        float length) {
  DISPATCH(equal_power, gains, frames, from, to, passed, length);
}

void rt_mix_sinc(rt_mix_kernel kernel, rt_samples source, long frames, uint64_t place, uint64_t step,
                 const float *rows, long taps, int phase_bits, float *out) {
  DISPATCH(sinc, source, frames, place, step, rows, taps, phase_bits, out);
}
