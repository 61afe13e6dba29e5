// SPDX-License-Identifier: Apache-2.0

/// Counts what one thread asks of the allocator and of mutexes, for tests of code that must do neither.
#ifndef STARLIGHT_CALLOCATIONCOUNTER_H
#define STARLIGHT_CALLOCATIONCOUNTER_H

#include <stdbool.h>

/// Calls made by the counting thread.
typedef struct {
  long allocations;
  long releases;
  long locks;
} call_counts;

/// Whether calls can be counted: not under a sanitizer, which needs the allocator for itself.
bool call_counter_works(void);

/// Starts counting on this thread.
void call_counter_begin(void);

/// Stops counting on this thread and returns what was counted.
call_counts call_counter_end(void);

#endif
