// SPDX-License-Identifier: Apache-2.0

#include "rt_low_pass.h"

#include <math.h>

#pragma STDC FP_CONTRACT OFF

// The memory in doubles: at 20 Hz a sample moves it by a millionth, which floats would lose. What is left of a tail below
// 1e-20 is nothing, and no denormal.
static inline double low(double *memory, double in, double a1, double a2, double a3) {
  double v3 = in - memory[1];
  double v1 = a1 * memory[0] + a2 * v3;
  double v2 = memory[1] + a2 * memory[0] + a3 * v3;
  double first = 2 * v1 - memory[0];
  double second = 2 * v2 - memory[1];
  memory[0] = fabs(first) < 1e-20 ? 0 : first;
  memory[1] = fabs(second) < 1e-20 ? 0 : second;
  return v2;
}

void rt_low_pass(float *samples, long frames, rt_low_pass_memory *memory, rt_line corner, rt_line wet) {
  double a1 = 0, a2 = 0, a3 = 0;
  for (long i = 0; i < frames; i++) {
    if (i == 0 || corner.slope != 0) {
      double g = tan(M_PI * exp2((double)corner.base + (double)corner.slope * (corner.index + i)));
      a1 = 1 / (1 + g * (g + M_SQRT2));
      a2 = g * a1;
      a3 = g * a2;
    }
    double share = (double)wet.base + (double)wet.slope * (wet.index + i);
    double left = samples[2 * i], right = samples[2 * i + 1];
    samples[2 * i] = (float)(left + share * (low(memory->left, left, a1, a2, a3) - left));
    samples[2 * i + 1] = (float)(right + share * (low(memory->right, right, a1, a2, a3) - right));
  }
}
