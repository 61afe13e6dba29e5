// SPDX-License-Identifier: Apache-2.0

/// How much of the beginning of each track of a pack is kept in memory, so that it starts at once (`StreamedTrack`).
///
/// A head must last longer than the decode thread may take to open the file and go on: 0.3 s each, for as many as fit in `bytes`; of
/// more tracks less each, but not below 0.1 s. Twelve Vorbis files of four minutes that are all begun at one instant were all read on
/// behind their heads after 90 ms at the most, with eight programs at work on two processors.
public enum HeadLength {
  /// The longest, in seconds.
  public static let longest = 0.3
  /// The shortest, in seconds.
  public static let shortest = 0.1
  /// What the heads of a pack's tracks take together in floats, while each may be longer than the shortest: 45 of 0.3 s at 48 kHz.
  public static let bytes = 5 << 20

  /// Seconds of each of so many `files`, stems counted like tracks, at `rate`.
  public static func seconds(of files: Int, rate: Int) -> Double {
    let frames = Double(bytes / (2 * MemoryLayout<Float>.stride)) / Double(max(files, 1))
    return min(max(frames / Double(max(rate, 1)), shortest), longest)
  }
}
