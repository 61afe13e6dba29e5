// SPDX-License-Identifier: Apache-2.0

/* miniaudio's engine, compiled from the one header that its PyPI source package carries, with the same flags as the kernels.
 * ma_engine without a device (`noDevice`), ma_engine_read_pcm_frames back to back. Sounds come from memory, float stereo at
 * the engine's rate, without spatialization, and without the resampler but in the row that is about it.
 *
 * Ramped: its own fader over the whole run. Pitched: its resampler is linear. */
#define MA_NO_DEVICE_IO
#define MA_NO_DECODING
#define MA_NO_ENCODING
#define MA_NO_GENERATION
#define MINIAUDIO_IMPLEMENTATION
#include "miniaudio.h"

#include "harness.h"

static float out[2 * PERIOD];
static ma_engine engine;

static void render(void *context, long period) {
  (void)context, (void)period;
  ma_engine_read_pcm_frames(&engine, out, PERIOD, NULL);
}

int main(int count, char **arguments) {
  const row_kind row = read_arguments(count, arguments);
  if (row == LIMITED) return UNSUPPORTED;
  ma_engine_config configuration = ma_engine_config_init();
  configuration.noDevice = MA_TRUE;
  configuration.channels = 2;
  configuration.sampleRate = RATE;
  configuration.periodSizeInFrames = PERIOD;
  if (ma_engine_init(&configuration, &engine)) {
    fprintf(stderr, "miniaudio: no engine\n");
    return 1;
  }
  ma_sound *sounds = calloc((size_t)voices, sizeof *sounds);
  ma_audio_buffer_ref *buffers = calloc((size_t)voices, sizeof *buffers);
  for (int voice = 0; voice < voices; voice++) {
    ma_audio_buffer_ref_init(ma_format_f32, 2, make_source(voice, row), SOURCE_FRAMES, buffers + voice);
    buffers[voice].sampleRate = RATE;
    const ma_uint32 flags = MA_SOUND_FLAG_NO_SPATIALIZATION | (row == PITCHED ? 0 : MA_SOUND_FLAG_NO_PITCH);
    if (ma_sound_init_from_data_source(&engine, buffers + voice, flags, NULL, sounds + voice)) {
      fprintf(stderr, "miniaudio: no sound\n");
      return 1;
    }
    ma_sound_set_looping(sounds + voice, MA_TRUE);
    if (row == RAMPED) ma_sound_set_fade_in_milliseconds(sounds + voice, 0, 1, SECONDS * 1000);
    if (row == PITCHED) ma_sound_set_pitch(sounds + voice, PITCH);
    ma_sound_start(sounds + voice);
  }
  measure("miniaudio", render, NULL, out);
  return 0;
}
