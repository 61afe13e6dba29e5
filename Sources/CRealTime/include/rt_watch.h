// SPDX-License-Identifier: Apache-2.0

#ifndef STARLIGHT_RT_WATCH_H
#define STARLIGHT_RT_WATCH_H

#include <errno.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

/// A descriptor that becomes readable when something in `folder` is made, removed or changes its permissions; negative
/// when there is none. Where `folder` is not there yet, its coming into being in `parent` is watched instead.
static inline int rt_watch_open(const char *folder, const char *parent) {
  int fd = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
  if (fd < 0) return -1;
  uint32_t changes = IN_CREATE | IN_DELETE | IN_ATTRIB | IN_MOVED_TO | IN_MOVED_FROM;
  if (inotify_add_watch(fd, folder, changes | IN_DELETE_SELF) < 0 &&
      inotify_add_watch(fd, parent, IN_CREATE | IN_MOVED_TO) < 0) {
    close(fd);
    return -1;
  }
  return fd;
}

/// Takes all that was told; whether there was anything.
static inline int rt_watch_drain(int fd) {
  char events[4096] __attribute__((aligned(8)));
  int any = 0;
  while (read(fd, events, sizeof events) > 0) any = 1;
  return any;
}

/// A descriptor that becomes readable when a file in `folder` was written and closed, or renamed into its place;
/// negative when there is none, with errno set.
static inline int rt_watch_saves(const char *folder) {
  int fd = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
  if (fd < 0) return -1;
  if (inotify_add_watch(fd, folder, IN_CLOSE_WRITE | IN_MOVED_TO) < 0) {
    int code = errno;
    close(fd);
    errno = code;
    return -1;
  }
  return fd;
}

/// Takes all that was told; whether the file `name` was among it, or may have been.
static inline int rt_watch_take_save(int fd, const char *name) {
  char events[4096] __attribute__((aligned(8)));
  int any = 0;
  ssize_t count;
  while ((count = read(fd, events, sizeof events)) > 0) {
    for (char *at = events; at < events + count;) {
      const struct inotify_event *event = (const struct inotify_event *)at;
      if (event->mask & IN_Q_OVERFLOW || (event->len > 0 && strcmp(event->name, name) == 0)) any = 1;
      at += sizeof *event + event->len;
    }
  }
  return any;
}

/// A descriptor that becomes readable when something in the folders of `rt_watch_add` was saved, came or went; negative when
/// there is none.
static inline int rt_watch_folders(void) { return inotify_init1(IN_CLOEXEC | IN_NONBLOCK); }

/// Has a folder be one of them; its number, the same whenever it is added, or negative.
static inline int rt_watch_add(int fd, const char *folder) {
  return inotify_add_watch(
      fd, folder, IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_CREATE | IN_DELETE | IN_ONLYDIR);
}

/// Takes some of what was told: the numbers of the folders that it is of, -1 where some were not told; how many.
static inline int rt_watch_take(int fd, int *numbers, int room) {
  char events[4096] __attribute__((aligned(8)));
  int found = 0;
  // An event has 16 bytes at the least.
  if (room < (int)(sizeof events / sizeof(struct inotify_event))) return 0;
  ssize_t count = read(fd, events, sizeof events);
  for (char *at = events; count > 0 && at < events + count;) {
    const struct inotify_event *event = (const struct inotify_event *)at;
    numbers[found++] = event->mask & IN_Q_OVERFLOW ? -1 : event->wd;
    at += sizeof *event + event->len;
  }
  return found;
}

#endif
