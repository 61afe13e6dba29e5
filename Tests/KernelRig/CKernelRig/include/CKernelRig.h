#ifndef STARLIGHT_CKERNELRIG_H
#define STARLIGHT_CKERNELRIG_H

// What Swift cannot import: the macros and the union of the kernel's virtual input devices, a register, a system call.

#include <linux/input.h>
#include <linux/uinput.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#if defined(__x86_64__)
#include <x86intrin.h>
#endif

static inline int uinput_set_event_type(int fd, int type) { return ioctl(fd, UI_SET_EVBIT, type); }
static inline int uinput_set_key(int fd, int key) { return ioctl(fd, UI_SET_KEYBIT, key); }
static inline int uinput_set_effect(int fd, int effect) { return ioctl(fd, UI_SET_FFBIT, effect); }
static inline int uinput_set_up(int fd, const struct uinput_setup *setup) { return ioctl(fd, UI_DEV_SETUP, setup); }
static inline int uinput_create(int fd) { return ioctl(fd, UI_DEV_CREATE); }
static inline int uinput_destroy(int fd) { return ioctl(fd, UI_DEV_DESTROY); }
static inline int uinput_begin_upload(int fd, struct uinput_ff_upload *upload) {
  return ioctl(fd, UI_BEGIN_FF_UPLOAD, upload);
}
static inline int uinput_end_upload(int fd, struct uinput_ff_upload *upload) {
  return ioctl(fd, UI_END_FF_UPLOAD, upload);
}
static inline int uinput_begin_erase(int fd, struct uinput_ff_erase *erase) {
  return ioctl(fd, UI_BEGIN_FF_ERASE, erase);
}
static inline int uinput_end_erase(int fd, struct uinput_ff_erase *erase) { return ioctl(fd, UI_END_FF_ERASE, erase); }

/// The motors of a rumble effect, 0...65535.
static inline uint16_t uinput_strong(const struct ff_effect *effect) { return effect->u.rumble.strong_magnitude; }
static inline uint16_t uinput_weak(const struct ff_effect *effect) { return effect->u.rumble.weak_magnitude; }

/// Keeps a thread (0: this one) on one processor.
static inline long pin_thread(int thread, int processor) {
  unsigned long processors = 1ul << processor;
  return syscall(SYS_sched_setaffinity, thread, sizeof processors, &processors);
}

/// The processor's time stamp counter; 0 where there is none.
static inline uint64_t time_stamp_counter(void) {
#if defined(__x86_64__)
  return __rdtsc();
#else
  return 0;
#endif
}

#endif
