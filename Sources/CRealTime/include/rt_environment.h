// SPDX-License-Identifier: Apache-2.0

#ifndef STARLIGHT_RT_ENVIRONMENT_H
#define STARLIGHT_RT_ENVIRONMENT_H

/// `NAME=VALUE` each, up to a null pointer. A function, because Swift takes a variable of C for one that any thread may change.
static inline char *const *rt_environment(void) {
  extern char **environ;
  return environ;
}

#endif
