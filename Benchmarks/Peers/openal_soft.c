// SPDX-License-Identifier: Apache-2.0

/* OpenAL Soft as Debian ships it, through ALC_SOFT_loopback: alcRenderSamplesSOFT back to back into float stereo at 48 kHz.
 * Sources go to the output channels directly (no panning, no HRTF, no sends), buffers have the output's rate, the limiter is
 * off but in the row that is about it.
 *
 * Ramped: AL_GAIN of every source once a period, in a deferred batch; the library glides to it by itself within 64 frames.
 * Pitched: its cubic resampler where it has one of that name. */
#include <AL/al.h>
#include <AL/alc.h>
#include <AL/alext.h>

#include "harness.h"

#ifndef ALC_OUTPUT_LIMITER_SOFT
#define ALC_OUTPUT_LIMITER_SOFT 0x199A
#endif

static float out[2 * PERIOD];
static row_kind row;
static ALCdevice *device;
static ALuint *sources;
static LPALCRENDERSAMPLESSOFT render_samples;
static void (*defer)(void), (*process)(void);

static void render(void *context, long period) {
  (void)context;
  if (row == RAMPED) {
    const float gain = (float)((period + 1) * PERIOD) / (float)FRAMES;
    defer();
    for (int voice = 0; voice < voices; voice++) alSourcef(sources[voice], AL_GAIN, gain);
    process();
  }
  render_samples(device, out, PERIOD);
}

static void choose_cubic(void) {
  const ALchar *(*name)(ALenum, ALsizei) = (const ALchar *(*)(ALenum, ALsizei))alGetProcAddress("alGetStringiSOFT");
  if (!name || !alIsExtensionPresent("AL_SOFT_source_resampler")) return;
  const ALint known = alGetInteger(alGetEnumValue("AL_NUM_RESAMPLERS_SOFT"));
  for (ALint index = 0; index < known; index++) {
    if (strncmp(name(alGetEnumValue("AL_RESAMPLER_NAME_SOFT"), index), "4-point", 7) &&
        strcasecmp(name(alGetEnumValue("AL_RESAMPLER_NAME_SOFT"), index), "cubic"))
      continue;
    for (int voice = 0; voice < voices; voice++)
      alSourcei(sources[voice], alGetEnumValue("AL_SOURCE_RESAMPLER_SOFT"), index);
    return;
  }
}

int main(int count, char **arguments) {
  row = read_arguments(count, arguments);
  LPALCLOOPBACKOPENDEVICESOFT open = (LPALCLOOPBACKOPENDEVICESOFT)alcGetProcAddress(NULL, "alcLoopbackOpenDeviceSOFT");
  render_samples = (LPALCRENDERSAMPLESSOFT)alcGetProcAddress(NULL, "alcRenderSamplesSOFT");
  device = open ? open(NULL) : NULL;
  const ALCint attributes[] = {
      ALC_FORMAT_CHANNELS_SOFT, ALC_STEREO_SOFT, ALC_FORMAT_TYPE_SOFT, ALC_FLOAT_SOFT, ALC_FREQUENCY, RATE,
      ALC_HRTF_SOFT, 0, ALC_MONO_SOURCES, 0, ALC_STEREO_SOURCES, voices,
      ALC_OUTPUT_LIMITER_SOFT, row == LIMITED, 0};
  ALCcontext *context = device ? alcCreateContext(device, attributes) : NULL;
  if (!context) {
    fprintf(stderr, "openal_soft: no loopback device\n");
    return 1;
  }
  alcMakeContextCurrent(context);
  defer = (void (*)(void))alGetProcAddress("alDeferUpdatesSOFT");
  process = (void (*)(void))alGetProcAddress("alProcessUpdatesSOFT");
  sources = calloc((size_t)voices, sizeof *sources);
  alGenSources(voices, sources);
  for (int voice = 0; voice < voices; voice++) {
    float *samples = make_source(voice, row);
    ALuint buffer;
    alGenBuffers(1, &buffer);
    alBufferData(buffer, AL_FORMAT_STEREO_FLOAT32, samples, sizeof(float) * 2 * SOURCE_FRAMES, RATE);
    free(samples);
    alSourcei(sources[voice], AL_BUFFER, (ALint)buffer);
    alSourcei(sources[voice], AL_LOOPING, 1);
    alSourcei(sources[voice], AL_DIRECT_CHANNELS_SOFT, 1);
    alSourcei(sources[voice], AL_SOURCE_RELATIVE, 1);
    alSourcef(sources[voice], AL_GAIN, row == RAMPED ? 0 : 1);
    if (row == PITCHED) alSourcef(sources[voice], AL_PITCH, PITCH);
  }
  if (row == PITCHED) choose_cubic();
  alSourcePlayv(voices, sources);
  if (alGetError()) {
    fprintf(stderr, "openal_soft: it does not take so many sources\n");
    return 1;
  }
  measure("openal_soft", render, NULL, out);
  alcMakeContextCurrent(NULL);
  alcDestroyContext(context);
  alcCloseDevice(device);
  return 0;
}
