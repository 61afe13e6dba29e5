// SPDX-License-Identifier: Apache-2.0

/// What a voice sees of its ring through one block: the decoder writes on meanwhile, and the block is of one piece.
struct StreamSight: BitwiseCopyable {
  /// The frame up to which samples may be read.
  var end: Int64 = 0
  /// Whether nothing comes behind that.
  var isComplete = false

  @_noLocks init() {}

  @_noLocks init(end: Int64, isComplete: Bool) {
    self.end = end
    self.isComplete = isComplete
  }

  @_noLocks init(_ ring: UnsafeMutablePointer<StreamRing>) {
    // In this order, so that the end cannot move in between.
    isComplete = ring.pointee.isComplete
    end = ring.pointee.readableEnd
  }
}

extension Mixer {
  /// Looks how much of its ring a voice has for the block from `mixFrame` on.
  @_noLocks func look(_ voice: UnsafeMutablePointer<Voice>, _ ring: UnsafeMutablePointer<StreamRing>) {
    voice.pointee.sight = StreamSight(ring)
    guard let notes else { return }
    voice.pointee.sight = notes.pointee.sight(of: voice.pointee.id, at: mixFrame, voice.pointee.sight)
  }

  /// Notes what it saw, where what comes of it hangs on that.
  @_noLocks func noteSight(_ voice: UnsafeMutablePointer<Voice>) {
    guard let notes else { return }
    let sight = voice.pointee.sight
    notes.pointee.note(.saw(voice.pointee.id, at: mixFrame, end: sight.end, isComplete: sight.isComplete))
  }
}
