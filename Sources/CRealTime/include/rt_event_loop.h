// SPDX-License-Identifier: Apache-2.0

#ifndef STARLIGHT_RT_EVENT_LOOP_H
#define STARLIGHT_RT_EVENT_LOOP_H

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <unistd.h>

/// What epoll reported of one descriptor.
typedef struct rt_event {
  uint64_t token;
  uint32_t events;
} rt_event;

static const uint32_t rt_readable = EPOLLIN;
static const uint32_t rt_writable = EPOLLOUT;
/// With `rt_readable`: reported when it becomes so, and not as long as it is.
static const uint32_t rt_edge = EPOLLET;
/// The other end is gone for both directions; reported unasked.
static const uint32_t rt_hung_up = EPOLLHUP | EPOLLERR;

/// A new epoll instance; negative when there is none.
static inline int rt_epoll_open(void) { return epoll_create1(EPOLL_CLOEXEC); }

/// Watches `fd` for `events`, or changes what it is watched for; 0, or an error number.
static inline int rt_epoll_watch(int epoll, int fd, uint32_t events, uint64_t token) {
  struct epoll_event event = {.events = events, .data.u64 = token};
  if (epoll_ctl(epoll, EPOLL_CTL_MOD, fd, &event) == 0) return 0;
  if (errno != ENOENT) return errno;
  return epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event) == 0 ? 0 : errno;
}

/// Watches `fd` no more.
static inline void rt_epoll_forget(int epoll, int fd) { epoll_ctl(epoll, EPOLL_CTL_DEL, fd, NULL); }

/// What is ready, or where it `waits` becomes so; how many events there are, 0 on a signal.
static inline int rt_epoll_wait(int epoll, rt_event *_Nonnull events, int capacity, bool waits) {
  struct epoll_event raw[128];
  if (capacity > 128) capacity = 128;
  int count = epoll_wait(epoll, raw, capacity, waits ? -1 : 0);
  for (int i = 0; i < count; i++) {
    events[i].token = raw[i].data.u64;
    events[i].events = raw[i].events;
  }
  return count < 0 ? 0 : count;
}

static inline void rt_stop_signals(sigset_t *_Nonnull set) {
  sigemptyset(set);
  sigaddset(set, SIGTERM);
  sigaddset(set, SIGINT);
  sigaddset(set, SIGHUP);
}

/// Keeps SIGTERM, SIGINT and SIGHUP for `rt_signal_open`, in this thread and those it starts from now on; ignores
/// SIGPIPE and SIGXFSZ, so that a write that cannot be done is an error of that write.
static inline void rt_signals_hold(void) {
  sigset_t set;
  rt_stop_signals(&set);
  pthread_sigmask(SIG_BLOCK, &set, NULL);
  signal(SIGPIPE, SIG_IGN);
  signal(SIGXFSZ, SIG_IGN);
}

/// A descriptor that is readable when SIGTERM, SIGINT or SIGHUP came; negative when there is none.
static inline int rt_signal_open(void) {
  sigset_t set;
  rt_stop_signals(&set);
  return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

/// The next signal that came, or 0. `is_asked` is whether a process sent it, and not the kernel, as it does for a terminal that
/// closes.
static inline int rt_signal_take(int fd, bool *_Nonnull is_asked) {
  struct signalfd_siginfo info;
  if (read(fd, &info, sizeof info) != sizeof info) return 0;
  *is_asked = info.ssi_code <= 0;
  return (int)info.ssi_signo;
}

/// The user and the process that connected the other end of a Unix socket; 0, or an error number.
static inline int rt_peer(int fd, uint32_t *_Nonnull user, int32_t *_Nonnull process) {
  struct {  // struct ucred, which hides behind _GNU_SOURCE
    pid_t pid;
    uid_t uid;
    gid_t gid;
  } peer;
  socklen_t size = sizeof peer;
  if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) return errno;
  *user = peer.uid;
  *process = peer.pid;
  return 0;
}

#endif
