// SPDX-License-Identifier: Apache-2.0

import AudioOutput
import Testing

/// A device of 384 frames that was given periods of 128 from frame 1000 on.
@Suite struct QueuedFramesTests {
  private func queue(_ blocks: Int) -> QueuedFrames {
    var queue = QueuedFrames(buffer: 384, next: 1_000)
    for _ in 0..<blocks { queue.give(128) }
    return queue
  }

  @Test func roomTellsThePosition() {
    #expect(queue(0).position(available: 384) == 1_000)
    #expect(queue(3).position(available: 0) == 1_000)
    #expect(queue(3).position(available: 100) == 1_100)
    #expect(queue(3).end == 1_384)
  }

  @Test func aDeviceThatRanDryPlayedAllItWasGiven() {
    #expect(queue(3).dryFrame(available: 384) == 1_384)
    // It noticed only at its next interrupt.
    #expect(queue(3).dryFrame(available: 500) == 1_384)
  }

  @Test func aBlockGivenAfterTheStopWasNotPlayed() {
    // Dry and stopped at 1256, with 40 frames of nothing played; then the third block came.
    #expect(queue(2).dryFrame(available: 424) == 1_256)
    #expect(queue(3).dryFrame(available: 424 - 128) == 1_256)
  }

  @Test func aBlockThatCameWhenAllWasPlayedIsLostThoughTheDeviceNoticedOnlyLater() {
    // At 1256 it had nothing left, and ran on; the third block came, and it noticed at 1400, past that block.
    #expect(queue(3).dryFrame(available: 384 + 16, late: 1_256) == 1_256)
    // The block ended the ring, and was given in two parts.
    var queue = queue(2)
    queue.give(100)
    queue.give(28)
    #expect(queue.dryFrame(available: 384 + 16, late: 1_256) == 1_256)
    #expect(queue.dryFrame(available: 384 + 16) == 1_384)
  }

  @Test func aDeviceStoppedBeforeItWasGivenAnythingPlayedNothing() {
    #expect(queue(0).dryFrame(available: 384) == 1_000)
    #expect(queue(0).dryFrame(available: 400) == 1_000)
  }

  @Test func aStopDropsWhatIsQueued() {
    #expect(queue(3).droppedFrame(available: 100) == 1_100)
    #expect(queue(3).droppedFrame(available: 600) == 1_384)
  }

  @Test func aLateBlockIsPassedInPartOrWhole() {
    // Before the third block it was at 1250: in time.
    #expect(queue(3).passed(from: 1_256, available: 250) == 0)
    #expect(queue(3).passed(from: 1_256, available: 256) == 0)
    #expect(queue(3).passed(from: 1_256, available: 300) == 44)
    #expect(queue(3).passed(from: 1_256, available: 384) == 128)
    // It ran on, and further than it was given.
    #expect(queue(3).passed(from: 1_256, available: 900) == 128)
  }

  @Test func aLateBlockGivenInTwoPartsIsPassedAsOne() {
    // The device's ring ends 28 frames before the third block does.
    var queue = queue(2)
    queue.give(100)
    queue.give(28)
    #expect(queue.passed(from: 1_256, available: 300) == 44)
    #expect(queue.passed(from: 1_256, available: 370) == 114)
    #expect(queue.passed(from: 1_256, available: 384) == 128)
  }

  @Test func framesPassedOverCountFromTheNextBlockOn() {
    var queue = queue(3)
    queue.pass(50)
    #expect(queue.end == 1_434)
    queue.give(128)
    #expect(queue.lastGiven == 1_434)
    #expect(queue.dryFrame(available: 300) == 1_434)
  }

  @Test func framesFromBeforeAGapKeepTheirNumbers() {
    // Holds 1256...1383, passed over 1384...1433, and then 1434...1561.
    var queue = queue(3)
    queue.pass(50)
    queue.give(128)
    #expect(queue.droppedFrame(available: 128) == 1_256)
    #expect(queue.droppedFrame(available: 255) == 1_383)
    #expect(queue.droppedFrame(available: 256) == 1_434)
    #expect(queue.droppedFrame(available: 384) == 1_562)
  }

  @Test func aDeviceThatSaysNothingMoreHasPlayedWhatItHadWhenItLastDid() {
    var queue = queue(2)
    #expect(queue.lastPosition == 1_000)
    queue.read(available: 250)
    #expect(queue.lastPosition == 1_122)
    queue.give(128)
    #expect(queue.lastPosition == 1_122)
    // A position never goes back, nor beyond what it was given.
    queue.read(available: 100)
    #expect(queue.lastPosition == 1_122)
    queue.read(available: 500)
    #expect(queue.lastPosition == 1_384)
  }
}
