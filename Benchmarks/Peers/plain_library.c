// SPDX-License-Identifier: Apache-2.0

/* The plain kernel as a library, for being measured in turn with another mixer in its process. */
#include "plain.h"

/* Mixes one period from frame `place` of every source on, at `gain` and `step` more a frame, to `out`. */
void plain_mix(const float *const *sources, long voices, long place, float gain, float step, float *out) {
  memset(out, 0, sizeof *out * 2 * PLAIN_PERIOD);
  for (long voice = 0; voice < voices; voice++) mix_ramped(out, sources[voice] + 2 * place, gain, step);
}
