// SPDX-License-Identifier: Apache-2.0

// The way of a tap: how long a line takes to the daemon and its verdict back, beside the same line to a server that does
// nothing but send back what it is sent, in the same run and in turn.
//
//     tapping SOCKET METHOD-LINE FIRST-LINE ROUNDS
//
// The echo is a process of its own with an epoll loop, as bare as can be. FIRST-LINE is sent once, to the daemon, before all
// else. Prints microseconds: the medians in a tight loop and at ten a second, and the ratios.
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { line_limit = 65536, tight = 50 };

static double now_us(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1e6 + time.tv_nsec / 1e3;
}

static void fail(const char *what) {
  perror(what);
  exit(1);
}

static void echo(int socket) {
  static char buffer[line_limit];
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  int loop = epoll_create1(0);
  struct epoll_event event = {.events = EPOLLIN};
  epoll_ctl(loop, EPOLL_CTL_ADD, socket, &event);
  while (epoll_wait(loop, &event, 1, -1) >= 0) {
    ssize_t count = recv(socket, buffer, sizeof buffer, 0);
    if (count <= 0 || send(socket, buffer, count, MSG_NOSIGNAL) != count) break;
  }
  _exit(0);
}

static int connected(const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  strncpy(address.sun_path, path, sizeof address.sun_path - 1);
  int descriptor = socket(AF_UNIX, SOCK_STREAM, 0);
  if (connect(descriptor, (struct sockaddr *)&address, sizeof address)) fail(path);
  return descriptor;
}

// Sends a line and waits for the answer's line feed; microseconds. The last answer stays in `answer`.
static char answer[line_limit];
static double asked(int socket, const char *line) {
  size_t length = strlen(line), count = 0;
  double start = now_us();
  if (send(socket, line, length, MSG_NOSIGNAL) != (ssize_t)length) fail("send");
  do {
    ssize_t got = recv(socket, answer + count, sizeof answer - 1 - count, 0);
    if (got <= 0) fail("recv");
    count += got;
  } while (answer[count - 1] != '\n');
  double taken = now_us() - start;
  answer[count] = 0;
  return taken;
}

static int ascending(const void *a, const void *b) {
  return (*(const double *)a > *(const double *)b) - (*(const double *)a < *(const double *)b);
}

static double median(double *values, int count) {
  qsort(values, count, sizeof *values, ascending);
  return values[count / 2];
}

int main(int count, char **words) {
  if (count != 5) return 2;
  int ends[2], rounds = atoi(words[4]);
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends)) fail("socketpair");
  pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    echo(ends[1]);
  }
  close(ends[1]);
  static char line[line_limit], first[line_limit];
  snprintf(line, sizeof line, "%s\n", words[2]);
  snprintf(first, sizeof first, "%s\n", words[3]);
  int daemon = connected(words[1]);
  asked(daemon, first);
  if (strstr(answer, "\"error\"")) return fprintf(stderr, "%s", answer), 1;
  asked(daemon, line);
  if (strstr(answer, "\"error\"")) return fprintf(stderr, "%s", answer), 1;
  double *values[4];
  for (int kind = 0; kind < 4; kind++) values[kind] = calloc(rounds * tight, sizeof(double));
  struct timespec pause = {.tv_nsec = 100000000};
  for (int round = 0; round < rounds; round++) {
    // At ten a second everything that is not this line has had the processor since the last one.
    nanosleep(&pause, NULL);
    values[2][round] = asked(daemon, line);
    nanosleep(&pause, NULL);
    values[3][round] = asked(ends[0], line);
    for (int index = 0; index < tight; index++) values[0][round * tight + index] = asked(daemon, line);
    for (int index = 0; index < tight; index++) values[1][round * tight + index] = asked(ends[0], line);
  }
  double loop = median(values[0], rounds * tight), bare = median(values[1], rounds * tight);
  double seldom = median(values[2], rounds), bare_seldom = median(values[3], rounds);
  printf("| | daemon, us | echo, us | ratio |\n| --- | ---: | ---: | ---: |\n");
  printf("| in a tight loop | %.1f | %.1f | %.2f |\n", loop, bare, loop / bare);
  printf("| ten a second | %.1f | %.1f | %.2f |\n", seldom, bare_seldom, seldom / bare_seldom);
  kill(child, SIGKILL);
  waitpid(child, NULL, 0);
  return 0;
}
