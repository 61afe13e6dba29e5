// SPDX-License-Identifier: Apache-2.0

/// C functions the audio thread may call: wrapped and annotated, so that Swift's `@_noLocks` check accepts them.
#ifndef STARLIGHT_CREALTIME_H
#define STARLIGHT_CREALTIME_H

#include "rt_alsa.h"
#include "rt_clock.h"
#include "rt_denormals.h"
#include "rt_descriptors.h"
#include "rt_environment.h"
#include "rt_evdev.h"
#include "rt_event_loop.h"
#include "rt_io.h"
#include "rt_limits.h"
#include "rt_low_pass.h"
#include "rt_math.h"
#include "rt_memory.h"
#include "rt_mix.h"
#include "rt_nap.h"
#include "rt_spawn.h"
#include "rt_thread.h"
#include "rt_uinput.h"
#include "rt_waiter.h"
#include "rt_watch.h"

#endif
