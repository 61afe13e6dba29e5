// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <sys/types.h>

/// From here on no core of this process is written, and no other process of the user may read its memory: 0, or an errno.
int sync_keep_memory_private(void);

/// Begins a program with one argument that is given `text` on its standard input, PIPE_BUF bytes at most. Its environment is
/// `variable` ("NAME=value", or none) and the little of this process's that sending needs: 0, or an errno. Returns when the
/// program has been read and begins.
int sync_begin_program(const char *program, const char *argument, const void *text, size_t length, const char *variable,
                       pid_t *process);
