#ifndef STARLIGHT_RT_WATCH_H
#define STARLIGHT_RT_WATCH_H

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

#endif
