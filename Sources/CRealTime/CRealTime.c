// SPDX-License-Identifier: Apache-2.0

// The headers hold what the audio thread calls; here is what needs a place of its own.
#include "CRealTime.h"

#include <stdarg.h>
#include <stdio.h>

static _Thread_local char last_message[256];
static _Thread_local int has_message;

static void capture(const char *file, int line, const char *function, int error, const char *format, ...) {
  (void)file;
  (void)line;
  (void)function;
  (void)error;
  // The first complaint names the cause, those after it only how it spread.
  if (has_message) return;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(last_message, sizeof last_message, format, arguments);
  va_end(arguments);
  has_message = 1;
}

void rt_alsa_capture_messages(void) { snd_lib_error_set_handler(capture); }

const char *rt_alsa_last_message(void) {
  if (!has_message) return "";
  has_message = 0;
  return last_message;
}
