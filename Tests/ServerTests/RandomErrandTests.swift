// SPDX-License-Identifier: Apache-2.0

import Glibc
import SeededNumbers
import Testing

@testable import Server

/// Lines that are served at once, worked on by another thread, or read by it to begin with, of several clients at once.
@Suite struct RandomErrandTests {
  /// A client, what it has still to send, and which lines it is answered.
  private struct Asking {
    let client: TestClient
    var unsent: [UInt8] = []
    var expected: [Int] = []
    var answered: [Int] = []
  }

  /// A line by that number, of some length.
  private static func line(_ number: Int, using random: inout SeededRandom) -> String {
    func play(_ bytes: Int) -> String {
      let zeros = String(repeating: ",0", count: bytes / 2)
      return #"{"id":\#(number),"method":"haptics.play","params":{"ahap":[0\#(zeros)]}}"# + "\n"
    }
    return switch random.next(below: 6) {
    case 0...2: #"{"id":\#(number),"method":"settings.get"}"# + "\n"
    // What is short is served at once, and refused as there is nobody to compute it.
    case 3: play(20)
    case 4: play(5_000)
    default: play(20_000)
    }
  }

  private static func number(of reply: String) -> Int? {
    guard let start = reply.firstRange(of: #""id":"#)?.upperBound else { return nil }
    return Int(reply[start...].prefix { $0.isNumber })
  }

  @Test func eachClientIsAnsweredInTheOrderOfItsLinesWhoeverWorksOnThem() throws {
    try search(upTo: 6) { random in
      let rig = try Rig(clock: .live)
      rig.host.work = { 7 }
      var asking: [Asking] = []
      for _ in 0..<3 { asking.append(Asking(client: try rig.connect())) }
      for round in 0..<8 {
        for index in asking.indices {
          for _ in 0..<random.next(below: 4) {
            let number = asking[index].expected.count + 1
            asking[index].expected.append(number)
            asking[index].unsent += Array(Self.line(number, using: &random).utf8)
          }
        }
        // The last round is over when all are answered.
        let isLast = round == 7
        for _ in 0..<(isLast ? 100_000 : random.next(below: 3)) {
          if isLast, asking.allSatisfy({ $0.answered.count == $0.expected.count }) { break }
          for index in asking.indices {
            let most = min(asking[index].unsent.count, random.oneIn(3) ? random.next(below: 9_000) : .max)
            asking[index].unsent.removeFirst(asking[index].client.send(Array(asking[index].unsent.prefix(most))))
          }
          rig.settle(rounds: 1)
          for index in asking.indices {
            asking[index].answered += asking[index].client.lines().compactMap(Self.number)
            let (answered, expected) = (asking[index].answered, asking[index].expected)
            try hold(
              answered == Array(expected.prefix(answered.count)), "client \(index) is answered \(answered)")
          }
          sched_yield()
        }
      }
      for one in asking { try hold(one.answered == one.expected, "answered are \(one.answered) of \(one.expected)") }
    }
  }
}
