// SPDX-License-Identifier: Apache-2.0

import Glibc
import Problems
import Testing
import Timing

@testable import HapticInput

@Suite("When a pad begins to move") struct PadMotionTests {
  private static func ms(_ count: Int64) -> Instant { Instant(microseconds: count * 1_000) }

  @Test("is when an effect with strength is first played") func first() {
    var motion = PadMotion()
    motion.upload(0, strengths: (0, 9_000), milliseconds: 150)
    #expect(motion.beginnings.isEmpty)
    motion.play(0, times: 1, at: Self.ms(10))
    #expect(motion.beginnings == [Self.ms(10)])
  }

  @Test("is no update or renewal of one that still plays") func renewals() {
    var motion = PadMotion()
    motion.upload(0, strengths: (9_000, 0), milliseconds: 150)
    motion.play(0, times: 1, at: Self.ms(0))
    motion.upload(0, strengths: (4_000, 0), milliseconds: 150)
    motion.play(0, times: 1, at: Self.ms(149))
    motion.play(0, times: 1, at: Self.ms(298))
    #expect(motion.beginnings == [Self.ms(0)])
  }

  @Test("is again after it was stopped, let run out, played at no strength, or erased") func again() {
    var motion = PadMotion()
    func tap(_ at: Int64) {
      motion.upload(0, strengths: (9_000, 0), milliseconds: 150)
      motion.play(0, times: 1, at: Self.ms(at))
    }
    tap(0)
    motion.play(0, times: 0, at: Self.ms(20))
    tap(30)
    tap(180)
    motion.upload(0, strengths: (0, 0), milliseconds: 150)
    motion.play(0, times: 1, at: Self.ms(200))
    tap(210)
    motion.erase(0)
    motion.play(0, times: 1, at: Self.ms(220))
    tap(230)
    #expect(motion.beginnings == [0, 30, 180, 210, 230].map(Self.ms))
  }

  @Test("lasts as often as it is played, and for ever where an effect has no length") func lengths() {
    var motion = PadMotion()
    motion.upload(0, strengths: (1, 0), milliseconds: 100)
    motion.play(0, times: 3, at: Self.ms(0))
    motion.play(0, times: 1, at: Self.ms(299))
    motion.upload(1, strengths: (0, 1), milliseconds: 0)
    motion.play(1, times: 1, at: Self.ms(500))
    motion.play(0, times: 1, at: Self.ms(900_000))
    #expect(motion.beginnings == [0, 500].map(Self.ms))
  }
}

@Suite("A pad that cannot be made") struct UinputRefusalTests {
  @Test("tells what is in the way and what to do about it", arguments: [EACCES, EPERM, ENOENT, ENODEV, EIO])
  func refusals(code: Int32) {
    let problem = UinputDevice.refusal(code)
    #expect(problem.reason.hasPrefix("no pad can be made: /dev/uinput: "))
    switch code {
    case EACCES, EPERM:
      #expect(problem.kind == .padDenied && problem.remedy?.contains("setfacl -m u:$USER:rw /dev/uinput") == true)
    case ENOENT, ENODEV:
      #expect(problem.kind == .padMissing && problem.remedy?.contains("modprobe uinput") == true)
    default: #expect(problem.kind == .padFailed)
    }
  }
}
