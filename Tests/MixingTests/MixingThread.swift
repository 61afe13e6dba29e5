// SPDX-License-Identifier: Apache-2.0

import Mixing
import RealTime
import Synchronization

/// A mixer at work on a thread of its own, as it is in the daemon, without pause until `body` is over.
func whileMixing(_ mixer: UnsafeMutablePointer<Mixer>, frames: Int, _ body: () throws -> Void) throws {
  let isOver = UnsafeMutablePointer<Atomic<Bool>>.allocate(capacity: 1)
  isOver.initialize(to: Atomic(false))
  defer {
    isOver.deinitialize(count: 1)
    isOver.deallocate()
  }
  var stage = Stage(mixer: mixer, frames: frames, isOver: isOver)
  try withUnsafeMutablePointer(to: &stage) { stage in
    let thread = try RealTimeThread(name: "audio", priority: nil, body: play, argument: stage)
    // The thread ends before what it works on goes, whatever the body throws.
    let outcome = Result { try body() }
    isOver.pointee.store(true, ordering: .releasing)
    thread.join()
    try outcome.get()
  }
}

private struct Stage {
  var mixer: UnsafeMutablePointer<Mixer>
  var frames: Int
  var isOver: UnsafeMutablePointer<Atomic<Bool>>
}

private func play(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let stage = argument?.assumingMemoryBound(to: Stage.self).pointee else { return nil }
  let out = UnsafeMutablePointer<Float>.allocate(capacity: 2 * stage.frames)
  defer { out.deallocate() }
  while !stage.isOver.pointee.load(ordering: .acquiring) {
    stage.mixer.pointee.render(into: out, frames: stage.frames)
  }
  return nil
}
