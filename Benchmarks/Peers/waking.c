// SPDX-License-Identifier: Apache-2.0

// How well the machine wakes a real-time thread at all: sleeps to every millisecond at priority 88, as PipeWire's threads in
// programs do, and counts how often it was later than each of some lengths.
//
//     waking SECONDS FRAMES...
//
// FRAMES are lengths at 48 kHz. Prints one line of JSON.
#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <time.h>

int main(int count, char **words) {
  if (count < 2) return 2;
  struct sched_param priority = {.sched_priority = 88};
  int is_real_time = sched_setscheduler(0, SCHED_FIFO, &priority) == 0;
  mlockall(MCL_CURRENT | MCL_FUTURE);
  prctl(PR_SET_TIMERSLACK, 1);
  int *later = calloc(count, sizeof *later);
  if (!later) return 1;
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  long long next = time.tv_sec * 1000000000LL + time.tv_nsec, end = next + (long long)(atof(words[1]) * 1e9), longest = 0;
  while (next < end) {
    next += 1000000;
    struct timespec when = {next / 1000000000, next % 1000000000};
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &when, NULL);
    clock_gettime(CLOCK_MONOTONIC, &time);
    long long now = time.tv_sec * 1000000000LL + time.tv_nsec, late = now - next;
    if (late > longest) longest = late;
    for (int index = 2; index < count; index++) later[index] += late > atoll(words[index]) * 1000000000LL / 48000;
    // One wait that is long is counted once.
    while (next < now - 1000000) next += 1000000;
  }
  printf("{\"real_time\": %s, \"longest\": %.2f", is_real_time ? "true" : "false", longest / 1e6);
  for (int index = 2; index < count; index++) printf(", \"%s\": %d", words[index], later[index]);
  printf("}\n");
  return 0;
}
