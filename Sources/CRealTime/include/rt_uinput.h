// SPDX-License-Identifier: Apache-2.0

#ifndef STARLIGHT_RT_UINPUT_H
#define STARLIGHT_RT_UINPUT_H

// What Swift cannot import: the macros and the union of the kernel's virtual input devices.

#include <errno.h>
#include <linux/input.h>
#include <linux/uinput.h>
#include <stdint.h>
#include <sys/ioctl.h>

static inline int rt_uinput_set_event_type(int fd, int type) { return ioctl(fd, UI_SET_EVBIT, type); }
static inline int rt_uinput_set_key(int fd, int key) { return ioctl(fd, UI_SET_KEYBIT, key); }
/// Gives the device a stick's axis.
static inline int rt_uinput_set_axis(int fd, int axis) {
  struct uinput_abs_setup setup = {.code = (uint16_t)axis, .absinfo = {.minimum = -32768, .maximum = 32767}};
  return ioctl(fd, UI_SET_ABSBIT, axis) < 0 ? -1 : ioctl(fd, UI_ABS_SETUP, &setup);
}
static inline int rt_uinput_set_effect(int fd, int effect) { return ioctl(fd, UI_SET_FFBIT, effect); }
static inline int rt_uinput_set_up(int fd, const struct uinput_setup *setup) { return ioctl(fd, UI_DEV_SETUP, setup); }
static inline int rt_uinput_create(int fd) { return ioctl(fd, UI_DEV_CREATE); }
/// What the kernel calls the device, as in /sys/devices/virtual/input.
static inline int rt_uinput_name(int fd, char *name, int size) { return ioctl(fd, UI_GET_SYSNAME(size), name); }
static inline int rt_uinput_destroy(int fd) { return ioctl(fd, UI_DEV_DESTROY); }
static inline int rt_uinput_begin_upload(int fd, struct uinput_ff_upload *upload) {
  return ioctl(fd, UI_BEGIN_FF_UPLOAD, upload);
}
static inline int rt_uinput_end_upload(int fd, struct uinput_ff_upload *upload) {
  return ioctl(fd, UI_END_FF_UPLOAD, upload);
}
static inline int rt_uinput_begin_erase(int fd, struct uinput_ff_erase *erase) {
  return ioctl(fd, UI_BEGIN_FF_ERASE, erase);
}
static inline int rt_uinput_end_erase(int fd, struct uinput_ff_erase *erase) {
  return ioctl(fd, UI_END_FF_ERASE, erase);
}

/// What an effect says, whatever its kind.
struct rt_uinput_effect {
  /// The motors of a rumble; else a wave's magnitude or a constant's level, and nothing.
  int first, second;
  /// A wave's form and its length in milliseconds.
  int waveform, period;
  /// 0 where strength and place are the same throughout: no envelope, no offset, no phase.
  int shape;
};

static inline struct rt_uinput_effect rt_uinput_effect_of(const struct ff_effect *effect) {
  struct rt_uinput_effect said = {0};
  const struct ff_envelope *envelope = 0;
  if (effect->type == FF_RUMBLE) {
    said.first = effect->u.rumble.strong_magnitude;
    said.second = effect->u.rumble.weak_magnitude;
  } else if (effect->type == FF_PERIODIC) {
    said.first = effect->u.periodic.magnitude;
    said.waveform = effect->u.periodic.waveform;
    said.period = effect->u.periodic.period;
    said.shape = effect->u.periodic.offset | effect->u.periodic.phase;
    envelope = &effect->u.periodic.envelope;
  } else if (effect->type == FF_CONSTANT) {
    said.first = effect->u.constant.level;
    envelope = &effect->u.constant.envelope;
  }
  if (envelope) {
    said.shape |= envelope->attack_length | envelope->attack_level | envelope->fade_length | envelope->fade_level;
  }
  return said;
}

#endif
