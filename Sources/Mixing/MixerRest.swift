// SPDX-License-Identifier: Apache-2.0

import RealTime

/// Silence that is counted and not mixed: while nothing sounds, moves or is planned, and while all stands, frames pass by an
/// operation of their own. What is rendered after them is what would have been rendered had they been, bit for bit. Voices that are
/// paused may be there.
extension Mixer {
  /// How many of the frames to be put out next are silent, and change nothing but where the mixer is, as far as is known
  /// from the commands it has taken; 0 where something sounds, moves or is still to be told, `.max` where nothing is planned.
  public var calmFrames: Int64 {
    @_noLocks get {
      if standsOn { return refusalCount == 0 && bank.owing.next(from: 0) < 0 ? .max : 0 }
      if pause.isNear(playFrame) || recovery.isMoving(at: playFrame) { return 0 }
      // Nobody but the mixer knows when a voice goes on by itself, to have the output there by then.
      if refusalCount > 0 || goesOnAt < .max || !allVoicesStand || !ducking.areStill(at: mixFrame) { return 0 }
      // All that the limiter remembers is silence by now.
      if mixFrame - soundEnd < Int64(limiter.capacity) || !limiter.isStill { return 0 }
      var next = schedule.nextFrame
      for index in 0..<busCount {
        next = min(next, buses[index].muteAt)
        if isDulling && !buses[index].lowPass.isAtRest { return 0 }
      }
      return next == .max ? .max : max(0, next - mixFrame)
    }
  }

  /// Whether there is no voice but such as are paused: what they are at depends on the frame from which they stand, and not on how
  /// many have passed since.
  private var allVoicesStand: Bool {
    @_noLocks get {
      if bank.owing.next(from: 0) >= 0 { return false }
      var slot = bank.occupied.next(from: 0)
      while slot >= 0 {
        let voice = bank.voices + slot
        guard bank.sounding.contains(slot), voice.pointee.stands(at: mixFrame) else { return false }
        // One that is about to end does so as it is mixed next.
        if voice.pointee.isStopping && voice.pointee.path.ending.end <= voice.pointee.standsFrom { return false }
        slot = bank.occupied.next(from: slot + 1)
      }
      return true
    }
  }

  /// Whether it stands, and nobody has said when it goes on.
  public var standsOn: Bool { @_noLocks get { pause.isKnown && playFrame == pause.frame && pause.goal < 0 } }

  /// The first played frame that has not been mixed, and that a command still reaches.
  public var mixedFrame: Int64 { @_noLocks get { mixFrame } }

  /// How many frames are mixed before they are put out.
  public var mixedAhead: Int64 { @_noLocks get { mixFrame - playFrame } }

  /// Whether it has been told of something that it has not taken.
  public var hasWork: Bool { @_noLocks get { link.pointee.commands.count > 0 || link.pointee.pauses.count > 0 } }

  /// So many silent frames may be about to pass by `rest`, and control is told; whether there are commands that were shown before.
  @_noLocks public func beginRest(frames: Int64) -> Bool {
    link.pointee.commands.beginCall(upTo: standsOn ? mixFrame : mixFrame + max(frames, 0)) > 0
  }

  /// Lets `frames` silent frames pass, at most `calmFrames`, and takes no command: those that wait are taken by what is
  /// rendered next. Unlike after `skip` nothing fades in.
  @_noLocks public mutating func rest(frames: Int64) {
    if frames <= 0 { return link.pointee.commands.endCall(at: mixFrame) }
    _ = beginRest(frames: frames)
    if standsOn {
      pause.stood += frames
    } else {
      playFrame += frames
      mixFrame += frames
      limiter.rest(upTo: mixFrame)
    }
    publish()
    if let notes {
      notes.pointee.note(.rested(frames: frames))
      notes.pointee.pass(to: outputFrame)
    }
  }
}
