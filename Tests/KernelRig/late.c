// SPDX-License-Identifier: Apache-2.0

// Makes one way longer on purpose, by LATE_MS or 30 ms, for whoever loads it before its libraries: LATE=sound what is
// captured, LATE=touch what is played on a pad, LATE=event the notification of a beat. LATE=noise captures noise alone.
#define _GNU_SOURCE
#include <alsa/asoundlib.h>
#include <dlfcn.h>
#include <linux/input.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static int is_late(const char *way) {
  const char *late = getenv("LATE");
  return late && !strcmp(late, way);
}

static unsigned milliseconds(void) {
  const char *told = getenv("LATE_MS");
  return told ? (unsigned)atoi(told) : 30;
}

static void wait_so_long(void) {
  struct timespec time = {.tv_sec = milliseconds() / 1000, .tv_nsec = milliseconds() % 1000 * 1000000};
  nanosleep(&time, NULL);
}

static unsigned random_bits(void) {
  static unsigned state = 1;
  state ^= state << 13;
  state ^= state >> 17;
  return state ^= state << 5;
}

// At half of full scale: any bytes are noise, but of a float.
static void make_noise(snd_pcm_format_t format, unsigned char *bytes, size_t count) {
  for (size_t place = 0; place + 4 <= count; place += 4) {
    unsigned bits = random_bits();
    float sample = (float)(int)bits / 4294967296.0f;
    memcpy(bytes + place, format == SND_PCM_FORMAT_FLOAT_LE ? (void *)&sample : (void *)&bits, 4);
  }
}

// What comes is what came so many milliseconds of frames before, and nothing first.
snd_pcm_sframes_t snd_pcm_readi(snd_pcm_t *pcm, void *buffer, snd_pcm_uframes_t size) {
  static snd_pcm_sframes_t (*read)(snd_pcm_t *, void *, snd_pcm_uframes_t);
  static unsigned char *kept;
  static snd_pcm_format_t format;
  static size_t length, place;
  if (!read) read = (snd_pcm_sframes_t(*)(snd_pcm_t *, void *, snd_pcm_uframes_t))dlsym(RTLD_NEXT, "snd_pcm_readi");
  snd_pcm_sframes_t count = read(pcm, buffer, size);
  if (count <= 0 || !(is_late("sound") || is_late("noise"))) return count;
  if (!kept) {
    unsigned rate = 48000;
    snd_pcm_hw_params_t *parameters;
    snd_pcm_hw_params_alloca(&parameters);
    if (!snd_pcm_hw_params_current(pcm, parameters)) {
      snd_pcm_hw_params_get_rate(parameters, &rate, NULL);
      snd_pcm_hw_params_get_format(parameters, &format);
    }
    length = snd_pcm_frames_to_bytes(pcm, rate * milliseconds() / 1000);
    kept = calloc(length, 1);
    if (!kept) abort();
  }
  unsigned char *bytes = buffer;
  size_t left = snd_pcm_frames_to_bytes(pcm, count);
  if (is_late("noise")) {
    make_noise(format, bytes, left);
    return count;
  }
  for (; left; left--, bytes++, place = (place + 1) % length) {
    unsigned char byte = *bytes;
    *bytes = kept[place];
    kept[place] = byte;
  }
  return count;
}

ssize_t write(int descriptor, const void *bytes, size_t count) {
  static ssize_t (*next)(int, const void *, size_t);
  if (!next) next = (ssize_t(*)(int, const void *, size_t))dlsym(RTLD_NEXT, "write");
  const struct input_event *event = bytes;
  if (count == sizeof *event && event->type == EV_FF && event->code < FF_GAIN && event->value > 0 && is_late("touch"))
    wait_so_long();
  return next(descriptor, bytes, count);
}

ssize_t send(int descriptor, const void *bytes, size_t count, int flags) {
  static ssize_t (*next)(int, const void *, size_t, int);
  if (!next) next = (ssize_t(*)(int, const void *, size_t, int))dlsym(RTLD_NEXT, "send");
  if (is_late("event") && memmem(bytes, count, "\"rhythm.beat\"", 13)) wait_so_long();
  return next(descriptor, bytes, count, flags);
}
