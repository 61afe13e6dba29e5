// SPDX-License-Identifier: Apache-2.0

// The least that a pad can be late: a program that does nothing but wake at an instant, give the pad an effect and play it, in
// real time like the daemon's thread for a pad. floor NODE FIRST-NS EVERY-NS COUNT, instants of CLOCK_MONOTONIC.
#include <errno.h>
#include <fcntl.h>
#include <linux/input.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

static void sleep_until(long long ns) {
  struct timespec time = {.tv_sec = ns / 1000000000, .tv_nsec = ns % 1000000000};
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL) == EINTR) {
  }
}

static int upload(int pad, struct ff_effect *effect, unsigned short strength) {
  effect->u.rumble.strong_magnitude = strength;
  return ioctl(pad, EVIOCSFF, effect);
}

static int play(int pad, int effect, int value) {
  struct input_event event = {.type = EV_FF, .code = (unsigned short)effect, .value = value};
  return write(pad, &event, sizeof event) == sizeof event ? 0 : -1;
}

int main(int count, char **words) {
  if (count != 5) return 64;
  struct sched_param priority = {.sched_priority = 50};
  int pad = open(words[1], O_RDWR | O_NONBLOCK);
  long long first = atoll(words[2]), every = atoll(words[3]);
  struct ff_effect effect = {.type = FF_RUMBLE, .id = -1, .replay = {.length = 1000}};
  if (pad < 0 || mlockall(MCL_CURRENT) || sched_setscheduler(0, SCHED_FIFO, &priority) || upload(pad, &effect, 1) < 0) {
    perror(words[1]);
    return 1;
  }
  for (int index = 0; index < atoi(words[4]); index++) {
    long long due = first + index * every;
    sleep_until(due);
    if (upload(pad, &effect, (unsigned short)(0x8000 + index)) < 0 || play(pad, effect.id, 1)) return 1;
    sleep_until(due + 20000000);
    if (play(pad, effect.id, 0)) return 1;
  }
  return 0;
}
