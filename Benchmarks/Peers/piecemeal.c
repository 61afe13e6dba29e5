// SPDX-License-Identifier: Apache-2.0

// Processes that send lines a byte at a time, each as many as its socket takes: each byte is a buffer of its own in the kernel.
//
//     piecemeal SOCKET PROCESSES LINE
//
// LINE is sent over and over, its line feed included where there is one. Ends, with 1, as soon as one that has one is answered with an
// error, or its socket is closed.
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

// Bytes between two looks at what is answered.
enum { at_once = 64 };

static void fail(const char *what) {
  perror(what);
  _exit(1);
}

static void take(int socket, int is_whole) {
  static char replies[1 << 18];
  ssize_t count;
  while ((count = recv(socket, replies, sizeof replies, MSG_DONTWAIT)) > 0) {
    if (is_whole && memmem(replies, count, "\"error\"", 7)) {
      fprintf(stderr, "an answer that is not meant: %.*s\n", count < 200 ? (int)count : 200, replies);
      _exit(1);
    }
  }
  if (count == 0 || errno != EAGAIN) fail("recv");
}

static void send_without_end(const char *path, const char *line) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  strncpy(address.sun_path, path, sizeof address.sun_path - 1);
  int descriptor = socket(AF_UNIX, SOCK_STREAM, 0);
  if (connect(descriptor, (struct sockaddr *)&address, sizeof address)) fail(path);
  for (size_t length = strlen(line), next = 0;;) {
    for (int byte = 0; byte < at_once; byte++, next = (next + 1) % length) {
      if (send(descriptor, line + next, 1, MSG_NOSIGNAL | MSG_DONTWAIT) == 1) continue;
      if (errno != EAGAIN) fail("send");
      usleep(50);
      break;
    }
    take(descriptor, line[length - 1] == '\n');
  }
}

int main(int count, char **words) {
  if (count != 4) return 2;
  for (int process = atoi(words[2]); process > 0; process--) {
    pid_t parent = getpid();
    if (fork() == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      if (getppid() != parent) return 1;
      send_without_end(words[1], words[3]);
    }
  }
  wait(NULL);
  return 1;
}
