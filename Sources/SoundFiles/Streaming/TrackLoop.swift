// SPDX-License-Identifier: Apache-2.0

import Problems

/// How a track is to repeat, as asked for.
public enum TrackLoop: Hashable, Sendable {
  /// It plays once.
  case none
  /// Between the loop points the file itself carries, or else the whole of it.
  case automatic
  /// From its end back to its beginning.
  case wholeFile
  /// From `end` (nil: the file's end) back to `start`, in seconds of the file, taken to its nearest frames.
  case seconds(start: Double, end: Double?)

  /// The shortest loop a stream can repeat.
  static let shortest = 0.05

  /// The loop in the file's own frames; throws `badLoop` when it does not lie inside the file or is too short.
  func resolved(
    path: String, rate: Int, frames: Int64, fileLoop: Range<Int64>?
  ) throws(Problem) -> Range<Int64>? {
    let range: Range<Int64>
    switch self {
    case .none: return nil
    case .automatic: range = fileLoop ?? 0..<frames
    case .wholeFile: range = 0..<frames
    case .seconds(let start, let end):
      let length = inSeconds(frames, rate: rate)
      let asked = "\(path): the loop from \(start) s to \(end.map { "\($0) s" } ?? "the end")"
      let last = end.map { ($0 * Double(rate)).rounded() } ?? Double(frames)
      let first = (start * Double(rate)).rounded()
      guard first >= 0, last <= Double(frames) else {
        throw Problem(
          .badLoop, file: path,
          "\(asked) leaves the file",
          remedy: "give points between 0 and \(length)")
      }
      guard first < last else {
        throw Problem(
          .badLoop, file: path,
          "\(asked) ends before it begins",
          remedy: "give start before end")
      }
      range = Int64(first)..<Int64(last)
    }
    guard Double(range.count) >= Self.shortest * Double(rate) else {
      throw Problem(
        .badLoop, file: path,
        "\(path): a loop of \(inSeconds(Int64(range.count), rate: rate)) is too short to stream",
        remedy: "make it at least \(inSeconds(Self.shortest)), or load the file as a sound")
    }
    return range
  }
}
