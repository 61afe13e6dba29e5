// SPDX-License-Identifier: Apache-2.0

import Files
import Glibc
import Haptics
import PatternTools
import Problems
import SoundFiles

/// Sound files that `starlight convert` makes patterns of.
enum SoundTwin {
  /// What sound files end in, as libsndfile knows them.
  private static let endings = ["wav", "flac", "ogg", "oga", "opus", "mp3", "aiff", "aif"]

  /// The rate the sound is looked at: enough for brightness up to 6 kHz and beyond.
  private static let rate = 48_000

  /// Whether `name` is a sound file by its ending.
  static func isSound(_ name: String) -> Bool {
    guard let ending = name.split(separator: ".").last, name.contains(".") else { return false }
    return endings.contains(ending.lowercased())
  }

  /// More than a minute of any sound takes: 192 kHz, stereo, 32 bits.
  static let mostBytes = 128 << 20

  /// The haptic twin of the sound whose file has these bytes.
  static func document(of bytes: [UInt8]) throws(ToolFailure) -> AHAPDocument {
    if bytes.count > mostBytes {
      throw ToolFailure("standard input has more than \(mostBytes >> 20) MiB", hint: "cut it to what is to be felt")
    }
    // What decodes it seeks: a file without a name, which goes with its descriptor.
    var name = Array("/tmp/starlight-sound-XXXXXX".utf8CString)
    let descriptor = mkstemp(&name)
    guard descriptor >= 0 else { throw ToolFailure("cannot keep the sound: \(errnoText())") }
    unlink(name)
    defer { close(descriptor) }
    guard isWritten(bytes, to: descriptor) else {
      throw ToolFailure("cannot keep the sound: \(errnoText())")
    }
    return try document(of: "/proc/self/fd/\(descriptor)", named: "standard input", place: "-")
  }

  /// The haptic twin of a sound file of at most a minute; `place` is what failures are told of, where that is another.
  static func document(
    of path: String, named name: String? = nil, place: String? = nil
  ) throws(ToolFailure) -> AHAPDocument {
    let (name, place) = (name ?? path, place ?? path)
    let sound: LoadedSound
    do throws(Problem) { sound = try LoadedSound(path: path, named: name, rate: rate) } catch {
      if error.kind == .tooLong {
        throw ToolFailure(
          .badFile, file: place, "\(name) is longer than \(LoadedSound.longestSeconds) s",
          hint: "cut it to what is to be felt")
      }
      var failure = ToolFailure(error)
      failure.place = .init(file: place)
      throw failure
    }
    let source = sound.source(loop: false)
    let samples = mono((0..<sound.frames).map { SIMD2(source.samples[2 * $0], source.samples[2 * $0 + 1]) })
    let twin = HapticTwin.document(of: samples, rate: rate)
    if twin.events.isEmpty {
      throw ToolFailure(
        .badFile, file: place, "\(name) is silent: there is nothing to feel", hint: "export it again, or louder")
    }
    return twin
  }

  /// What both channels have in common, or, where that is less, how they differ: a channel whose polarity is reversed
  /// is heard, and must not cancel the other.
  static func mono(_ frames: [SIMD2<Float>]) -> [Float] {
    var (common, difference) = (0.0, 0.0)
    for frame in frames {
      let (middle, side) = (Double(frame.x + frame.y), Double(frame.x - frame.y))
      if middle.isFinite, side.isFinite {
        common += middle * middle
        difference += side * side
      }
    }
    let sign: Float = difference > common ? -1 : 1
    return frames.map { ($0.x + sign * $0.y) / 2 }
  }
}
