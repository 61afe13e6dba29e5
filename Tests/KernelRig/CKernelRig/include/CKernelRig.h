// SPDX-License-Identifier: Apache-2.0

#ifndef STARLIGHT_CKERNELRIG_H
#define STARLIGHT_CKERNELRIG_H

// System calls that Swift cannot import.

#include <sys/syscall.h>
#include <unistd.h>

/// Keeps a thread (0: this one) on one processor.
static inline long pin_thread(int thread, int processor) {
  unsigned long processors = 1ul << processor;
  return syscall(SYS_sched_setaffinity, thread, sizeof processors, &processors);
}

/// Goes on in a second process too, which keeps no file open but 0, 1 and 2: answers 0 there, and here its number.
static inline int fork_process(void) {
  int pid = fork();
  if (pid == 0) syscall(SYS_close_range, 3u, ~0u, 0u);
  return pid;
}

/// Makes the module in a file part of the kernel.
static inline long load_module(int fd, const char *parameters) { return syscall(SYS_finit_module, fd, parameters, 0); }

#endif
