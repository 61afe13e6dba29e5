// SPDX-License-Identifier: Apache-2.0

import ControlInput
import Testing

/// An axis taps once it has come half of its way, and again only after it was back below four tenths.
@Suite struct AxisSwitchTests {
  private func presses(_ direction: Control.Direction, from minimum: Int32, to maximum: Int32, _ values: [Int32])
    -> [Int32]
  {
    var axis = AxisSwitch(direction)
    axis.find(AxisPlace(values[0], in: minimum, maximum))
    return values.dropFirst().filter { axis.move(to: $0) }
  }

  @Test func aStickTapsHalfWayFromItsMiddleEachWay() {
    // The middle is -0.5, half of the way from there 16,383.25.
    #expect(presses(.up, from: -32_768, to: 32_767, [0, 16_383, 16_384, 32_767]) == [16_384])
    #expect(presses(.down, from: -32_768, to: 32_767, [0, -16_384, -16_385, -32_768]) == [-16_385])
    #expect(presses(.up, from: -32_768, to: 32_767, [0, -32_768]) == [])
  }

  @Test func aHandThatTremblesTapsOnce() {
    // Of 0 to 200 the middle is 100: on from 150, off below 140.
    #expect(presses(.up, from: 0, to: 200, [100, 150, 149, 150, 140, 151]) == [150])
    #expect(presses(.up, from: 0, to: 200, [100, 150, 139, 149, 150]) == [150, 150])
    #expect(presses(.down, from: 0, to: 200, [100, 50, 51, 60, 50, 61, 50]) == [50, 50])
  }

  @Test func aTriggerTapsHalfWayFromOneEndToTheOther() {
    #expect(presses(.whole, from: 0, to: 255, [0, 127, 128, 255]) == [128])
    #expect(presses(.whole, from: 0, to: 255, [0, 128, 102, 128, 101, 128]) == [128, 128])
  }

  @Test func aHatTapsAtEitherEnd() {
    #expect(presses(.up, from: -1, to: 1, [0, 1, 0, -1, 1]) == [1, 1])
    #expect(presses(.down, from: -1, to: 1, [0, 1, 0, -1, 1]) == [-1])
  }

  @Test func whatIsHeldWhenItIsFoundIsNoTap() {
    #expect(presses(.whole, from: 0, to: 255, [255, 255, 0, 255]) == [255])
  }

  @Test func anAxisThatWasLostIsFoundAnewBeforeItTaps() {
    var axis = AxisSwitch(.whole)
    axis.find(AxisPlace(0, in: 0, 255))
    axis.lose()
    #expect(axis.isUnknown)
    let isPress = axis.move(to: 255)
    #expect(!isPress)
    #expect(!axis.isUnknown)
    _ = axis.move(to: 0)
    let isPressAgain = axis.move(to: 255)
    #expect(isPressAgain)
  }

  @Test(arguments: [(0, 0), (5, -5), (Int32.max, Int32.min)] as [(Int32, Int32)])
  func anAxisWithoutAWayNeverTaps(_ ends: (Int32, Int32)) {
    for direction in [Control.Direction.up, .down, .whole] {
      #expect(presses(direction, from: ends.0, to: ends.1, [0, .max, .min, 0, 1]) == [])
    }
  }

  @Test func theWidestAxisThereIsOverflowsNothing() {
    #expect(presses(.up, from: .min, to: .max, [.min, .max, .min, .max]) == [.max, .max])
    #expect(presses(.whole, from: .min, to: .max, [.min, 0, .max]) == [0])
  }
}
