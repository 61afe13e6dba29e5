// SPDX-License-Identifier: Apache-2.0

/* The plain kernel: one voice after the other, left to the compiler. */
#ifndef PLAIN_H
#define PLAIN_H

#include <string.h>

enum { PLAIN_PERIOD = 256 };

__attribute__((noinline)) static void mix_ramped(float *restrict to, const float *restrict from, float gain, float step) {
  for (int i = 0; i < PLAIN_PERIOD; i++) {
    const float now = gain + step * (float)i;
    to[2 * i] += from[2 * i] * now;
    to[2 * i + 1] += from[2 * i + 1] * now;
  }
}

__attribute__((noinline)) static void mix_steady(float *restrict to, const float *restrict from, float gain) {
  for (int i = 0; i < 2 * PLAIN_PERIOD; i++) to[i] += from[i] * gain;
}

#endif
