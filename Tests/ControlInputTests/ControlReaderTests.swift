// SPDX-License-Identifier: Apache-2.0

import ControlInput
import Testing
import Timing

/// What events of a device come to.
@Suite struct ControlReaderTests {
  /// A reader that an expectation may have read on.
  private final class SharedReader {
    private var reader = ControlReader()

    var unknownAxes: [UInt16] { reader.unknownAxes }
    func listen(to controls: Set<Control>) { reader.listen(to: controls) }
    func find(_ axis: UInt16, at place: AxisPlace) { reader.find(axis, at: place) }
    func take(_ event: ControlEvent) -> ControlReader.Outcome? { reader.take(event) }
  }

  private static let south = Control(key: 0x130)
  private static let east = Control(key: 0x131)
  private static let trigger = Control(axis: 2, .whole)

  private enum Kind: UInt16 {
    case report = 0
    case key = 1
    case axis = 3
  }

  private func event(_ kind: Kind, _ code: UInt16, _ value: Int32) -> ControlEvent {
    ControlEvent(type: kind.rawValue, code: code, value: value, at: Instant(microseconds: 7))
  }

  private var dropped: ControlEvent { event(.report, 3, 0) }
  private var report: ControlEvent { event(.report, 0, 0) }

  @Test func aPressTapsAndItsRepeatsAndItsReleaseDoNot() {
    let reader = SharedReader()
    reader.listen(to: [Self.south])
    #expect([1, 2, 2, 0].map { reader.take(event(.key, 0x130, $0)) } == [.pressed([Self.south]), nil, nil, nil])
    #expect(reader.take(event(.key, 0x130, 1)) == .pressed([Self.south]))
  }

  @Test func whatIsNotBoundTapsNothing() {
    let reader = SharedReader()
    reader.listen(to: [Self.south])
    #expect(reader.take(event(.key, 0x131, 1)) == nil)
    #expect(reader.take(event(.axis, 2, 255)) == nil)
    // EV_MSC, as keyboards send it with each key.
    #expect(reader.take(ControlEvent(type: 4, code: 4, value: 30, at: .distantPast)) == nil)
    reader.listen(to: [Self.east])
    #expect(reader.take(event(.key, 0x130, 1)) == nil)
    #expect(reader.take(event(.key, 0x131, 1)) == .pressed([Self.east]))
  }

  @Test func anAxisTapsOnceItIsKnownWhereItIs() {
    let reader = SharedReader()
    reader.listen(to: [Self.trigger, Control(axis: 0, .up), Control(axis: 0, .down)])
    #expect(reader.unknownAxes == [0, 2])
    reader.find(0, at: AxisPlace(0, in: -100, 100))
    reader.find(2, at: AxisPlace(0, in: 0, 100))
    #expect(reader.unknownAxes == [])
    #expect(reader.take(event(.axis, 2, 50)) == .pressed([Self.trigger]))
    #expect(reader.take(event(.axis, 0, 50)) == .pressed([Control(axis: 0, .up)]))
    #expect(reader.take(event(.axis, 0, -50)) == .pressed([Control(axis: 0, .down)]))
  }

  @Test func anAxisThatWasBoundBeforeStaysWhereItIs() {
    let reader = SharedReader()
    reader.listen(to: [Self.trigger])
    reader.find(2, at: AxisPlace(0, in: 0, 100))
    _ = reader.take(event(.axis, 2, 60))
    reader.listen(to: [Self.trigger, Self.south])
    #expect(reader.unknownAxes == [])
    #expect(reader.take(event(.axis, 2, 70)) == nil)
  }

  @Test func whereEventsWereDroppedThatIsToldAndAxesAreLookedForAnew() {
    let reader = SharedReader()
    reader.listen(to: [Self.south, Self.trigger])
    reader.find(2, at: AxisPlace(0, in: 0, 100))
    #expect(reader.take(dropped) == nil)
    // The rest of a report whose beginning is gone.
    #expect(reader.take(event(.key, 0x130, 1)) == nil)
    #expect(reader.take(event(.axis, 2, 90)) == nil)
    #expect(reader.take(report) == .lost)
    #expect(reader.unknownAxes == [2])
    // From here on all is whole again: a press is a press, and an axis is found first.
    #expect(reader.take(event(.key, 0x130, 1)) == .pressed([Self.south]))
    #expect(reader.take(report) == nil)
    reader.find(2, at: AxisPlace(90, in: 0, 100))
    #expect(reader.take(event(.axis, 2, 95)) == nil)
    _ = reader.take(event(.axis, 2, 0))
    #expect(reader.take(event(.axis, 2, 50)) == .pressed([Self.trigger]))
  }
}
