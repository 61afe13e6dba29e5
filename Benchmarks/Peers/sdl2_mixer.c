// SPDX-License-Identifier: Apache-2.0

/* SDL2_mixer as Debian ships it, without a device: this program defines the five functions by which the library opens and
 * guards one, and the dynamic linker resolves the library's calls to them (-rdynamic). So Mix_OpenAudioDevice hands over the
 * mixer's own callback, which is called back to back: no thread, no sleep, no lock, no conversion.
 *
 * Ramped: Mix_FadeInChannel over the whole run. It goes by SDL_GetTicks, which is defined here too and tells rendered time.
 * It moves in 128 steps, once a callback: coarser, and cheaper, than a gain for every frame. */
#include <SDL2/SDL.h>
#include <SDL2/SDL_mixer.h>

#include "harness.h"

static SDL_AudioSpec device;
static Uint32 ticks;

SDL_AudioDeviceID SDL_OpenAudioDevice(const char *name, int capture, const SDL_AudioSpec *wanted, SDL_AudioSpec *got,
                                      int changes) {
  (void)name, (void)capture, (void)changes;
  device = *wanted;
  device.silence = 0;
  device.size = wanted->samples * wanted->channels * sizeof(float);
  if (got) *got = device;
  return 2;
}
void SDL_CloseAudioDevice(SDL_AudioDeviceID id) { (void)id; }
void SDL_PauseAudioDevice(SDL_AudioDeviceID id, int on) { (void)id, (void)on; }
void SDL_LockAudioDevice(SDL_AudioDeviceID id) { (void)id; }
void SDL_UnlockAudioDevice(SDL_AudioDeviceID id) { (void)id; }
Uint32 SDL_GetTicks(void) { return ticks; }

static float out[2 * PERIOD];

static void render(void *context, long period) {
  (void)context;
  ticks = (Uint32)((period + 1) * PERIOD * 1000 / RATE);
  device.callback(device.userdata, (Uint8 *)out, sizeof out);
}

int main(int count, char **arguments) {
  const row_kind row = read_arguments(count, arguments);
  if (row == LIMITED || row == PITCHED) return UNSUPPORTED;
  SDL_setenv("SDL_AUDIODRIVER", "dummy", 1);
  if (SDL_Init(SDL_INIT_AUDIO) || Mix_OpenAudioDevice(RATE, AUDIO_F32SYS, 2, PERIOD, NULL, 0)) {
    fprintf(stderr, "sdl2_mixer: %s\n", SDL_GetError());
    return 1;
  }
  if (!device.callback) {
    fprintf(stderr, "sdl2_mixer: its calls were not caught\n");
    return 1;
  }
  Mix_AllocateChannels(voices);
  for (int voice = 0; voice < voices; voice++) {
    Mix_Chunk *chunk = Mix_QuickLoad_RAW((Uint8 *)make_source(voice, row), sizeof(float) * 2 * SOURCE_FRAMES);
    const int played =
        row == RAMPED ? Mix_FadeInChannel(voice, chunk, -1, SECONDS * 1000) : Mix_PlayChannel(voice, chunk, -1);
    if (played < 0) {
      fprintf(stderr, "sdl2_mixer: %s\n", Mix_GetError());
      return 1;
    }
  }
  measure("sdl2_mixer", render, NULL, out);
  return 0;
}
