// SPDX-License-Identifier: Apache-2.0

/// A file that is left behind at the end of the program, as whoever writes it hangs: its disk is gone, or the reader of a pipe.
public enum UnansweredFile {
  /// How long all files together are waited for at the end, in milliseconds: as long as a sound device, and as the reader of a pipe.
  /// One on a disk that is well takes some milliseconds, one whose disk is busy up to a second.
  public static let patience: Int64 = 2_000
  /// How long each of them is waited for, however late it is its turn, in milliseconds.
  public static let leastPatience: Int64 = 250

  /// Ends a sentence that begins with the file's name.
  public static let reason = "writing to it hangs, so the last of it is missing"
  /// What to do about it.
  public static let remedy = "see to its disk, or choose a path on another"
}
