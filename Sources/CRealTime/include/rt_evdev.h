// SPDX-License-Identifier: Apache-2.0

#ifndef STARLIGHT_RT_EVDEV_H
#define STARLIGHT_RT_EVDEV_H

#include <errno.h>
#include <fcntl.h>
#include <linux/input.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

/// Kinds of force-feedback effect that can stand for a rumble.
enum { rt_evdev_rumble = FF_RUMBLE, rt_evdev_periodic = FF_PERIODIC, rt_evdev_constant = FF_CONSTANT };

/// A descriptor that plays effects, closed on exec; -errno when there is none.
static inline int rt_evdev_open(const char *path) {
  int fd = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK);
  return fd < 0 ? -errno : fd;
}

/// Whether the device plays effects of that kind.
static inline int rt_evdev_has(int fd, int kind) {
  uint8_t bits[(FF_MAX + 8) / 8] = {0};
  if (ioctl(fd, EVIOCGBIT(EV_FF, sizeof bits), bits) < 0) return 0;
  return bits[kind / 8] >> (kind % 8) & 1;
}

/// Whether the device is still plugged in.
static inline int rt_evdev_is_there(int fd) {
  struct input_id id;
  return ioctl(fd, EVIOCGID, &id) == 0;
}

/// Makes an effect (`id` -1) or changes it in place, which needs the same kind as before. Returns its id or -errno.
/// A kind with one strength takes the stronger of the two, along the axis that a wheel has too; its wave is shorter than
/// any interval between updates, each of which begins it anew. May block for as long as the device's owner likes.
static inline int rt_evdev_upload(int fd, int kind, int id, uint16_t strong, uint16_t weak, uint16_t length_ms) {
  struct ff_effect effect;
  memset(&effect, 0, sizeof effect);
  effect.type = (uint16_t)kind;
  effect.id = (int16_t)id;
  effect.replay.length = length_ms;
  effect.direction = kind == FF_RUMBLE ? 0 : 0x4000;
  int16_t single = (int16_t)((strong > weak ? strong : weak) / 2);
  if (kind == FF_RUMBLE) {
    effect.u.rumble.strong_magnitude = strong;
    effect.u.rumble.weak_magnitude = weak;
  } else if (kind == FF_PERIODIC) {
    effect.u.periodic.waveform = FF_SINE;
    effect.u.periodic.period = 10;
    effect.u.periodic.magnitude = single;
  } else {
    effect.u.constant.level = single;
  }
  return ioctl(fd, EVIOCSFF, &effect) < 0 ? -errno : effect.id;
}

/// Sends a force-feedback event: an effect's id with 1 to play and 0 to stop it, or FF_GAIN. 0 or -errno.
static inline int rt_evdev_send(int fd, uint16_t code, int32_t value) {
  struct input_event event;
  memset(&event, 0, sizeof event);
  event.type = EV_FF;
  event.code = code;
  event.value = value;
  return write(fd, &event, sizeof event) == sizeof event ? 0 : -errno;
}

/// Sets the device to its full strength, where it has a gain. 0 or -errno.
static inline int rt_evdev_full_gain(int fd) { return rt_evdev_has(fd, FF_GAIN) ? rt_evdev_send(fd, FF_GAIN, 0xFFFF) : 0; }

/// A descriptor that only reads events, closed on exec; -errno when there is none.
static inline int rt_evdev_open_reading(const char *path) {
  int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  return fd < 0 ? -errno : fd;
}

/// The room for the keys and the axes that a device may have, a bit each.
enum { rt_evdev_key_bytes = KEY_CNT / 8, rt_evdev_axis_bytes = ABS_CNT / 8 };

static inline int rt_evdev_mask(int fd, uint32_t type, const uint8_t *bits, uint32_t size) {
  struct input_mask mask = {.type = type, .codes_size = size, .codes_ptr = (uint64_t)(uintptr_t)bits};
  return ioctl(fd, EVIOCSMASK, &mask) < 0 ? -errno : 0;
}

/// Has the kernel keep for this descriptor the events of these keys and axes alone: no other is ever handed out. 0 or
/// -errno.
static inline int rt_evdev_keep(int fd, const uint8_t *keys, const uint8_t *axes) {
  // In whole longs: the kernel refuses masks of another length (EINVAL).
  uint8_t types[(EV_CNT + 63) / 64 * 8] = {0};
  types[0] = 1 << EV_KEY | 1 << EV_ABS;
  int result = rt_evdev_mask(fd, EV_KEY, keys, rt_evdev_key_bytes);
  if (result == 0) result = rt_evdev_mask(fd, EV_ABS, axes, rt_evdev_axis_bytes);
  if (result == 0) result = rt_evdev_mask(fd, EV_SYN, types, sizeof types);
  return result;
}

/// Has events stamped on CLOCK_MONOTONIC; what waits by then is dropped. 0 or -errno.
static inline int rt_evdev_stamp_monotonic(int fd) {
  int clock = CLOCK_MONOTONIC;
  return ioctl(fd, EVIOCSCLOCKID, &clock) < 0 ? -errno : 0;
}

/// Takes a device for this descriptor alone, until it is closed. 0 or -errno.
static inline int rt_evdev_grab(int fd) { return ioctl(fd, EVIOCGRAB, 1) < 0 ? -errno : 0; }

/// Where an axis is and between what it lies. 0 or -errno.
static inline int rt_evdev_axis(int fd, int code, int32_t *value, int32_t *minimum, int32_t *maximum) {
  struct input_absinfo info;
  if (ioctl(fd, EVIOCGABS(code), &info) < 0) return -errno;
  *value = info.value;
  *minimum = info.minimum;
  *maximum = info.maximum;
  return 0;
}

/// One event as the kernel stamped it.
typedef struct {
  int64_t stamp_us;
  uint16_t type, code;
  int32_t value;
} rt_evdev_event;

/// The most events that are read at once.
enum { rt_evdev_most = 64 };

/// Reads what waits, at most `rt_evdev_most` events. How many, 0 for none, or -errno.
static inline int rt_evdev_read(int fd, rt_evdev_event *events) {
  struct input_event raw[rt_evdev_most];
  ssize_t count = read(fd, raw, sizeof raw);
  if (count < 0) return errno == EAGAIN || errno == EINTR ? 0 : -errno;
  int events_read = (int)((size_t)count / sizeof raw[0]);
  for (int i = 0; i < events_read; i++) {
    events[i].stamp_us = (int64_t)raw[i].input_event_sec * 1000000 + (int64_t)raw[i].input_event_usec;
    events[i].type = raw[i].type;
    events[i].code = raw[i].code;
    events[i].value = raw[i].value;
  }
  return events_read;
}

#endif
