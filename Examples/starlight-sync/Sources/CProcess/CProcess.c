// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "CProcess.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
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

// What the program that is begun may have of this one's environment. All else stays here, for some of it has libraries print
// what they send, keep the keys it is sent with, or send it by way of somebody else: `URLSessionDebugLibcurl`, `SSLKEYLOGFILE`,
// `all_proxy`.
static const char *const handed_on[] = {
    "HOME", "XDG_CONFIG_HOME", "CREDENTIALS_DIRECTORY", // Where the address is kept.
    "https_proxy", "HTTPS_PROXY", "no_proxy", "NO_PROXY", // The way out, where there is but one. It sees the host, not the address.
    "LD_LIBRARY_PATH", // Where Swift's libraries lie, if not beside the program.
};

static bool is_handed_on(const char *variable) {
  for (size_t index = 0; index < sizeof handed_on / sizeof *handed_on; index++) {
    const size_t length = strlen(handed_on[index]);
    if (strncmp(variable, handed_on[index], length) == 0 && variable[length] == '=') return true;
  }
  return false;
}

static int begin(const char *program, const char *argument, int input, const char *variable, pid_t *process) {
  size_t count = 0;
  while (environ[count]) count++;
  // Of two that are alike the first counts. What Swift's runtime prints of a crash holds some memory.
  char **environment = calloc(count + 3, sizeof *environment);
  if (!environment) return ENOMEM;
  size_t place = 0;
  environment[place++] = "SWIFT_BACKTRACE=enable=no";
  if (variable) environment[place++] = (char *)variable;
  for (size_t index = 0; index < count; index++) {
    if (is_handed_on(environ[index])) environment[place++] = environ[index];
  }
  char *arguments[] = {(char *)program, (char *)argument, NULL};
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

int sync_begin_program(const char *program, const char *argument, const void *text, size_t length, const char *variable,
                       pid_t *process) {
  int ends[2];
  if (length > PIPE_BUF) return EMSGSIZE;
  if (pipe2(ends, O_CLOEXEC) != 0) return errno;
  const int error =
      write(ends[1], text, length) == (ssize_t)length ? begin(program, argument, ends[0], variable, process) : EIO;
  close(ends[0]);
  close(ends[1]);
  return error;
}
