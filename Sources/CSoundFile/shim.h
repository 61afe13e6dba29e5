// SPDX-License-Identifier: Apache-2.0

#include <sndfile.h>

/// The first loop of an instrument (Swift does not import the nested array): its mode, and frames start ..< end.
static inline int sound_file_first_loop(const SF_INSTRUMENT *instrument, int64_t *start, int64_t *end) {
  if (instrument->loop_count < 1) return SF_LOOP_NONE;
  *start = instrument->loops[0].start;
  *end = instrument->loops[0].end;
  return instrument->loops[0].mode;
}
