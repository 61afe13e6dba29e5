// SPDX-License-Identifier: Apache-2.0

import GamePacks

/// A cue by which a chapter answers its player.
@usableFromInline struct AwaitedFeedback {
  var cue: PackCue
  var name: String
  var pack: PackGeneration
}

/// What a chapter fires by itself: fired behind all else of a call, so that a chapter that was judged need not be put back to have
/// this planned anew.
extension Engine {
  /// A cue is to be fired at the end of this call: its sound as soon as it can be heard.
  mutating func fireFeedback(_ name: String?, of terms: Chapter.Terms) {
    let pack = terms.key.generation
    guard let name, let cue = pack.manifest.cues[name] else { return }
    feedback.append(AwaitedFeedback(cue: cue, name: name, pack: pack))
  }

  /// Whether this call is to fire something that it was not asked for. Inlined: whoever keeps the engine in a class would have all of it
  /// copied to call this.
  @inlinable public var hasFeedback: Bool { !feedback.isEmpty }

  /// Fires what the call led to.
  public mutating func fireAwaitedFeedback() {
    if feedback.isEmpty { return }
    let awaited = feedback
    feedback = []
    for one in awaited {
      let zero = zero(of: one.cue, in: one.pack, one.cue.align ?? .soundFirst)
      // What the daemon has no room for is left out: a chapter goes on without.
      _ = try? fire(one.cue, one.pack.key(one.name), in: one.pack, at: zero, by: .daemon)
    }
  }
}
