// SPDX-License-Identifier: Apache-2.0

import Wire

/// The daemon's own offline rendering. One daemon renders once; the next is started meanwhile, which takes an emulated
/// processor longer than the rendering.
final class OfflineRenderer {
  private var next: StartingDaemon
  private var recording: String
  private var count = 0

  init() throws {
    recording = Self.path(0)
    next = try Self.start(0)
  }

  /// The first parts of a performance, each beginning at exactly that frame.
  func render(_ performance: Performance, _ frames: [Int], length: Int) throws -> Sound {
    let daemon = try Daemon(next)
    let recorded = recording
    count += 1
    recording = Self.path(count)
    next = try Self.start(count)
    let clock = try daemon.now()
    let zeroUs = clock.timeline.instantUs - clock.timeline.frame * 1_000_000 / Int64(RigPack.rate)
    func instantUs(_ frame: Int) -> Int64 {
      zeroUs + Int64((Double(frame) * 1e6 / Double(RigPack.rate)).rounded())
    }
    for (frame, entry) in zip(frames, performance.parts) {
      let announced = try entry.part.play(on: daemon.connection, at: instantUs(frame))
      guard announced == instantUs(frame) else { throw RigFailure("the offline rendering cannot begin at \(frame)") }
    }
    _ = try daemon.connection.call(ClockStep.self, ClockStep.Params(toUs: instantUs(length)), timeoutUs: 60_000_000)
    try daemon.finish()
    return try Sound(wave: recorded)
  }

  private static func path(_ index: Int) -> String { Places.results + "/offline-\(index).wav" }

  private static func start(_ index: Int) throws -> StartingDaemon {
    try StartingDaemon("offline-\(index)", ["--clock", "stepped", "--record", path(index)])
  }
}
