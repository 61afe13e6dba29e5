// SPDX-License-Identifier: Apache-2.0

#ifndef STARLIGHT_RT_ANNOTATIONS_H
#define STARLIGHT_RT_ANNOTATIONS_H

/// Promise to the Swift compiler: neither locks nor allocates. Put it only on what has been seen to keep it.
#define RT_NO_LOCKS __attribute__((swift_attr("@_noLocks")))

#endif
