// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc
import Moments

/// Sounds for tests of importing, encoded and decoded by ffmpeg, where it is.
enum ImportedSound {
  static let hasFFmpeg = access("/usr/bin/ffmpeg", X_OK) == 0

  /// Runs ffmpeg in a folder, to its end.
  static func ffmpeg(_ words: [String], in folder: String) throws {
    let pid = try spawn(
      [
        "/bin/sh", "-c", #"cd "$1" && shift && exec "$@""#, "sh", folder, "/usr/bin/ffmpeg", "-nostdin", "-v", "error",
        "-y",
      ]
        + words, environment: [], errorsTo: folder + "/ffmpeg.log")
    var status: Int32 = 0
    while waitpid(pid, &status, 0) < 0, errno == EINTR {}
    if status != 0 {
      throw ProcessFailure(
        "ffmpeg \(words): " + ((try? String(contentsOfFile: folder + "/ffmpeg.log", encoding: .utf8)) ?? ""))
    }
    unlink(folder + "/ffmpeg.log")
  }

  /// Writes mono samples as ffmpeg encodes them with these words, by the name of `file`.
  static func write(_ samples: [Int16], rate: Int, _ file: String, as words: [String] = [], in folder: String) throws {
    try samples.withUnsafeBytes { try Data($0).write(to: URL(filePath: folder + "/raw")) }
    try ffmpeg(["-f", "s16le", "-ar", "\(rate)", "-ac", "1", "-i", "raw"] + words + [file], in: folder)
    unlink(folder + "/raw")
  }

  /// The first channel of a file, at 16 bits.
  static func read(_ file: String, in folder: String) throws -> [Int16] {
    try ffmpeg(["-i", file, "-f", "s16le", "-af", "pan=mono|c0=c0", "-c:a", "pcm_s16le", "raw"], in: folder)
    defer { unlink(folder + "/raw") }
    return try Data(contentsOf: URL(filePath: folder + "/raw")).withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) }
  }

  /// Silence with a burst of noise that begins at a frame and dies away: it has one place alone where it fits itself.
  static func click(at frame: Int, of frames: Int) -> [Int16] {
    var samples = [Int16](repeating: 0, count: frames)
    var state: UInt32 = 1
    for index in 0..<400 {
      state = state &* 1_664_525 &+ 1_013_904_223
      samples[frame + index] = Int16(20_000 * exp(-Double(index) / 100) * (Double(state >> 8) / 8_388_608 - 1))
    }
    return samples
  }

  /// How many frames later than at `frame` the burst that was there is in `heard`: where both are most alike.
  static func lag(of heard: [Int16], behind original: [Int16], at frame: Int) -> Int {
    let burst = original[frame..<(frame + 400)].map { Int64($0) }
    return (-3_000...3_000).filter { frame + $0 >= 0 && frame + $0 + 400 <= heard.count }.max { a, b in
      likeness(burst, heard, frame + a) < likeness(burst, heard, frame + b)
    } ?? .max
  }

  private static func likeness(_ burst: [Int64], _ heard: [Int16], _ start: Int) -> Int64 {
    burst.withUnsafeBufferPointer { burst in
      heard.withUnsafeBufferPointer { heard in
        var sum: Int64 = 0
        var index = 0
        while index < 400 {
          sum += burst[index] * Int64(heard[start + index])
          index += 1
        }
        return sum
      }
    }
  }
}
