// SPDX-License-Identifier: Apache-2.0

// For a mixer whose calls are noted, and for one that does again what another noted.
extension MixerController {
  /// Hands over what the mixer noted since the last time, oldest first; nothing where it keeps no notes.
  public func drainNotes(_ body: (MixerNote) -> Void) {
    guard let notes else { return }
    while let note = notes.pointee.ring.pop() { body(note) }
  }

  /// Notes that were lost because nobody came by.
  public var lostNotes: Int { notes?.pointee.lost.load(ordering: .relaxed) ?? 0 }

  /// Has what was not noted yet noted. Only while no thread calls the mixer.
  public func finishNotes() { notes?.pointee.tellSecond() }

  /// How many events wait for `drainEvents`.
  public var eventCount: Int { link.pointee.events.count }

  /// The next event.
  public func takeEvent() -> MixerEvent? { link.pointee.events.pop() }

  /// With `holdsBack`: makes of the mixer the call that was noted, with so much of what is held back as it took then, after
  /// voices saw of their streams what they saw. Where it rendered, `out` has room for its frames. False where not so much is held
  /// back, or what it saw is not what it looks for.
  public func repeatCall(_ note: MixerNote, sights: [MixerNote], into out: UnsafeMutablePointer<Float>) -> Bool {
    for sight in sights {
      guard let notes, notes.pointee.sights.push(sight) else { return false }
    }
    switch note {
    case .rendered(let frames, _): mixer.pointee.render(into: out, frames: Int(frames))
    case .took(let call, let frames, let commands, let pauses):
      guard handOver(commands: Int(commands), pauses: Int(pauses)) else { return false }
      switch call {
      case .render: mixer.pointee.render(into: out, frames: Int(frames))
      case .skip: mixer.pointee.skip(frames: Int(frames))
      }
    case .rested(let frames): mixer.pointee.rest(frames: frames)
    case .fadedIn: mixer.pointee.fadeIn()
    case .saw, .heard: break
    }
    return notes.map { $0.pointee.sights.count == 0 } ?? true
  }
}
