// SPDX-License-Identifier: Apache-2.0

#pragma once

/// From here on no core of this process is written, and no other process of the user may read its memory: 0, or an errno.
int sync_keep_memory_private(void);
