// SPDX-License-Identifier: Apache-2.0

import HapticOutput
import Haptics
import Problems
import Timing

/// Plays on the pads by itself, where no daemon runs; where there is no pad it lets the pattern be heard.
final class OwnAuditionPlayer: AuditionPlayer {
  private let manner: AuditionManner
  private var devices: [EvdevHapticDevice] = []
  private var problems: [Problem] = []
  private var listener: HapticListener?
  private(set) var audibility = Audibility.unasked
  private var lastPlayer: UInt64 = 0
  private(set) var endUs: Int64?

  /// Opens the pads. One that is named and is not there is a failure; one that cannot be opened is told.
  init(_ manner: AuditionManner) throws(ToolFailure) {
    self.manner = manner
    guard let selection = HapticSelection(manner.pads) else {
      throw .usage("--device names no pad", hint: "give all, none, or names and paths with commas between")
    }
    let found = HapticPad.all()
    let missing = selection.missing(among: found)
    if let name = missing.first { throw ToolFailure(noPad: name, found: found.map(\.name)) }
    let claims = PadClaims()
    for pad in found where selection.contains(pad) {
      do throws(Problem) {
        devices.append(try EvdevHapticDevice(pad, claims: claims))
      } catch {
        problems.append(error)
      }
    }
    for device in devices { device.start() }
  }

  var descriptors: [Int32] { [] }
  var canPlay: Bool { !devices.isEmpty || manner.hearing == .always }

  var silence: ToolFailure? {
    if !devices.isEmpty || audibility.isHeard { return nil }
    return silence(
      because: problems.first?.cause ?? manner.padlessness ?? "no daemon answers and no pad is plugged in",
      remedy: problems.first?.remedy)
  }

  var notes: [String] {
    if let silence { return silence.notes + problems.dropFirst().map(\.description) }
    let way =
      devices.isEmpty
      ? "no daemon answers and there is no pad to feel it by"
      : "no daemon answers: played by itself on " + devices.map(\.name).joined(separator: ", ")
    return [way] + (problems + devices.compactMap(\.failure)).map(\.description) + (audibility.note.map { [$0] } ?? [])
  }

  func start(_ pattern: AuditionedPattern) -> Int64 {
    stop()
    (listener, audibility) = openListener(pattern.pattern, manner, isFelt: !devices.isEmpty)
    let lead = devices.map(\.lead).max() ?? .zero
    let earliest = Instant(microseconds: nowUs()) + lead
    // What is heard begins when it can, and what is felt with it.
    let start = listener?.start(at: devices.isEmpty ? nil : earliest, loops: manner.loops) ?? earliest
    lastPlayer += 1
    let options = HapticPlayOptions(loops: manner.loops, rate: manner.rate)
    for device in devices {
      device.send([
        .start(
          HapticPlayerID(rawValue: lastPlayer), pattern.pattern, source: pattern.title, at: start, options: options)
      ])
    }
    let length = Interval.seconds(pattern.pattern.duration.seconds / manner.rate)
    endUs = manner.loops ? nil : (start + length).microseconds
    return start.microseconds
  }

  func stop() {
    for device in devices { device.send([.stopAll(at: Instant(microseconds: nowUs()))]) }
    listener?.fadeOut()
    listener = nil
    endUs = nil
  }

  func endSoFar() -> PlayedPattern.End? { endUs.map { nowUs() >= $0 } == true ? .finished : nil }

  func end() {
    stop()
    for device in devices { device.stop() }
  }
}

extension ToolFailure {
  /// No pad is called `name`; `found` are those that are plugged in.
  init(noPad name: String, found: [String]) {
    self.init(
      "no pad is called \(name)",
      hint: found.isEmpty ? "no pad with force feedback is plugged in" : "plugged in: " + found.joined(separator: ", "),
      kind: .unknownName)
  }
}
