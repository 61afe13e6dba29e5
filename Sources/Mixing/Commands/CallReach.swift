// SPDX-License-Identifier: Apache-2.0

import RealTime

/// What one call of the mixer finds when it begins, and takes of it. What comes in meanwhile waits for the next call, so that
/// what a call does hangs on when it begins alone.
struct CallReach: BitwiseCopyable {
  /// Commands that are there.
  var commands = 0
  /// Steps of pauses that are.
  var pauses = 0
  /// How many of each it took.
  var commandsTaken: Int64 = 0
  var pausesTaken: Int64 = 0

  @_noLocks init() {}
}

extension Mixer {
  /// Looks what there is for the call of so many frames that begins, and tells control how far it goes.
  @_noLocks mutating func beginCall(_ frames: Int) {
    reach = CallReach()
    reach.pauses = link.pointee.pauses.count
    reach.commands = link.pointee.commands.beginCall(upTo: mixedFrame(after: frames))
  }

  /// Up to where the mix goes in a call of so many frames, at most: where it stands it goes no further than that.
  @_noLocks private func mixedFrame(after frames: Int) -> Int64 {
    var end = playFrame &+ Int64(max(frames, 0))
    if pause.isKnown && pause.goal < 0 && reach.pauses == 0 { end = min(end, pause.frame) }
    return max(mixFrame, end &+ Int64(lookahead))
  }

  /// Takes the next command that this call finds.
  @_noLocks mutating func takeCommand(_ command: inout MixerCommand) -> Bool {
    if reach.commands == 0 { return false }
    link.pointee.commands.take(into: &command)
    reach.commands &-= 1
    reach.commandsTaken &+= 1
    return true
  }

  /// Takes the next step of a pause that it finds.
  @_noLocks mutating func takePause(_ step: inout PauseStep) -> Bool {
    if reach.pauses == 0 || !link.pointee.pauses.pop(into: &step) { return false }
    reach.pauses &-= 1
    reach.pausesTaken &+= 1
    return true
  }

  /// Notes the call that ends, and what is heard of it.
  @_noLocks func noteCall(_ call: MixerCall, _ out: UnsafeMutablePointer<Float>?, _ frames: Int) {
    guard let notes else { return }
    if case .render = call, reach.commandsTaken == 0, reach.pausesTaken == 0 {
      notes.pointee.noteCall(frames: Int64(frames))
    } else {
      notes.pointee.note(
        .took(call, frames: Int64(frames), commands: reach.commandsTaken, pauses: reach.pausesTaken))
    }
    if let out { notes.pointee.hear(UnsafePointer(out), from: outputFrame - Int64(frames), count: frames) }
    notes.pointee.pass(to: outputFrame)
  }
}
