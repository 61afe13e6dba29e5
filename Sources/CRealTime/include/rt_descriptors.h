// SPDX-License-Identifier: Apache-2.0

#ifndef STARLIGHT_RT_DESCRIPTORS_H
#define STARLIGHT_RT_DESCRIPTORS_H

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

/// Opens what of the descriptors 0 to 2 is closed, to nothing: else the next file opened would be taken for standard
/// input, output or error. Call it before anything else in the process.
static inline void rt_open_standard_descriptors(void) {
  for (int fd = 0; fd <= 2; fd++) {
    if (fcntl(fd, F_GETFD) != -1 || errno != EBADF) continue;
    // The lowest that is free, which is this one.
    if (open("/dev/null", O_RDWR) != fd) _exit(71);
  }
}

#endif
