// SPDX-License-Identifier: Apache-2.0

/// The beginning of `text` for a message: at most `bytes` bytes and "..." where more follow.
///
/// It is cut between Unicode scalars and never between what a reader sees as characters: one such "character" may be a
/// megabyte of combining marks, and finding its end takes time with the square of that.
public func excerpt(_ text: String, bytes: Int = 64) -> String {
  if text.utf8.count <= bytes { return text }
  var end = text.utf8.index(text.utf8.startIndex, offsetBy: bytes)
  // A byte within a scalar is 0b10xxxxxx.
  while end > text.utf8.startIndex, text.utf8[end] & 0xC0 == 0x80 { end = text.utf8.index(before: end) }
  return String(decoding: text.utf8[..<end], as: UTF8.self) + "..."
}
