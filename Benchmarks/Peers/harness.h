// SPDX-License-Identifier: Apache-2.0

/* What every program here has in common: sources, gains, periods, timing, and the line it prints.
 *
 * Usage: PROGRAM VOICES ROW. Rows: ramped, steady, limited, pitched. Exit code 3: this engine has no such thing. */
#ifndef HARNESS_H
#define HARNESS_H

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
  RATE = 48000,
  PERIOD = 256,
  SECONDS = 60,
  PERIODS = SECONDS * RATE / PERIOD, /* 11250 */
  SLICE = 25,                        /* periods between two looks at the clock, so that looking costs nothing */
  SLICES = PERIODS / SLICE,
  SOURCE_FRAMES = 24576, /* a loop of 0.512 s, 192 KiB in float: a sound effect; a whole number of periods */
  UNSUPPORTED = 3
};
#define FRAMES ((long)PERIODS * PERIOD)
#define PITCH 1.25f

typedef enum { RAMPED, STEADY, LIMITED, PITCHED } row_kind;

static const char *row_name;
static int voices;

static inline row_kind read_arguments(int count, char **arguments) {
  static const char *const names[] = {"ramped", "steady", "limited", "pitched"};
  if (count == 3) {
    voices = atoi(arguments[1]);
    row_name = arguments[2];
    for (int row = 0; row < 4; row++)
      if (voices > 0 && !strcmp(names[row], row_name)) return (row_kind)row;
  }
  fprintf(stderr, "usage: %s VOICES ramped|steady|limited|pitched\n", arguments[0]);
  exit(2);
}

/* White noise, its own for every voice. All voices together never exceed 0.9, but when there is to be limiting: then
 * their sum has a standard deviation of 0.7. */
static inline float *make_source(int voice, row_kind row) {
  float *samples = NULL;
  if (posix_memalign((void **)&samples, 64, sizeof(float) * 2 * SOURCE_FRAMES)) abort();
  // Between its frames, noise reaches further than on them.
  const float peak = row == LIMITED ? 0.7f * sqrtf(3.0f / (float)voices) : (row == PITCHED ? 0.45f : 0.9f) / (float)voices;
  uint32_t state = 0x9E3779B9u * (uint32_t)(voice + 1) | 1u;
  for (int i = 0; i < 2 * SOURCE_FRAMES; i++) {
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    samples[i] = peak * ((float)(int32_t)state * (1.0f / 2147483648.0f));
  }
  return samples;
}

static inline double now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static int ascending(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Calls `render(context, period)`, which fills `out`, for all periods. Prints engine, row, voices, nanoseconds per voice
 * and frame (median slice, then mean), and the RMS of the output around the middle and at the end. */
static inline void measure(const char *engine, void (*render)(void *, long), void *context, const float *out) {
  static double slices[SLICES];
  double total = 0, middle = 0, end = 0;
  for (long slice = 0; slice < SLICES; slice++) {
    const double begin = now_ns();
    for (long period = slice * SLICE; period < (slice + 1) * SLICE; period++) render(context, period);
    slices[slice] = now_ns() - begin;
    total += slices[slice];
    double sum = 0;
    for (int i = 0; i < 2 * PERIOD; i++) sum += (double)out[i] * out[i];
    if (slice >= SLICES / 2 - 20 && slice < SLICES / 2 + 20) middle += sum;
    if (slice >= SLICES - 40) end += sum;
  }
  qsort(slices, SLICES, sizeof *slices, ascending);
  printf("%s,%s,%d,%.4f,%.4f,%.5g,%.5g\n", engine, row_name, voices,
         slices[SLICES / 2] / ((double)SLICE * PERIOD * voices), total / ((double)FRAMES * voices),
         sqrt(middle / (40 * 2 * PERIOD)), sqrt(end / (40 * 2 * PERIOD)));
}

#endif
