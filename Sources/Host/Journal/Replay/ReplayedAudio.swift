// SPDX-License-Identifier: Apache-2.0

import Mixing
import Problems
import SoundFiles

/// The audio output of a run that is done again: makes of the mixer the calls that were noted, each as late as can be, and
/// compares what is heard, second by second.
final class ReplayedAudio {
  /// What the samples of a second of the output come to.
  struct Second: Equatable {
    var number: Int64
    var fingerprint: UInt64
  }

  private let controller: MixerController
  private let feeder: StreamFeeder
  private let notes: [MixerNote]
  private let heard: [Second]
  private let recording: Recording?
  private let isWhole: Bool
  private var place = 0
  private var isFinished = false
  /// How often the call at `place` was made.
  private var times: Int64 = 0
  private var sights: [MixerNote] = []
  private var hearing: [Second] = []
  private let buffer: UnsafeMutableBufferPointer<Float>
  /// The most frames of one call that are rendered: what a device takes at once.
  private static let mostFrames = 1 << 17

  /// Makes those calls. `isWhole` says whether the run came to its end, so that its last second can be compared.
  init(
    _ controller: MixerController, _ feeder: StreamFeeder, calls notes: [MixerNote], heard: [Second], isWhole: Bool,
    recording: Recording?
  ) {
    self.controller = controller
    self.feeder = feeder
    (self.notes, self.heard, self.isWhole, self.recording) = (notes, heard, isWhole, recording)
    buffer = .allocate(capacity: 2 * Self.mostFrames)
    buffer.initialize(repeating: 0)
  }

  deinit { buffer.deallocate() }

  /// The seconds compared by now.
  var compared: Int { min(heard.count, hearing.count) }

  /// The first second whose samples are not what they were.
  var otherSecond: Int64? {
    for (then, now) in zip(heard, hearing) where then != now { return min(then.number, now.number) }
    guard isFinished, isWhole, heard.count != hearing.count else { return nil }
    return (heard.dropFirst(hearing.count).first ?? hearing.dropFirst(heard.count).first)?.number
  }

  /// Whether all calls are made.
  var isAtEnd: Bool { place == notes.count }

  /// Makes the next call; false where there is none, or it cannot be made.
  func advance() -> Bool {
    while place < notes.count, case .saw = notes[place] {
      sights.append(notes[place])
      place += 1
    }
    guard place < notes.count, let out = buffer.baseAddress else { return false }
    let note = notes[place]
    let (frames, isHeard) = note.frames
    if isHeard, frames > Self.mostFrames { return false }
    feeder.pump()
    guard controller.repeatCall(note, sights: sights, into: out) else { return false }
    sights = []
    times += 1
    if times >= note.times { (place, times) = (place + 1, 0) }
    record(frames, isHeard)
    hear()
    return true
  }

  /// Makes all calls that are left.
  func finish() -> Bool {
    while place < notes.count { if !advance() { return false } }
    controller.finishNotes()
    hear()
    isFinished = true
    return true
  }

  /// Writes what is left to the recording, however far the run went; why it is not whole.
  func finishRecording() -> Problem? {
    recording?.finish()
    return recording?.failure
  }

  private func hear() {
    controller.drainNotes { note in
      if case .heard(let second, let fingerprint) = note {
        hearing.append(Second(number: second, fingerprint: fingerprint))
      }
    }
  }

  private func record(_ frames: Int64, _ isHeard: Bool) {
    guard let recording, frames > 0 else { return }
    if isHeard { return recording.write(UnsafeBufferPointer(rebasing: buffer[..<(2 * Int(frames))])) }
    let silence = [Float](repeating: 0, count: 2 * Int(min(frames, 1 << 16)))
    var left = frames
    while left > 0 {
      let count = min(left, 1 << 16)
      silence.withUnsafeBufferPointer { recording.write(UnsafeBufferPointer(rebasing: $0[..<(2 * Int(count))])) }
      left -= count
    }
  }
}

extension MixerNote {
  /// How many frames one call takes, and whether they are rendered.
  fileprivate var frames: (count: Int64, isHeard: Bool) {
    switch self {
    case .rendered(let frames, _): (frames, true)
    case .took(let call, let frames, _, _): (frames, call == .render)
    case .rested(let frames): (frames, false)
    case .fadedIn, .saw, .heard: (0, false)
    }
  }

  fileprivate var times: Int64 { if case .rendered(_, let times) = self { times } else { 1 } }
}
