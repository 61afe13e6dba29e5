// SPDX-License-Identifier: Apache-2.0

// The loops of mixing for one kernel; rt_mix.c includes this once for each. To be defined before:
//   WIDTH      floats in a register, 8 or 16
//   ATTRIBUTE  what compiles a function for the kernel's instructions
//   NAME(x)    the kernel's own name of x

typedef float NAME(lanes) __attribute__((vector_size(4 * WIDTH)));
typedef int32_t NAME(words) __attribute__((vector_size(4 * WIDTH)));
typedef int16_t NAME(shorts) __attribute__((vector_size(2 * WIDTH)));

#define LANES NAME(lanes)
#define WORDS NAME(words)
#define SHORTS NAME(shorts)
#define GROUP (2 * RT_GROUP_FRAMES)
#define LOOP ATTRIBUTE static inline __attribute__((always_inline)) void

#if WIDTH == 8
#define ALTERNATE(l, r) ((LANES){(l), (r), (l), (r), (l), (r), (l), (r)})
#define FRAME_OF_LANE ((LANES){0, 0, 1, 1, 2, 2, 3, 3})
#else
#define ALTERNATE(l, r) ((LANES){(l), (r), (l), (r), (l), (r), (l), (r), (l), (r), (l), (r), (l), (r), (l), (r)})
#define FRAME_OF_LANE ((LANES){0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7})
#endif
#define LOAD(pointer) ({ LANES value_; memcpy(&value_, (pointer), sizeof value_); value_; })
// WIDTH samples from number `index` on: of 16-bit integers the integers. Where the compiler does not know the layout, it is
// still the same in every turn of a loop, so that the branch is foreseen and costs next to nothing.
#define READ(first, index, layout)                                               \
  ({                                                                             \
    LANES read_;                                                                 \
    if ((layout) == RT_SAMPLES_FLOAT) {                                          \
      read_ = LOAD((const float *)(first) + (index));                            \
    } else {                                                                     \
      SHORTS integers_;                                                          \
      memcpy(&integers_, (const int16_t *)(first) + (index), sizeof integers_);  \
      read_ = __builtin_convertvector(integers_, LANES);                         \
    }                                                                            \
    read_;                                                                       \
  })
#define STORE(pointer, value) ({ LANES value_ = (value); memcpy((pointer), &value_, sizeof value_); })

// MARK: Lines

#define LAYOUT(v) (floats ? RT_SAMPLES_FLOAT : lines[v].source.layout)

LOOP NAME(lines_loop)(const rt_gain_line *lines, const long count, float *out, long frames, const bool overwrite,
                      const bool floats) {
  LANES base[8], slope[8], index[8];
  const void *source[8];
  for (long v = 0; v < count; v++) {
    const float scale = scale_of(lines[v].source);
    source[v] = lines[v].source.first;
    base[v] = ALTERNATE(lines[v].base_left, lines[v].base_right) * scale;
    slope[v] = ALTERNATE(lines[v].slope_left, lines[v].slope_right) * scale;
    index[v] = FRAME_OF_LANE + lines[v].index;
  }
  long i = 0;
  for (; i + WIDTH <= 2 * frames; i += WIDTH) {
    LANES sum = overwrite ? (LANES){0} : LOAD(out + i);
    for (long v = 0; v < count; v++) {
      sum = sum + READ(source[v], i, LAYOUT(v)) * (base[v] + slope[v] * index[v]);
      index[v] = index[v] + WIDTH / 2;
    }
    STORE(out + i, sum);
  }
  for (long frame = i / 2; frame < frames; frame++) {
    float left = overwrite ? 0 : out[2 * frame];
    float right = overwrite ? 0 : out[2 * frame + 1];
    for (long v = 0; v < count; v++) {
      const float at = lines[v].index + (float)frame;
      left = left + sample_at(lines[v].source, 2 * frame) * (lines[v].base_left + lines[v].slope_left * at);
      right = right + sample_at(lines[v].source, 2 * frame + 1) * (lines[v].base_right + lines[v].slope_right * at);
    }
    out[2 * frame] = left;
    out[2 * frame + 1] = right;
  }
}

// With a slope of zero, base + slope * index is base: leaving it out changes no bit.
LOOP NAME(steady_loop)(const rt_gain_line *lines, const long count, float *out, long frames, const bool overwrite,
                       const bool floats) {
  LANES base[8];
  const void *source[8];
  for (long v = 0; v < count; v++) {
    source[v] = lines[v].source.first;
    base[v] = ALTERNATE(lines[v].base_left, lines[v].base_right) * scale_of(lines[v].source);
  }
  long i = 0;
  for (; i + WIDTH <= 2 * frames; i += WIDTH) {
    LANES sum = overwrite ? (LANES){0} : LOAD(out + i);
    for (long v = 0; v < count; v++) sum = sum + READ(source[v], i, LAYOUT(v)) * base[v];
    STORE(out + i, sum);
  }
  for (; i < 2 * frames; i++) {
    float sum = overwrite ? 0 : out[i];
    for (long v = 0; v < count; v++) {
      sum = sum + sample_at(lines[v].source, i) * (i & 1 ? lines[v].base_right : lines[v].base_left);
    }
    out[i] = sum;
  }
}

#define LOOP_OF(loop, n)                                                  \
  if (overwrite && floats) loop(lines, n, out, frames, true, true);       \
  else if (overwrite) loop(lines, n, out, frames, true, false);           \
  else if (floats) loop(lines, n, out, frames, false, true);              \
  else loop(lines, n, out, frames, false, false)
#define PASS(n)                                                           \
  case n:                                                                 \
    if (steady) { LOOP_OF(NAME(steady_loop), n); } else { LOOP_OF(NAME(lines_loop), n); } break

ATTRIBUTE static void NAME(pass)(const rt_gain_line *lines, long count, float *out, long frames, bool overwrite) {
  bool steady = true, floats = true;
  for (long v = 0; v < count; v++) {
    steady = steady && lines[v].slope_left == 0 && lines[v].slope_right == 0;
    floats = floats && lines[v].source.layout == RT_SAMPLES_FLOAT;
  }
  switch (count) {
    PASS(1);
    PASS(2);
    PASS(3);
    PASS(4);
#if WIDTH == 16
    PASS(8);
#endif
    default: break;
  }
}

// As many lines a pass as there are registers for.
ATTRIBUTE static void NAME(lines)(const rt_gain_line *lines, long count, float *out, long frames, bool overwrite) {
  while (count > 0) {
    const long some = WIDTH == 16 && count >= 8 ? 8 : count > 4 ? 4 : count;
    NAME(pass)(lines, some, out, frames, overwrite);
    overwrite = false;
    lines += some;
    count -= some;
  }
}

// MARK: Gains

LOOP NAME(gains_loop)(rt_samples source, const rt_sample_layout layout, const float *gains, float *out, long samples) {
  const float scale = scale_of(source);
  long i = 0;
  for (; i + WIDTH <= samples; i += WIDTH) {
    STORE(out + i, LOAD(out + i) + READ(source.first, i, layout) * (LOAD(gains + i) * scale));
  }
  for (; i < samples; i++) out[i] = out[i] + sample_at(source, i) * gains[i];
}

ATTRIBUTE static void NAME(gains)(rt_samples source, const float *gains, float *out, long samples) {
  if (source.layout == RT_SAMPLES_INT16) NAME(gains_loop)(source, RT_SAMPLES_INT16, gains, out, samples);
  else NAME(gains_loop)(source, RT_SAMPLES_FLOAT, gains, out, samples);
}

// MARK: Peak

// Without their signs the bits of floats order like the numbers, and what is no finite number comes after all others.
ATTRIBUTE static inline __attribute__((always_inline)) float NAME(peak_loop)(const float *samples, long count) {
  WORDS highest = {0};
  for (long i = 0; i < count; i += WIDTH) {
    const WORDS magnitude = (WORDS)LOAD(samples + i) & 0x7fffffff;
    highest = __builtin_elementwise_max(highest, magnitude);
  }
  const int32_t top = __builtin_reduce_max(highest);
  const int32_t bits = top >= 0x7f800000 ? 0x7fc00000 : top;
  float peak;
  memcpy(&peak, &bits, sizeof peak);
  return peak;
}

ATTRIBUTE static float NAME(peak)(const float *samples, long groups) { return NAME(peak_loop)(samples, GROUP * groups); }

ATTRIBUTE static void NAME(group_peaks)(const float *samples, long groups, float *peaks) {
  for (long group = 0; group < groups; group++) peaks[group] = NAME(peak_loop)(samples + GROUP * group, GROUP);
}

// MARK: Scale

ATTRIBUTE static void NAME(scale)(const float *source, const float *gains, long groups, float *out) {
  const LANES one = (LANES){0} + 1;
  for (long group = 0; group < groups; group++) {
    const float slope = (gains[group + 1] - gains[group]) * (1.0f / RT_GROUP_FRAMES);
    for (long i = 0; i < GROUP; i += WIDTH) {
      const LANES gain = gains[group] + (FRAME_OF_LANE + (float)(i / 2)) * slope;
      const LANES scaled = LOAD(source + GROUP * group + i) * gain;
      STORE(out + GROUP * group + i, __builtin_elementwise_max(__builtin_elementwise_min(scaled, one), -one));
    }
  }
}

// MARK: Equal power

// Only eight gains at a time: it is seldom needed, and rarely for long.
#if WIDTH == 8

// sin(pi x / 2) for x in 0...1: its Taylor series to the 11th order, the last term fitted so that x = 1 gives exactly 1.
// Off by 2e-7 at most.
LOOP NAME(quarter_sine)(const LANES *x, LANES *y) {
  const LANES q = *x * *x;
  const LANES high = 0.07969263f + q * (-0.004681754f + q * (0.0001604412f + q * -0.00000348f));
  *y = *x * (1.5707963f + q * (-0.6459641f + q * high));
}

ATTRIBUTE static void NAME(equal_power)(float *gains, long frames, float from, float to, float passed, float length) {
  const LANES inverse = (LANES){0} + 1 / length;
  for (long i = 0; i < frames; i += 8) {
    const LANES at = (LANES){0, 1, 2, 3, 4, 5, 6, 7} + (passed + (float)i);
    LANES up = at * inverse, down = (length - at) * inverse;
    NAME(quarter_sine)(&up, &up);
    NAME(quarter_sine)(&down, &down);
    const LANES rising = to * up, falling = from * down;
    const LANES gain = __builtin_elementwise_sqrt(rising * rising + falling * falling);
    const long rest = frames - i;
    if (rest >= 8) {
      STORE(gains + i, LOAD(gains + i) * gain);
    } else {
      for (long lane = 0; lane < rest; lane++) gains[i + lane] *= gain[lane];
    }
  }
}

// MARK: Between frames

typedef float NAME(half) __attribute__((vector_size(16)));
typedef float NAME(frame) __attribute__((vector_size(8)));

// Wider registers gain nothing here: what takes time is the adding up across.
LOOP NAME(sinc_loop)(rt_samples source, const rt_sample_layout layout, long frames, uint64_t place, uint64_t step,
                     const float *rows, const long taps, int phase_bits, float *out) {
  const float scale = scale_of(source);
  for (long n = 0; n < frames; n++, place += step) {
    const long first = 2 * (long)(place >> 32);
    const uint32_t fraction = (uint32_t)place;
    const float *here = rows + 2 * taps * (fraction >> (32 - phase_bits));
    const float *next = here + 2 * taps;
    const float x = (float)(int32_t)((fraction << phase_bits) >> 8) * 0x1p-24f;
    LANES even = {0}, odd = {0};
    for (long i = 0; i < 2 * taps; i += 16) {
      even += (LOAD(here + i) + (LOAD(next + i) - LOAD(here + i)) * x) * READ(source.first, first + i, layout);
      odd += (LOAD(here + i + 8) + (LOAD(next + i + 8) - LOAD(here + i + 8)) * x) *
             READ(source.first, first + i + 8, layout);
    }
    const LANES all = even + odd;
    const NAME(half) half = __builtin_shufflevector(all, all, 0, 1, 2, 3) + __builtin_shufflevector(all, all, 4, 5, 6, 7);
    const NAME(frame) frame =
        (__builtin_shufflevector(half, half, 0, 1) + __builtin_shufflevector(half, half, 2, 3)) * scale;
    memcpy(out + 2 * n, &frame, sizeof frame);
  }
}

ATTRIBUTE static void NAME(sinc)(rt_samples source, long frames, uint64_t place, uint64_t step, const float *rows,
                                 long taps, int phase_bits, float *out) {
#define SINC(taps)                                                                                              \
  if (source.layout == RT_SAMPLES_INT16)                                                                        \
    NAME(sinc_loop)(source, RT_SAMPLES_INT16, frames, place, step, rows, taps, phase_bits, out);                \
  else                                                                                                          \
    NAME(sinc_loop)(source, RT_SAMPLES_FLOAT, frames, place, step, rows, taps, phase_bits, out)
  if (taps == 16) {
    SINC(16);
  } else {
    SINC(taps);
  }
}

#endif

#undef LANES
#undef WORDS
#undef SHORTS
#undef LOOP
#undef GROUP
#undef ALTERNATE
#undef FRAME_OF_LANE
#undef LOAD
#undef READ
#undef STORE
#undef LOOP_OF
#undef PASS
#undef LAYOUT
#undef SINC
#undef WIDTH
#undef ATTRIBUTE
#undef NAME
