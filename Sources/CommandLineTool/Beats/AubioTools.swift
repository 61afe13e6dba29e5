// SPDX-License-Identifier: Apache-2.0

/// What aubio's programs hear in a track: onsets, and beats.
enum AubioTools {
  /// Microseconds of what begins in the track, ascending. Of struck sounds within some 3 ms, as measured with version 0.4.9.
  static func onsets(of sound: AnalysedSound, interrupt: Int32) throws(ToolFailure) -> [Int64] {
    try run(["aubioonset", "-i", sound.path, "-r", "\(sound.rate)", "-B", "512", "-H", "128"], interrupt)
  }

  /// Microseconds of the beats of a track, ascending, as far as a tempo is heard in it; to some 10 ms.
  static func beats(of sound: AnalysedSound, interrupt: Int32) throws(ToolFailure) -> [Int64] {
    try run(["aubiotrack", "-i", sound.path, "-r", "\(sound.rate)"], interrupt)
  }

  private static func run(_ words: [String], _ interrupt: Int32) throws(ToolFailure) -> [Int64] {
    let result: ChildResult
    do throws(ChildFailure) {
      result = try runChild(words, seconds: 3_600, atMost: 16 << 20, interrupt: interrupt)
    } catch {
      throw error.failure(of: words[0], package: "aubio-tools")
    }
    guard result.code == 0 else {
      let said = result.complaints.split(separator: "\n").first.map { ": " + $0 } ?? ""
      throw ToolFailure("\(words[0]) ended with \(result.code)\(said)", hint: "see that it runs by itself")
    }
    return times(String(decoding: result.output, as: UTF8.self))
  }

  /// A time in seconds on each line.
  static func times(_ text: String) -> [Int64] {
    text.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
      .filter { (0...86_400).contains($0) }.map { Int64(($0 * 1e6).rounded()) }.sorted()
  }
}
