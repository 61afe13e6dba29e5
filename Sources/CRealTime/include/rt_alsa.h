// SPDX-License-Identifier: Apache-2.0

#ifndef STARLIGHT_RT_ALSA_H
#define STARLIGHT_RT_ALSA_H

#include <alsa/asoundlib.h>
#include <poll.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#include "rt_annotations.h"

// With LIBASOUND_THREAD_SAFE=0 and a `hw:` PCM alsa-lib neither locks nor allocates in these; plug-ins may, and say so
// in docs/architecture.md rather than here.

/// What one `snd_pcm_status` says: position, delay and timestamp that belong together.
typedef struct {
  /// An `snd_pcm_state_t`.
  int32_t state;
  /// Frames that can be written now.
  int64_t available;
  /// Frames from the next written to the one heard.
  int64_t delay;
  /// CLOCK_MONOTONIC nanoseconds at which both were true; 0 where the PCM has no timestamps.
  int64_t timestamp_ns;
} rt_alsa_status_t;

/// Reads the status. 0, or a negative errno.
static inline int rt_alsa_status(snd_pcm_t *pcm, rt_alsa_status_t *out) RT_NO_LOCKS;
static inline int rt_alsa_status(snd_pcm_t *pcm, rt_alsa_status_t *out) {
  snd_pcm_status_t *status;
  snd_pcm_status_alloca(&status);
  int error = snd_pcm_status(pcm, status);
  if (error < 0) return error;
  snd_htimestamp_t timestamp;
  snd_pcm_status_get_htstamp(status, &timestamp);
  out->state = (int32_t)snd_pcm_status_get_state(status);
  out->available = (int64_t)snd_pcm_status_get_avail(status);
  out->delay = (int64_t)snd_pcm_status_get_delay(status);
  out->timestamp_ns = (int64_t)timestamp.tv_sec * 1000000000 + timestamp.tv_nsec;
  return 0;
}

/// Polls the PCM once, for at most `timeout_ms`. Returns poll events (0 after the timeout or a signal), or a negative
/// errno. `snd_pcm_wait` would begin again, without bound, after each spurious wake-up.
static inline int rt_alsa_wait(snd_pcm_t *pcm, int timeout_ms) RT_NO_LOCKS;
static inline int rt_alsa_wait(snd_pcm_t *pcm, int timeout_ms) {
  struct pollfd descriptors[8];
  int count = snd_pcm_poll_descriptors_count(pcm);
  if (count < 1 || count > 8) return -ENOTSUP;
  count = snd_pcm_poll_descriptors(pcm, descriptors, (unsigned)count);
  if (count < 1) return count < 0 ? count : -ENOTSUP;
  int ready = poll(descriptors, (nfds_t)count, timeout_ms);
  if (ready < 0) return errno == EINTR ? 0 : -errno;
  if (ready == 0) return 0;
  unsigned short events = 0;
  int error = snd_pcm_poll_descriptors_revents(pcm, descriptors, (unsigned)count, &events);
  return error < 0 ? error : events;
}

/// Lets the hardware position be seen by the memory-mapped calls. Frames that can be written, or a negative errno.
static inline int64_t rt_alsa_available(snd_pcm_t *pcm) RT_NO_LOCKS;
static inline int64_t rt_alsa_available(snd_pcm_t *pcm) { return snd_pcm_avail_update(pcm); }

/// Writes interleaved frames to a non-blocking PCM. Frames written, -EAGAIN when none fit, or another negative errno.
static inline int64_t rt_alsa_write(snd_pcm_t *pcm, const void *frames, int64_t count) RT_NO_LOCKS;
static inline int64_t rt_alsa_write(snd_pcm_t *pcm, const void *frames, int64_t count) {
  return snd_pcm_writei(pcm, frames, (snd_pcm_uframes_t)count);
}

/// Where the next frames go in a memory-mapped PCM: at most `count`, contiguous. 0, or a negative errno.
static inline int rt_alsa_mmap_begin(
    snd_pcm_t *pcm, int64_t count, void **address, uint64_t *offset, int64_t *contiguous) RT_NO_LOCKS;
static inline int rt_alsa_mmap_begin(
    snd_pcm_t *pcm, int64_t count, void **address, uint64_t *offset, int64_t *contiguous) {
  const snd_pcm_channel_area_t *areas;
  snd_pcm_uframes_t start, frames = (snd_pcm_uframes_t)count;
  int error = snd_pcm_mmap_begin(pcm, &areas, &start, &frames);
  if (error < 0) return error;
  *address = (char *)areas[0].addr + (areas[0].first + (uint64_t)start * areas[0].step) / 8;
  *offset = start;
  *contiguous = (int64_t)frames;
  return 0;
}

/// Hands over what was filled in after `rt_alsa_mmap_begin`. Frames taken, or a negative errno.
static inline int64_t rt_alsa_mmap_commit(snd_pcm_t *pcm, uint64_t offset, int64_t count) RT_NO_LOCKS;
static inline int64_t rt_alsa_mmap_commit(snd_pcm_t *pcm, uint64_t offset, int64_t count) {
  return snd_pcm_mmap_commit(pcm, (snd_pcm_uframes_t)offset, (snd_pcm_uframes_t)count);
}

/// Has `rt_alsa_wait` return as soon as `frames` can be written. 0, or a negative errno.
static inline int rt_alsa_set_wake_room(snd_pcm_t *pcm, uint64_t frames) RT_NO_LOCKS;
static inline int rt_alsa_set_wake_room(snd_pcm_t *pcm, uint64_t frames) {
  snd_pcm_sw_params_t *software;
  snd_pcm_sw_params_alloca(&software);
  int error = snd_pcm_sw_params_current(pcm, software);
  if (error >= 0) error = snd_pcm_sw_params_set_avail_min(pcm, software, (snd_pcm_uframes_t)frames);
  return error < 0 ? error : snd_pcm_sw_params(pcm, software);
}

/// Readies the PCM for a start, emptying it. 0, or a negative errno.
static inline int rt_alsa_prepare(snd_pcm_t *pcm) RT_NO_LOCKS;
static inline int rt_alsa_prepare(snd_pcm_t *pcm) { return snd_pcm_prepare(pcm); }

/// Drops what is queued and stops. 0, or a negative errno.
static inline int rt_alsa_drop(snd_pcm_t *pcm) RT_NO_LOCKS;
static inline int rt_alsa_drop(snd_pcm_t *pcm) { return snd_pcm_drop(pcm); }

/// Starts a prepared and prefilled PCM. 0, or a negative errno.
static inline int rt_alsa_start(snd_pcm_t *pcm) RT_NO_LOCKS;
static inline int rt_alsa_start(snd_pcm_t *pcm) { return snd_pcm_start(pcm); }

/// Keeps alsa-lib from writing to stderr; what it would have said is kept for `rt_alsa_last_message`. Not real-time.
void rt_alsa_capture_messages(void);

/// What alsa-lib last complained of on this thread ("" for nothing), and forgets it. Valid until the next complaint.
const char *rt_alsa_last_message(void);

#endif
