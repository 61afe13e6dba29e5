// SPDX-License-Identifier: Apache-2.0

#include "CProcess.h"

#include <errno.h>
#include <sys/prctl.h>
#include <sys/resource.h>

int sync_keep_memory_private(void) {
  const struct rlimit none = {0, 0};
  if (setrlimit(RLIMIT_CORE, &none) != 0) return errno;
  return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0 ? 0 : errno;
}
