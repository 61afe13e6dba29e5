// SPDX-License-Identifier: Apache-2.0

// For pwritev2 and its flags.
#define _GNU_SOURCE

#include <sys/uio.h>

#include "rt_io.h"

ssize_t rt_write_once(int fd, const void *bytes, size_t count) {
  struct iovec piece = {(void *)bytes, count};
  return pwritev2(fd, &piece, 1, -1, RWF_NOWAIT);
}
