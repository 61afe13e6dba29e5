// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc
import Moments
import Testing

/// The bells of the chapter Firewall as they are rendered, beside the table of its beats: the map is what is tapped, the bells
/// are what is heard, and the two are one.
@Suite struct BellTests {
  @Test func eachBeatIsStruckAtItsFrameByTheBellOfItsLane() throws {
    let table = try MomentTable.read("starlight-sync")
    let facts = try #require(table.chapter)
    let track = try #require(table.tracks[facts.track])
    let stem = try #require(track.stems?["bells"])
    let file = try Self.rendered(table.pack, stem.file)
    #expect(file.samples.count == 2 * frame(try #require(track.seconds)))

    let beats = facts.beats.map { (frame: frame(Double($0.us) / 1_000_000), lane: $0.lane) }
    // What rings on after the last is over in four seconds, and nothing comes before the first.
    let last = beats[beats.count - 1].frame + 192_000
    #expect(file.samples[(2 * last)...].allSatisfy { $0 == 0 })
    #expect(file.samples[..<(2 * beats[0].frame)].allSatisfy { $0 == 0 })
    #expect(Self.strikes(file.samples[..<(2 * last)]) == beats.map(\.frame))

    for beat in beats {
      let part = file.samples[2 * beat.frame..<2 * (beat.frame + 4_800)]
      let left = stride(from: part.startIndex, to: part.endIndex, by: 2).map { part[$0] }
      let right = stride(from: part.startIndex + 1, to: part.endIndex, by: 2).map { part[$0] }
      let register = try #require(facts.registers[beat.lane])
      let pitch = Self.pitch(zip(left, right).map { Double($0 + $1) })
      #expect(register[0]...register[1] ~= pitch, "\(beat.lane) at frame \(beat.frame) is struck at \(pitch) Hz")
      let sides = (Self.energy(left), Self.energy(right))
      switch beat.lane {
      case "left": #expect(sides.0 > 2 * sides.1)
      case "right": #expect(sides.1 > 2 * sides.0)
      default: break
      }
    }
  }

  /// Where something begins all at once, on both sides together: the first frame of each run of large fourth differences, which
  /// what rings has none of.
  private static func strikes(_ samples: ArraySlice<Float>) -> [Int] {
    samples.withUnsafeBufferPointer { samples in
      var found: [Int] = []
      var last = -4_800
      // The four frames before this one, the latest first.
      var (a, b, c, d): (Float, Float, Float, Float) = (0, 0, 0, 0)
      for index in 0..<samples.count / 2 {
        let now = samples[2 * index] + samples[2 * index + 1]
        let difference = now - 4 * a + 6 * b - 4 * c + d
        (a, b, c, d) = (now, a, b, c)
        guard abs(difference) > 0.02 else { continue }
        if index - last >= 4_800 { found.append(index) }
        last = index
      }
      return found
    }
  }

  /// The loudest semitone between 440 and 3520 Hz.
  private static func pitch(_ samples: [Double]) -> Double {
    let windowed = samples.enumerated().map { (index, sample) in
      sample * (1 - cos(2 * .pi * Double(index) / Double(samples.count)))
    }
    let sizes = (0...36).map { semitone in
      let hertz = 440 * pow(2, Double(semitone) / 12)
      // Goertzel's sum.
      let turn = 2 * cos(2 * .pi * hertz / 48_000)
      var (before, now) = (0.0, 0.0)
      for sample in windowed { (before, now) = (now, turn * now - before + sample) }
      return (hertz: hertz, size: before * before + now * now - turn * before * now)
    }
    return sizes.max { $0.size < $1.size }?.hertz ?? 0
  }

  private static func energy(_ samples: [Float]) -> Float { samples.reduce(0) { $0 + $1 * $1 } }

  /// Renders one file of a pack, as the build does.
  private static func rendered(_ pack: String, _ name: String) throws -> WaveFile {
    let directory = try makeTemporaryDirectory()
    defer { removeDirectory(directory) }
    try FileManager.default.copyItem(atPath: ProbePack.patterns + "/" + pack, toPath: directory + "/" + pack)
    let pid = try spawn(
      [DaemonProcess.program("starlight-synthesis"), "render", directory, name], environment: [],
      errorsTo: directory + "/log")
    var status: Int32 = 0
    while waitpid(pid, &status, 0) < 0, errno == EINTR {}
    guard status == 0 else {
      throw ProcessFailure(
        "nothing was rendered: " + ((try? String(contentsOfFile: directory + "/log", encoding: .utf8)) ?? ""))
    }
    return try WaveFile(directory + "/" + pack + "/" + name + ".wav")
  }
}
