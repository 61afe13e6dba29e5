// SPDX-License-Identifier: Apache-2.0

import Problems

/// What a sound file looks like, and how loud it is, decoded once from its beginning to its end.
public struct SoundShape: Sendable {
  /// The highest sample of each of equal parts of the file, 0 to 1 and beyond where it is.
  public let peaks: [Float]
  /// How loud the whole is, pauses left out, in LUFS (ITU-R BS.1770); nil for silence.
  public let loudness: Double?
  /// How loud its loudest 400 ms are, likewise.
  public let momentary: Double?

  /// The highest sample of all.
  public var peak: Float { peaks.max() ?? 0 }

  /// What takes longer than that to play is not looked at: it would take long to decode.
  public static let longestSeconds = 7_200

  /// Looks at the file at `path`, which lies in `folder`; nil where it is too long. Throws what `Decoder` does.
  public init?(path: String, inside folder: String, columns: Int) throws(Problem) {
    var decoder = try Decoder.open(path: path, inside: folder)
    guard decoder.frames <= Int64(Self.longestSeconds) * Int64(decoder.rate), columns > 0 else { return nil }
    let frames = decoder.frames
    var peaks = [Float](repeating: 0, count: columns)
    var loudness = Loudness(rate: decoder.rate)
    var piece = [Float](repeating: 0, count: 2 * Self.pieceFrames)
    var place: Int64 = 0
    while true {
      let got = try piece.withUnsafeMutableBufferPointer { (buffer) throws(Problem) in
        guard let base = buffer.baseAddress else { return 0 }
        return try decoder.read(into: base, frames: Self.pieceFrames)
      }
      if got == 0 { break }
      for frame in 0..<got {
        let (left, right) = (piece[2 * frame], piece[2 * frame + 1])
        let column = min(columns - 1, Int((place + Int64(frame)) * Int64(columns) / frames))
        peaks[column] = max(peaks[column], abs(left), abs(right))
        loudness.add(left, right)
      }
      place += Int64(got)
    }
    self.peaks = peaks
    self.loudness = loudness.integrated
    momentary = loudness.momentary
  }

  private static let pieceFrames = 4_096
}
