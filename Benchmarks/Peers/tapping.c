// SPDX-License-Identifier: Apache-2.0

// The way of a tap: how long a line takes to the daemon and its verdict back, beside the same line to a server that does
// nothing but send back what it is sent, in the same run and in turn.
//
//     tapping SOCKET METHOD-LINE FIRST-LINES ROUNDS
//
// The echo is a process of its own with an epoll loop, as bare as can be. FIRST-LINES are sent once, to the daemon, before all
// else. Prints microseconds: medians and, of a thousand and more, the 99th percentiles, in a tight loop and at ten a second,
// and the ratios.
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

// So many in a tight loop, once in so many rounds; a 99th percentile takes so many, that ten lie beyond it.
enum { line_limit = 65536, tight = 50, between = 10, least_for_p99 = 1000 };

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

// Sends a line, which has an id, and waits for its answer; microseconds. What was told before stays in `answer` with it.
static char answer[line_limit];
static double asked(int socket, const char *line) {
  size_t length = strlen(line), count = 0;
  double start = now_us();
  if (send(socket, line, length, MSG_NOSIGNAL) != (ssize_t)length) fail("send");
  do {
    ssize_t got = recv(socket, answer + count, sizeof answer - 1 - count, 0);
    if (got <= 0) fail("recv");
    count += got;
    answer[count] = 0;
    // What is told of itself has no id.
  } while (answer[count - 1] != '\n' || !strstr(answer, "\"id\":"));
  return now_us() - start;
}

static int ascending(const void *a, const void *b) {
  return (*(const double *)a > *(const double *)b) - (*(const double *)a < *(const double *)b);
}

struct times {
  double *values;
  int count;
};

// The smallest that so many of a hundred do not exceed.
static double percentile(struct times *times, int percent) {
  qsort(times->values, times->count, sizeof *times->values, ascending);
  return times->values[(times->count * percent + 99) / 100 - 1];
}

static void add(struct times *times, double value) { times->values[times->count++] = value; }

// `wanted` are the most that the medians and the 99th percentiles may be apart; 0 where nothing is wanted. Whether that is met.
static int tell(const char *how, struct times *daemon, struct times *echo, const int wanted[2]) {
  static const struct {
    const char *name;
    int percent;
  } rows[] = {{"p50", 50}, {"p99", 99}};
  int is_met = 1;
  for (int index = 0; index < 2; index++) {
    if (rows[index].percent == 99 && daemon->count < least_for_p99) continue;
    double ours = percentile(daemon, rows[index].percent), bare = percentile(echo, rows[index].percent);
    printf("| %s, %s | %.1f | %.1f | %.2f |", how, rows[index].name, ours, bare, ours / bare);
    if (wanted[index] == 0) {
      printf(" | |\n");
      continue;
    }
    int is_within = ours <= bare * wanted[index];
    printf(" at most %d | %s |\n", wanted[index], is_within ? "met" : "missed");
    is_met &= is_within;
  }
  return is_met;
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
  static char line[line_limit];
  int daemon = connected(words[1]);
  for (char *first = strtok(words[3], "\n"); first; first = strtok(NULL, "\n")) {
    snprintf(line, sizeof line, "%s\n", first);
    asked(daemon, line);
    if (strstr(answer, "\"error\"")) return fprintf(stderr, "%s", answer), 1;
  }
  snprintf(line, sizeof line, "%s\n", words[2]);
  asked(daemon, line);
  if (strstr(answer, "\"error\"")) return fprintf(stderr, "%s", answer), 1;
  struct times times[4] = {0};
  for (int kind = 0; kind < 4; kind++) times[kind].values = calloc(rounds * tight, sizeof(double));
  // Each is asked ten times a second: everything that is not this line has had the processor since the last one. Not quite
  // evenly, or each tap comes at the same distance from what a daemon does of its own accord ten times a second.
  struct timespec pause = {0};
  for (int round = 0; round < rounds; round++) {
    pause.tv_nsec = 40000000 + round * 7919 % 20000 * 1000L;
    nanosleep(&pause, NULL);
    add(&times[2], asked(daemon, line));
    nanosleep(&pause, NULL);
    add(&times[3], asked(ends[0], line));
    if (round % between) continue;
    // The first comes to a process that slept: that is what ten a second measure.
    asked(daemon, line);
    for (int index = 0; index < tight; index++) add(&times[0], asked(daemon, line));
    asked(ends[0], line);
    for (int index = 0; index < tight; index++) add(&times[1], asked(ends[0], line));
  }
  printf("%d taps in a tight loop, %d at ten a second\n\n", times[0].count, times[2].count);
  printf("| tap to verdict | daemon, us | echo, us | ratio | wanted | |\n| --- | ---: | ---: | ---: | --- | --- |\n");
  int is_met = tell("in a tight loop", &times[0], &times[1], (int[]){3, 4});
  is_met &= tell("ten a second", &times[2], &times[3], (int[]){3, 0});
  kill(child, SIGKILL);
  waitpid(child, NULL, 0);
  return is_met ? 0 : 1;
}
