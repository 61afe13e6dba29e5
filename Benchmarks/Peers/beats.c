// SPDX-License-Identifier: Apache-2.0

// How late a beat is told: the daemon, with as many subscribers as there may be, of which one does not read, beside a
// program that sleeps to an instant and writes one line, at the same priority, to the same kind of socket.
//
//     beats SOCKET SUBSCRIBERS SECONDS USER OFFSET-US
//
// Both are heard by the first subscriber, which notes when a line is there. Each beat that the daemon tells ahead is an
// instant of the bare program's as well, OFFSET-US later, so that neither is kept from a processor by the other. A user has
// fewer places than there are: as root, the others are taken as root, and 48 as USER. Prints the lateness of each beat in
// microseconds, the daemon's on one line and the bare program's on the next.
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
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

enum { line_limit = 1 << 16, places_of_a_user = 48, most = 1 << 16 };
static const char subscribe[] = "{\"id\":1,\"method\":\"events.subscribe\",\"params\":{\"topics\":[\"beats\"]}}\n";

static long long now_ns(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static void fail(const char *what) {
  perror(what);
  exit(1);
}

// The daemon's priority for beats, where it is permitted; whether it is.
static int real_time(void) {
  struct sched_param parameters = {.sched_priority = 60};
  prctl(PR_SET_TIMERSLACK, 1);
  return sched_setscheduler(0, SCHED_FIFO, &parameters) == 0;
}

static int subscribed(const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  strncpy(address.sun_path, path, sizeof address.sun_path - 1);
  int descriptor = socket(AF_UNIX, SOCK_STREAM, 0);
  if (connect(descriptor, (struct sockaddr *)&address, sizeof address)) fail(path);
  if (send(descriptor, subscribe, sizeof subscribe - 1, MSG_NOSIGNAL) < 0) fail("send");
  char byte;
  // The reply is the first line.
  do {
    if (recv(descriptor, &byte, 1, 0) != 1) fail("the daemon refuses a subscriber");
  } while (byte != '\n');
  return descriptor;
}

// Subscribers that read whatever comes, but for the first of `deaf`.
static void subscribe_and_read(const char *path, int count, int deaf, int ready) {
  static char buffer[line_limit];
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  int loop = epoll_create1(0);
  for (int index = 0; index < count; index++) {
    struct epoll_event event = {.events = EPOLLIN, .data.fd = subscribed(path)};
    if (index >= deaf) epoll_ctl(loop, EPOLL_CTL_ADD, event.data.fd, &event);
  }
  if (write(ready, "", 1) != 1) fail("pipe");
  struct epoll_event events[64];
  for (int got; (got = epoll_wait(loop, events, 64, -1)) >= 0;)
    for (int index = 0; index < got; index++)
      if (recv(events[index].data.fd, buffer, sizeof buffer, 0) <= 0) _exit(1);
}

// Sleeps to each instant that comes, in nanoseconds, and writes it, as long as a line of the daemon's.
static void bare(int instants, int socket) {
  char line[192] = {0};
  long long instant;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  while (read(instants, &instant, sizeof instant) == sizeof instant) {
    memcpy(line, &instant, sizeof instant);
    struct timespec when = {instant / 1000000000, instant % 1000000000};
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &when, NULL);
    if (send(socket, line, sizeof line, MSG_NOSIGNAL) != sizeof line) break;
  }
  _exit(0);
}

static pid_t child_of(int user) {
  pid_t child = fork();
  if (child == 0 && user >= 0 && geteuid() == 0 && (setgid(user) || setuid(user))) fail("setuid");
  return child;
}

int main(int count, char **words) {
  if (count != 6) return 2;
  int subscribers = atoi(words[2]), user = atoi(words[4]);
  long long length = atoll(words[3]) * 1000000000LL, offset = atoll(words[5]) * 1000;
  int first = subscribed(words[1]), ends[2], instants[2], ready[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) || pipe(instants) || pipe(ready)) fail("socketpair");
  // The first and the rest are root's, the others the user's.
  int own = subscribers - 1 > places_of_a_user ? places_of_a_user : subscribers - 1;
  pid_t readers[2] = {child_of(user), 0};
  if (readers[0] == 0) subscribe_and_read(words[1], own, 1, ready[1]);
  char byte;
  if (read(ready[0], &byte, 1) != 1) return 1;
  if (subscribers - 1 > own) {
    readers[1] = child_of(-1);
    if (readers[1] == 0) subscribe_and_read(words[1], subscribers - 1 - own, 0, ready[1]);
    if (read(ready[0], &byte, 1) != 1) return 1;
  }
  pid_t sleeper = fork();
  if (sleeper == 0) {
    fprintf(stderr, "the bare program is %s\n", real_time() ? "in real time" : "without real-time priority");
    close(ends[0]);
    bare(instants[0], ends[1]);
  }
  // So that what is measured is when a line is there, and not how busy the machine is with others.
  real_time();
  static double late[2][most];
  int counts[2] = {0, 0};
  static char buffer[line_limit];
  size_t kept = 0;
  // What was told while the others subscribed was read late by this program alone.
  long long begin = now_ns(), end = begin + length;
  while (now_ns() < end) {
    struct pollfd ready[2] = {{first, POLLIN, 0}, {ends[0], POLLIN, 0}};
    if (poll(ready, 2, 1000) <= 0) continue;
    long long now = now_ns();
    if (ready[1].revents & POLLIN) {
      char line[192];
      if (recv(ends[0], line, sizeof line, MSG_WAITALL) != sizeof line) fail("the bare program");
      long long instant;
      memcpy(&instant, line, sizeof instant);
      if (counts[1] < most) late[1][counts[1]++] = (now - instant) / 1e3;
    }
    if (!(ready[0].revents & POLLIN)) continue;
    ssize_t got = recv(first, buffer + kept, sizeof buffer - 1 - kept, 0);
    if (got <= 0) fail("the daemon closed the first subscriber");
    kept += got;
    buffer[kept] = 0;
    char *line = buffer;
    for (char *feed; (feed = strchr(line, '\n')); line = feed + 1) {
      *feed = 0;
      char *ahead = strstr(line, "\"music.beatAhead\"") ? strstr(line, "\"beatUs\":") : NULL;
      char *told = strstr(line, "\"music.beat\"") ? strstr(line, "\"tUs\":") : NULL;
      if (ahead) {
        long long instant = atoll(ahead + 9) * 1000 + offset;
        if (instant - offset >= begin && write(instants[1], &instant, sizeof instant) < 0) fail("pipe");
      }
      if (told && atoll(told + 6) * 1000 >= begin && counts[0] < most) late[0][counts[0]++] = now / 1e3 - atoll(told + 6);
    }
    kept = strlen(line);
    memmove(buffer, line, kept);
  }
  pid_t children[] = {sleeper, readers[0], readers[1]};
  for (int index = 0; index < 3; index++)
    if (children[index] > 0) {
      kill(children[index], SIGKILL);
      waitpid(children[index], NULL, 0);
    }
  if (!counts[0] || !counts[1]) return fprintf(stderr, "no beats were told\n"), 1;
  for (int kind = 0; kind < 2; kind++) {
    for (int index = 0; index < counts[kind]; index++) printf("%.1f ", late[kind][index]);
    printf("\n");
  }
  return 0;
}
