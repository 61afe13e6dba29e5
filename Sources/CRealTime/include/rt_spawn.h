// SPDX-License-Identifier: Apache-2.0

#ifndef STARLIGHT_RT_SPAWN_H
#define STARLIGHT_RT_SPAWN_H

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

/// Starts `path` with `words`, in a process group of its own, reading nothing and writing all it says to `log`. It is
/// sent SIGTERM when the thread that calls this ends, however that comes about: posix_spawn cannot ask for that.
/// Returns its process id, or -1 with errno set. Not real-time.
static inline pid_t rt_spawn_bound(const char *path, char *const words[], char *const environment[], const char *log) {
  int failure[2];
  if (pipe(failure) != 0) return -1;
  fcntl(failure[0], F_SETFD, FD_CLOEXEC);
  fcntl(failure[1], F_SETFD, FD_CLOEXEC);
  pid_t parent = getpid();
  pid_t child = fork();
  if (child == 0) {
    int input = open("/dev/null", O_RDONLY);
    int output = open(log, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (input >= 0 && output >= 0 && dup2(input, 0) == 0 && dup2(output, 1) == 1 && dup2(output, 2) == 2) {
      if (input > 2) close(input);
      if (output > 2) close(output);
      setpgid(0, 0);
      prctl(PR_SET_PDEATHSIG, SIGTERM);
      // The parent may have gone before the line above.
      if (getppid() == parent) execve(path, words, environment);
    }
    int code = errno;
    ssize_t told = write(failure[1], &code, sizeof code);
    _exit(told == sizeof code ? 127 : 126);
  }
  int code = child < 0 ? errno : 0;
  close(failure[1]);
  if (child > 0) {
    ssize_t count;
    do count = read(failure[0], &code, sizeof code);
    while (count < 0 && errno == EINTR);
    if (count == sizeof code) {
      waitpid(child, NULL, 0);
      child = -1;
    }
  }
  close(failure[0]);
  if (child < 0) errno = code;
  return child;
}

#endif
