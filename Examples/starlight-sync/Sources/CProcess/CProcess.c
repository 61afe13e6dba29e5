// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "CProcess.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

int sync_keep_memory_private(void) {
  const struct rlimit none = {0, 0};
  if (setrlimit(RLIMIT_CORE, &none) != 0) return errno;
  return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0 ? 0 : errno;
}

static int begin(const char *program, int input, const char *variable, pid_t *process) {
  size_t count = 0;
  while (environ[count]) count++;
  // Of two that are alike the first counts. What Swift's runtime prints of a crash holds some memory.
  char **environment = calloc(count + 3, sizeof *environment);
  if (!environment) return ENOMEM;
  size_t place = 0;
  environment[place++] = "SWIFT_BACKTRACE=enable=no";
  if (variable) environment[place++] = (char *)variable;
  memcpy(environment + place, environ, count * sizeof *environment);
  char *arguments[] = {(char *)program, NULL};
  // The thread that begins it may keep signals from itself: the program is to be ended by them.
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_t attributes;
  int error = posix_spawnattr_init(&attributes);
  if (error == 0) {
    posix_spawn_file_actions_t actions;
    error = posix_spawn_file_actions_init(&actions);
    if (error == 0) {
      error = posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
      if (error == 0) error = posix_spawnattr_setsigmask(&attributes, &none);
      if (error == 0) error = posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
      if (error == 0) error = posix_spawn(process, program, &actions, &attributes, arguments, environment);
      posix_spawn_file_actions_destroy(&actions);
    }
    posix_spawnattr_destroy(&attributes);
  }
  free(environment);
  return error;
}

int sync_begin_program(
    const char *program, const void *text, size_t length, const char *variable, pid_t *process) {
  int ends[2];
  if (length > PIPE_BUF) return EMSGSIZE;
  if (pipe2(ends, O_CLOEXEC) != 0) return errno;
  const int error =
      write(ends[1], text, length) == (ssize_t)length ? begin(program, ends[0], variable, process) : EIO;
  close(ends[0]);
  close(ends[1]);
  return error;
}
