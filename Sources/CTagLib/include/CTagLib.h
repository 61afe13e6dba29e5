// SPDX-License-Identifier: Apache-2.0

#ifndef STARLIGHT_CTAGLIB_H
#define STARLIGHT_CTAGLIB_H

#ifdef __cplusplus
extern "C" {
#endif

/// What kind of file is looked into.
enum tag_file_format { tag_file_flac, tag_file_vorbis, tag_file_opus };

/// The first value of each of three tags, ended by a zero and cut to fit; empty where there is none.
struct tag_file_loop {
  char start[32];
  char length[32];
  char end[32];
};

/// Reads the tags LOOPSTART, LOOPLENGTH and LOOPEND of the file open for reading at `descriptor`, and closes it.
///
/// TagLib's own C binding reads a few fixed tags only.
struct tag_file_loop tag_file_read_loop(int descriptor, enum tag_file_format format);

#ifdef __cplusplus
}
#endif

#endif
