// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Testing
import Wire

@testable import Host

/// What a client leaves behind, times what comes about just before or in the 50 ms in which it fades: it fades once, nothing comes
/// back, what is told is what is heard and felt, and the run's journal says the same.
///
/// The client comes at 1 s and goes at 1.5 s. What is asked for now is felt now, and heard a look-ahead of 1 ms later.
@Suite struct LeavingTableTests {
  @Test(arguments: LeftBehind.allCases) func whatIsLeftFadesOnceWhateverComesMeanwhile(left: LeftBehind) throws {
    for meanwhile in Meanwhile.allCases where meanwhile.concerns(left) {
      let scene = try LeavingScene(left, meanwhile)
      let expected = ExpectedLeaving(left, meanwhile)
      let title = "\(left), \(meanwhile)"
      #expect(scene.told == expected.told(moved: scene.pause), "\(title)")
      let milliseconds = Array(stride(from: Int64(1_002_000), to: 3_600_000, by: 1_000))
      let heard = expected.heard.map { 0.25 * $0 }
      expectLevels(milliseconds, scene.heard(at:), heard, scene.pause, 1e-4, "\(title): heard")
      // The log has a line each 10 ms while a level moves, by which a fade of 50 ms has come down by a fifth.
      expectLevels(milliseconds, scene.felt(at:), expected.felt, scene.pause, 0.161, "\(title): felt")
      expectLevels(scene.lines, scene.felt(at:), expected.felt, scene.pause, 2e-3, "\(title): felt")
      #expect(scene.isSameAgain, "\(title)")
    }
  }

  /// Nothing but what is expected at these instants, but for those around a pause of the engine, at which it comes down and up.
  private func expectLevels(
    _ instants: [Int64], _ level: (Int64) -> Double, _ expected: Course, _ pause: ClosedRange<Int64>?,
    _ tolerance: Double, _ title: String
  ) {
    for us in instants {
      if let pause, abs(us - pause.lowerBound) <= 6_000 || abs(us - pause.upperBound) <= 6_000 { continue }
      let stands = pause.map { $0.contains(us) } ?? false
      let game = pause.map { us >= $0.upperBound ? us - ($0.upperBound - $0.lowerBound) : us } ?? us
      let (came, wanted) = (level(us), stands ? 0 : expected.level(at: game))
      guard abs(came - wanted) > tolerance else { continue }
      Issue.record("\(title) at \(us) us \(came), not \(wanted)")
      return
    }
  }
}

/// What a client asked for at 1 s.
enum LeftBehind: CaseIterable {
  case soundOnce, soundThatLoops, soundsToCome
  case cueOnce, cueThatLoops, cueToCome
  case feltOnce, feltLoop, feltPaused, feltToCome

  var isHeard: Bool { ![.feltOnce, .feltLoop, .feltPaused, .feltToCome].contains(self) }
  var isFelt: Bool { ![.soundOnce, .soundThatLoops, .soundsToCome].contains(self) }
  var isToCome: Bool { [.soundsToCome, .cueToCome, .feltToCome].contains(self) }
  var loops: Bool { [.soundThatLoops, .cueThatLoops, .feltLoop].contains(self) }
}

/// What others do about it.
enum Meanwhile: CaseIterable {
  case nothing
  /// At 1.52 s: 20 ms behind the client.
  case stop, slowStop, replacement, pause, switchedOffAndOn
  /// Before it: the switch at 1.49 s, the stop at 1.4 s, over half a second.
  case switchedOffBefore, slowStopBefore

  func concerns(_ left: LeftBehind) -> Bool { self != .replacement || left.isFelt && !left.isToCome }
}

/// A level from 1 s on, its end and the fades that it was told; of these whichever is over first holds.
struct Course {
  private var lines: [(from: Int64, level: Double, to: Int64, end: Double)] = []

  static let silent = Course()

  static func steady(_ level: Double, until end: Int64) -> Course {
    var course = Course()
    course.lines = [(1_000_000, level, end, level)]
    return course
  }

  /// When it is over.
  var end: Int64? { lines.last?.to }

  func level(at us: Int64) -> Double {
    guard let line = lines.last(where: { $0.from <= us }), us < line.to else { return 0 }
    return line.level + (line.end - line.level) * Double(us - line.from) / Double(line.to - line.from)
  }

  func map(_ change: (Double) -> Double) -> Course {
    var course = self
    course.lines = lines.map { ($0.from, change($0.level), $0.to, change($0.end)) }
    return course
  }

  /// Whether a fade from an instant on prolongs nothing, and so holds.
  mutating func fade(from us: Int64, over length: Int64) -> Bool {
    guard let end, us + length < end else { return false }
    let level = level(at: us)
    lines.removeAll { $0.from >= us }
    lines[lines.count - 1].end = level
    lines[lines.count - 1].to = us
    if length > 0 { lines.append((us, level, us + length, 0)) }
    return true
  }
}

/// What must be heard, felt and told, by docs/protocol.md, "Lifetimes", "Switches" and "Pausing".
struct ExpectedLeaving {
  private(set) var heard = Course.silent
  private(set) var felt = Course.silent
  private var lines: [(us: Int64, text: String)] = []

  init(_ left: LeftBehind, _ meanwhile: Meanwhile) {
    if left.isToCome {
      // A stop of all without an instant calls off what is planned.
      let goneUs: Int64 = meanwhile == .slowStopBefore ? 1_400_000 : 1_500_000
      let (soundUs, hapticUs) = (goneUs + 1_000, goneUs)
      switch left {
      case .soundsToCome: lines = [(soundUs, "sound cancelled"), (soundUs, "sound cancelled")]
      case .feltToCome: lines = [(hapticUs, "haptics cancelled")]
      default:
        lines = [(soundUs, "sound cancelled"), (hapticUs, "haptics cancelled"), (hapticUs, "cue cancelled clientLeft")]
      }
      sortLines()
      return
    }
    var isCut = false
    if left.isHeard { isCut = hear(left, meanwhile) || isCut }
    if left.isFelt { isCut = feel(left, meanwhile) || isCut }
    if [.cueOnce, .cueThatLoops].contains(left) {
      lines.append((0, "cue fired"))
      if isCut { lines.append((0, "cue cancelled stopped")) }
    }
    sortLines()
  }

  /// Whether its client's leaving ends it.
  private mutating func hear(_ left: LeftBehind, _ meanwhile: Meanwhile) -> Bool {
    heard = .steady(1, until: left.loops ? .max / 4 : 3_000_000)
    var reason = "ended"
    var isCut = false
    if meanwhile == .slowStopBefore, heard.fade(from: 1_401_000, over: 500_000) { reason = "stopped" }
    if meanwhile == .switchedOffBefore, left.loops, heard.fade(from: 1_491_000, over: 50_000) { reason = "switchedOff" }
    if left.loops, heard.fade(from: 1_501_000, over: 50_000) { (reason, isCut) = ("stopped", true) }
    if meanwhile == .stop, heard.fade(from: 1_521_000, over: 5_000) { reason = "stopped" }
    if meanwhile == .slowStop, heard.fade(from: 1_521_000, over: 500_000) { reason = "stopped" }
    lines.append((heard.end ?? 0, "sound \(reason)"))
    return isCut
  }

  private mutating func feel(_ left: LeftBehind, _ meanwhile: Meanwhile) -> Bool {
    // What is felt of a cue fades with its sound.
    let aheadUs: Int64 = left.isHeard ? 1_000 : 0
    felt = .steady(0.8, until: left.loops || left == .feltPaused ? .max / 4 : 3_000_000)
    var reason = "finished"
    var isCut = false
    if meanwhile == .slowStopBefore, felt.fade(from: 1_400_000, over: 0) { reason = "stopped requested" }
    if meanwhile == .switchedOffBefore, left.loops, felt.fade(from: 1_490_000, over: 0) {
      reason = "stopped switchedOff"
    }
    if left.loops || left == .feltPaused, felt.fade(from: 1_500_000 + aheadUs, over: 50_000) {
      (reason, isCut) = ("stopped disconnected", true)
    }
    if meanwhile == .switchedOffAndOn, left.loops, felt.fade(from: 1_520_000, over: 0) {
      reason = "stopped switchedOff"
    }
    if [.stop, .slowStop].contains(meanwhile), felt.fade(from: 1_520_000, over: 0) { reason = "stopped requested" }
    if meanwhile == .replacement, felt.fade(from: 1_520_000, over: 0) { reason = "stopped replaced" }
    lines.append((felt.end ?? 0, "haptics \(reason)"))
    if left == .feltPaused { _ = felt.fade(from: 1_200_000, over: 0) }
    return isCut
  }

  private mutating func sortLines() { lines.sort { ($0.us, $0.text) < ($1.us, $1.text) } }

  /// With their instants, but for cues; what comes behind a pause is later by as much.
  func told(moved pause: ClosedRange<Int64>?) -> [String] {
    lines.map { line in
      guard line.us > 0, !line.text.hasPrefix("cue") else { return line.text }
      guard let pause, line.us >= pause.lowerBound else { return "\(line.text) \(line.us)" }
      return "\(line.text) \(line.us + pause.upperBound - pause.lowerBound)"
    }.sorted()
  }
}
