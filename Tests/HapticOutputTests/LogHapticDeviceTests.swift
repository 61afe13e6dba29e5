// SPDX-License-Identifier: Apache-2.0

import CRealTime
import FoundationEssentials
import Glibc
import HapticOutput
import Haptics
import Problems
import Testing
import Timing

@Suite struct LogHapticDeviceTests {
  private let one = HapticPlayerID(rawValue: 1)

  /// 0.8 at sharpness 0.3 for 20 ms from 1.0005 ms on, then a fade from 0.5 to 0 in 25 ms from 50 ms on.
  private var commands: [HapticCommand] {
    let tap = HapticPattern.transient(intensity: 0.8, sharpness: 0.3)
    let fade = HapticPattern(
      AHAPDocument(
        events: [AHAPEvent(.continuous, time: 0, duration: 0.025, parameters: [.intensity: 0.5, .sharpness: 1])],
        controls: [
          AHAPControl(.intensity, time: 0, points: [.init(time: 0, value: 1), .init(time: 0.025, value: 0)])
        ]))
    return [
      .start(one, tap, source: "tap", at: Instant(nanoseconds: 1_000_500), options: HapticPlayOptions()),
      .start(
        HapticPlayerID(rawValue: 2), fade, source: "fade \"out\"", at: Instant(microseconds: 50_000),
        options: HapticPlayOptions()),
    ]
  }

  private let lines = [
    #"{"tUs":1000,"intensity":0.8,"sharpness":0.3,"source":"tap"}"#,
    #"{"tUs":21000,"intensity":0,"sharpness":0,"source":null}"#,
    #"{"tUs":50000,"intensity":0.5,"sharpness":1,"source":"fade \"out\""}"#,
    #"{"tUs":60000,"intensity":0.3,"sharpness":1,"source":"fade \"out\""}"#,
    #"{"tUs":70000,"intensity":0.1,"sharpness":1,"source":"fade \"out\""}"#,
    #"{"tUs":75000,"intensity":0,"sharpness":0,"source":null}"#,
  ]

  @Test(arguments: [1_000_000, 100, 7, 1] as [Int64]) func everyChangeIsALineHoweverTheTimeIsStepped(
    _ milliseconds: Int64
  ) throws {
    let written = try log { device in
      device.send(commands)
      var at = Int64(0)
      while at < 200 {
        at += milliseconds
        device.advance(to: Instant(nanoseconds: at * 1_000_000))
      }
    }
    #expect(written == lines)
  }

  @Test func whatIsDueAtTheInstantItselfIsDone() throws {
    let written = try log { device in
      device.send(commands)
      device.advance(to: Instant(microseconds: 1_001))
    }
    #expect(written.first == lines[0])
    // Stopped in the middle of the tap: silence is the last word.
    #expect(written.last == #"{"tUs":1001,"intensity":0,"sharpness":0,"source":null}"#)
  }

  @Test func muteActsAtTheInstantReached() throws {
    let written = try log { device in
      device.send(commands)
      device.advance(to: Instant(microseconds: 5_000))
      device.send([.volume(0)])
      device.advance(to: Instant(microseconds: 10_000))
      device.send([.volume(1)])
      device.advance(to: Instant(microseconds: 30_000))
    }
    #expect(
      written == [
        lines[0],
        #"{"tUs":5000,"intensity":0,"sharpness":0,"source":null}"#,
        #"{"tUs":10000,"intensity":0.8,"sharpness":0.3,"source":"tap"}"#,
        lines[1],
      ])
  }

  @Test func sourcesThatAreFeltTogetherAreNamedTogether() throws {
    let rumble = HapticPattern.continuous(intensity: 0.2, sharpness: 0.3, duration: .milliseconds(10))
    let written = try log { device in
      device.send(
        ["a", "b", "a"].enumerated().map { number, name in
          .start(
            HapticPlayerID(rawValue: UInt64(number)), rumble, source: name, at: .zero, options: HapticPlayOptions())
        })
      device.advance(to: Instant(microseconds: 5_000))
    }
    #expect(written.first == #"{"tUs":0,"intensity":0.6,"sharpness":0.3,"source":"a+b"}"#)
  }

  /// Nine changes each 10 ms, 250 us apart, for three seconds: more than a log may have at once, fewer than it may have a second.
  @Test(arguments: [3_100_000, 7_000, 333]) func everyChangeHasItsLineByteForByte(step: Int) throws {
    let places = (0..<900 as Range<Int64>).map { $0 / 9 * 10_000 + $0 % 9 * 250 }
    // In hundredths; no two in a row are alike.
    let levels = (0..<900).map { (intensity: 1 + $0 * 37 % 100, sharpness: $0 * 13 % 101) }
    let ends = places.dropFirst() + [1_000_000]
    let pattern = HapticPattern(
      AHAPDocument(
        events: zip(zip(places, ends), levels).map { place, level in
          AHAPEvent(
            .continuous, time: Double(place.0) / 1e6, duration: Double(place.1 - place.0) / 1e6,
            parameters: [
              .intensity: Double(level.intensity) / 100, .sharpness: Double(level.sharpness) / 100,
            ])
        }))
    func decimal(_ hundredths: Int) -> String {
      switch hundredths {
      case 0: "0"
      case 100: "1"
      case _ where hundredths % 10 == 0: "0.\(hundredths / 10)"
      default: hundredths < 10 ? "0.0\(hundredths)" : "0.\(hundredths)"
      }
    }
    var golden = ""
    for turn in 0..<3 as Range<Int64> {
      for (place, level) in zip(places, levels) {
        golden += #"{"tUs":\#(turn * 1_000_000 + place),"intensity":\#(decimal(level.intensity)),"#
        golden += #""sharpness":\#(decimal(level.sharpness)),"source":"turn \#(turn)"}"# + "\n"
      }
    }
    golden += #"{"tUs":3000000,"intensity":0,"sharpness":0,"source":null}"# + "\n"
    var path = Array("/tmp/starlight-golden-XXXXXX".utf8CString)
    let device = try LogHapticDevice(fileDescriptor: mkstemp(&path), name: "log")
    let name = path.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    defer { unlink(name) }
    device.send(
      (0..<3 as Range<Int64>).map { turn in
        .start(
          HapticPlayerID(rawValue: UInt64(turn)), pattern, source: "turn \(turn)",
          at: Instant(microseconds: turn * 1_000_000),
          options: HapticPlayOptions())
      })
    for us in stride(from: 0 as Int64, through: 3_100_000, by: step) { device.advance(to: Instant(microseconds: us)) }
    device.stop()
    let log = try #require(fopen(name, "r"))
    defer { fclose(log) }
    var bytes = [UInt8](repeating: 0, count: golden.utf8.count + 1)
    let count = fread(&bytes, 1, bytes.count, log)
    #expect(bytes[..<count].elementsEqual(golden.utf8))
  }

  @Test func liveDeviceFollowsTheClockAndEndsSilent() throws {
    let now = Instant(nanoseconds: rt_now_ns())
    let written = try log { device in
      device.start()
      let rumble = HapticPattern.continuous(intensity: 1, sharpness: 0, duration: .seconds(30))
      device.send([.start(one, rumble, source: "live", at: now, options: HapticPlayOptions())])
    }
    #expect(written.count == 2)
    #expect(written.first == #"{"tUs":\#(now.microseconds),"intensity":1,"sharpness":0,"source":"live"}"#)
    #expect(written.last?.hasSuffix(#""intensity":0,"sharpness":0,"source":null}"#) == true)
  }

  @Test func stoppingTwiceOrNeverStartingIsFine() throws {
    #expect(try log { $0.stop() } == [])
    #expect(try log { _ in } == [])
  }

  @Test func fileThatCannotBeMadeIsExplained() {
    #expect {
      try LogHapticDevice(path: "/nonexistent/haptics.ndjson")
    } throws: { error in
      "\(error)".contains("/nonexistent/haptics.ndjson") && "\(error)".contains("make its directory first")
    }
  }

  @Test func fileThatIsBeingWrittenIsRefused() throws {
    let path = FileManager.default.temporaryDirectory.path + "/haptics-" + UUID().uuidString
    defer { unlink(path) }
    let device = try LogHapticDevice(path: path)
    let error = #expect(throws: Problem.self) { try LogHapticDevice(path: path) }
    #expect(
      error?.description == "cannot open the haptic log \(path): another program writes it; choose another path")
    device.stop()
    try LogHapticDevice(path: path).stop()
  }

  @Test func readerThatGoesAwayIsAFailureToBeToldNotACrash() throws {
    signal(SIGPIPE, SIG_IGN)
    var ends: [Int32] = [0, 0]
    try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0)
    let device = try LogHapticDevice(fileDescriptor: ends[1], name: "socket")
    // Another thread may be starting a program, which has a copy until it runs: closing alone would not do.
    shutdown(ends[0], Int32(SHUT_RDWR))
    close(ends[0])
    device.send(commands)
    #expect(device.failure == nil)
    device.advance(to: Instant(microseconds: 100_000))
    #expect(device.failure?.description.contains("haptic log socket: ") == true)
    device.stop()
  }

  /// The lines that a device writes while `body` uses it, and on being stopped after.
  private func log(_ body: (LogHapticDevice) throws -> Void) throws -> [String] {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    let device = try LogHapticDevice(fileDescriptor: ends[1], name: "pipe")
    try body(device)
    device.stop()
    var text: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4_096)
    while true {
      let count = read(ends[0], &chunk, chunk.count)
      if count <= 0 { break }
      text += chunk[..<count]
    }
    close(ends[0])
    return String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init)
  }
}
