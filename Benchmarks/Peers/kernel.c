// SPDX-License-Identifier: Apache-2.0

/* No engine at all, only the arithmetic: what mixing costs at the least. KERNEL chooses:
 * plain     one voice after the other, left to the compiler
 * four      four voices a pass, the sum kept in registers
 * four_s16  the same from 16-bit sources */
#include "harness.h"
#include "plain.h"

_Static_assert(PERIOD == PLAIN_PERIOD, "the kernel mixes one period");

#define plain 1
#define four 2
#define four_s16 3
#if KERNEL == plain
#define ENGINE "c-plain"
#elif KERNEL == four
#define ENGINE "c-four"
#else
#define ENGINE "c-four-s16"
#endif

typedef float lanes __attribute__((vector_size(32)));
typedef float loose_lanes __attribute__((vector_size(32), aligned(4)));

typedef struct {
  const float *samples;
  const int16_t *words;
  double position;
} voice_state;

static row_kind row;
static voice_state *state;
static float out[2 * PERIOD] __attribute__((aligned(64)));

/* 4-point, 3rd-order Hermite. */
__attribute__((noinline)) static void mix_pitched(float *restrict to, voice_state *voice) {
  double position = voice->position;
  for (int i = 0; i < PERIOD; i++) {
    long frame = (long)position;
    const float x = (float)(position - (double)frame);
    for (int channel = 0; channel < 2; channel++) {
      const float *s = voice->samples + channel;
      const float a = s[2 * ((frame + SOURCE_FRAMES - 1) % SOURCE_FRAMES)], b = s[2 * frame];
      const float c = s[2 * ((frame + 1) % SOURCE_FRAMES)], d = s[2 * ((frame + 2) % SOURCE_FRAMES)];
      const float r = (c - a) * 0.5f, q = a - b * 2.5f + c * 2 - d * 0.5f, p = (d - a) * 0.5f + (b - c) * 1.5f;
      to[2 * i + channel] += ((p * x + q) * x + r) * x + b;
    }
    position += PITCH;
    if (position >= SOURCE_FRAMES) position -= SOURCE_FRAMES;
  }
  voice->position = position;
}

#if KERNEL == four_s16
#include <immintrin.h>
#define LOAD(v, i) \
  ((lanes)_mm256_cvtepi32_ps(_mm256_cvtepi16_epi32(_mm_loadu_si128((const __m128i *)(words[v] + (i))))))
#define SCALE (1 / 32767.0f)
#else
#define LOAD(v, i) (*(const loose_lanes *)(samples[v] + (i)))
#define SCALE 1.0f
#endif

__attribute__((noinline)) static void mix_four(float *restrict to, const voice_state *v, float gain, float step) {
  const long at = 2 * (long)v->position;
  const float *samples[4];
  const int16_t *words[4];
  lanes now[4];
  for (int k = 0; k < 4; k++) {
    samples[k] = v[k].samples + at;
    words[k] = v[k].words + at;
    now[k] = ((lanes){0, 0, 1, 1, 2, 2, 3, 3} * step + gain) * SCALE;
  }
  (void)samples, (void)words;
  const float ahead = 4 * step * SCALE;
  for (int i = 0; i < 2 * PERIOD; i += 8) {
    lanes sum = *(loose_lanes *)(to + i);
    sum += LOAD(0, i) * now[0];
    sum += LOAD(1, i) * now[1];
    sum += LOAD(2, i) * now[2];
    sum += LOAD(3, i) * now[3];
    *(loose_lanes *)(to + i) = sum;
    now[0] += ahead, now[1] += ahead, now[2] += ahead, now[3] += ahead;
  }
}

static void render(void *context, long period) {
  (void)context;
  const float gain = row == RAMPED ? (float)(period * PERIOD) / (float)FRAMES : 1;
  const float step = row == RAMPED ? 1 / (float)FRAMES : 0;
  memset(out, 0, sizeof out);
  int done = 0;
  if (KERNEL != plain)
    for (; done + 4 <= voices; done += 4) mix_four(out, state + done, gain, step);
  for (; done < voices; done++) {
    if (row == PITCHED) {
      mix_pitched(out, state + done);
      continue;
    }
    const float *from = state[done].samples + 2 * (long)state[done].position;
    if (row == RAMPED) mix_ramped(out, from, gain, step);
    else mix_steady(out, from, gain);
  }
  if (row == PITCHED) return;
  for (int voice = 0; voice < voices; voice++)
    if ((state[voice].position += PERIOD) >= SOURCE_FRAMES) state[voice].position = 0;
}

int main(int count, char **arguments) {
  row = read_arguments(count, arguments);
  if (row == LIMITED || (row == PITCHED && KERNEL != plain)) return UNSUPPORTED;
  if (KERNEL == four_s16 && voices % 4) return UNSUPPORTED;
  state = calloc((size_t)voices, sizeof *state);
  for (int voice = 0; voice < voices; voice++) {
    float *samples = make_source(voice, row);
    int16_t *words = malloc(sizeof *words * 2 * SOURCE_FRAMES);
    for (int i = 0; i < 2 * SOURCE_FRAMES; i++) words[i] = (int16_t)lrintf(samples[i] * 32767);
    state[voice] = (voice_state){samples, words, 0};
    if (KERNEL == four_s16) free(samples), state[voice].samples = NULL;
  }
  measure(ENGINE, render, NULL, out);
  return 0;
}
