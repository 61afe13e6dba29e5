// SPDX-License-Identifier: Apache-2.0

// Makes cards look as if their least period were COARSE frames, for whoever loads it before its libraries; COARSE_BATCH=1 as if
// they told their position by periods, besides.
#define _GNU_SOURCE
#include <alsa/asoundlib.h>
#include <dlfcn.h>
#include <stdlib.h>

// All that is asked for later is chosen from what is left here, as from what a driver allows.
int snd_pcm_hw_params_any(snd_pcm_t *pcm, snd_pcm_hw_params_t *parameters) {
  static int (*any)(snd_pcm_t *, snd_pcm_hw_params_t *);
  if (!any) any = (int (*)(snd_pcm_t *, snd_pcm_hw_params_t *))dlsym(RTLD_NEXT, "snd_pcm_hw_params_any");
  int error = any(pcm, parameters);
  const char *told = getenv("COARSE");
  if (error < 0 || !told) return error;
  snd_pcm_uframes_t least = strtoul(told, NULL, 10);
  error = snd_pcm_hw_params_set_period_size_min(pcm, parameters, &least, NULL);
  return error < 0 ? error : 0;
}

int snd_pcm_hw_params_is_batch(const snd_pcm_hw_params_t *parameters) {
  static int (*is_batch)(const snd_pcm_hw_params_t *);
  if (!is_batch) is_batch = (int (*)(const snd_pcm_hw_params_t *))dlsym(RTLD_NEXT, "snd_pcm_hw_params_is_batch");
  const char *told = getenv("COARSE_BATCH");
  return (told && atoi(told)) || is_batch(parameters);
}
