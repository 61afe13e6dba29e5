// SPDX-License-Identifier: Apache-2.0

#include "CTagLib.h"

#include <string.h>

#include <flacfile.h>
#include <id3v2framefactory.h>
#include <opusfile.h>
#include <tfilestream.h>
#include <vorbisfile.h>
#include <xiphcomment.h>

namespace {

template <int size>
void copy(const TagLib::Ogg::XiphComment *comment, const char *name, char (&value)[size]) {
  const auto &fields = comment->fieldListMap();
  auto found = fields.find(name);
  if (found == fields.end() || found->second.isEmpty()) return;
  strncpy(value, found->second.front().to8Bit(true).c_str(), size - 1);
}

void copy(const TagLib::Ogg::XiphComment *comment, tag_file_loop *loop) {
  if (!comment) return;
  copy(comment, "LOOPSTART", loop->start);
  copy(comment, "LOOPLENGTH", loop->length);
  copy(comment, "LOOPEND", loop->end);
}

}  // namespace

tag_file_loop tag_file_read_loop(int descriptor, tag_file_format format) {
  tag_file_loop loop;
  memset(&loop, 0, sizeof loop);
  try {
    // Closes the descriptor.
    TagLib::FileStream stream(descriptor, true);
    switch (format) {
      case tag_file_flac: {
        TagLib::FLAC::File file(&stream, TagLib::ID3v2::FrameFactory::instance(), false);
        if (file.isValid() && file.hasXiphComment()) copy(file.xiphComment(), &loop);
        break;
      }
      case tag_file_vorbis: {
        TagLib::Ogg::Vorbis::File file(&stream, false);
        if (file.isValid()) copy(file.tag(), &loop);
        break;
      }
      case tag_file_opus: {
        TagLib::Ogg::Opus::File file(&stream, false);
        if (file.isValid()) copy(file.tag(), &loop);
        break;
      }
    }
  } catch (...) {
    // Out of memory: a file without tags that count.
  }
  return loop;
}
