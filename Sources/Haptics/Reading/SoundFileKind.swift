// SPDX-License-Identifier: Apache-2.0

/// What kind of sound file begins with these bytes, for people; nil where they are none that is known. No text that is
/// JSON begins like one.
public func soundFileKind(_ bytes: some Collection<UInt8>) -> String? {
  let head = Array(bytes.prefix(12))
  if let mark = soundFileMarks.first(where: {
    head.starts(with: $0.start.utf8) && head.dropFirst(8).starts(with: $0.form.utf8)
  }) {
    return mark.kind
  }
  // A frame of MPEG audio: eleven bits of sync, then neither a reserved version nor a reserved layer. UTF-16's marks have
  // such a layer or version.
  guard head.count >= 2, head[0] == 0xFF, head[1] & 0xE0 == 0xE0, head[1] & 0x18 != 0x08, head[1] & 0x06 == 0x02 else {
    return nil
  }
  return "MP3"
}

/// What sound files begin with, and what stands at their ninth byte.
private let soundFileMarks = [
  (start: "RIFF", form: "WAVE", kind: "WAV"), (start: "RF64", form: "WAVE", kind: "WAV"),
  (start: "FORM", form: "AIFF", kind: "AIFF"), (start: "FORM", form: "AIFC", kind: "AIFF"),
  (start: "OggS", form: "", kind: "Ogg"), (start: "fLaC", form: "", kind: "FLAC"),
  (start: "ID3", form: "", kind: "MP3"),
]
