// SPDX-License-Identifier: Apache-2.0

import Testing
import Timing
import Wire

@testable import Engine

@Suite struct TimelineCorrectionTests {
  /// The notifications that `body` leads to, as it is sent.
  private func told(_ body: (inout Engine) -> Void) throws -> [String] {
    var fixture = try EngineFixture()
    body(&fixture.engine)
    return fixture.engine.takeActions().compactMap { action in
      guard case .notify(let notification, _) = action else { return nil }
      return String(decoding: notification.line(seq: 7), as: UTF8.self)
    }
  }

  @Test func anXrunTellsWhichFramesWereLostAndForHowLong() throws {
    let lines = try told { $0.framesLost(48, at: 480, dueAt: Instant(microseconds: 1_010_000), isXrun: true) }
    #expect(lines.count == 1)
    #expect(lines.first?.contains("\"method\":\"timeline.corrected\"") == true)
    for field in ["\"tUs\":1010000", "\"frame\":480", "\"lostFrames\":48", "\"correctionUs\":1000", "\"xruns\":1"] {
      #expect(lines.first?.contains(field) == true, "\(field)")
    }
  }

  @Test func everyLostFrameIsToldAndALossThatIsNoneIsNot() throws {
    #expect(try told { $0.framesLost(1, at: 0, dueAt: .zero, isXrun: true) }.count == 1)
    #expect(try told { $0.framesLost(0, at: 0, dueAt: .zero, isXrun: true) }.isEmpty)
  }

  @Test func whatIsPassedOverWithoutAnXrunCountsAsNone() throws {
    let lines = try told { $0.framesLost(4_800, at: 0, dueAt: .zero, isXrun: false) }
    #expect(lines.first?.contains("\"xruns\":0") == true)
  }

  @Test func aCorrectionTellsWhatItPassedOver() throws {
    let lines = try told {
      $0.timelineCorrected(by: .milliseconds(3), lost: 96, at: 960, dueAt: Instant(microseconds: 1_020_000))
    }
    for field in ["\"tUs\":1020000", "\"frame\":960", "\"lostFrames\":96", "\"correctionUs\":3000", "\"xruns\":0"] {
      #expect(lines.first?.contains(field) == true, "\(field)")
    }
  }
}
