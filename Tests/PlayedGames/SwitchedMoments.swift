// SPDX-License-Identifier: Apache-2.0

/// Which moments came while which switch was off, or on, and was turned the other way within the frame.
struct SwitchedMoments {
  private struct Turned: Hashable {
    var moment: String
    var switchName: String
    var isOn: Bool
  }

  /// How the switches stand at first in plays that turn them at every moment: of two players who do the same otherwise, each
  /// has them as the other has not.
  static let plays = ["on,off,on", "off,on,off"]

  private static let switches = ["sound switch", "touch switch", "music switch"]
  /// A frame, and what a moment that was planned comes before the one in which it is seen.
  private static let frameUs: Int64 = 16_667
  private var turned: Set<Turned> = []

  /// Takes in what was seen in one play, in which all switches are on at first.
  mutating func add(_ lines: [PlayerLine]) {
    var isOn = Dictionary(uniqueKeysWithValues: Self.switches.map { ($0, true) })
    for (index, line) in lines.enumerated() {
      if Self.switches.contains(line.what) {
        isOn[line.what] = line.isOn
        continue
      }
      let frame = lines[(index + 1)...].prefix { $0.atUs <= line.atUs + Self.frameUs }
      for name in Self.switches {
        guard let turn = frame.first(where: { $0.what == name }), let before = isOn[name], turn.isOn == !before else {
          continue
        }
        turned.insert(Turned(moment: Self.name(line), switchName: name, isOn: !before))
      }
    }
  }

  /// What of these moments never came so.
  func missing(of moments: [String]) -> [String] {
    moments.flatMap { moment in
      Self.switches.flatMap { name in
        [true, false].filter { !turned.contains(Turned(moment: moment, switchName: name, isOn: $0)) }.map {
          "the \(name) was never turned \($0 ? "on" : "off") at the moment \"\(moment)\""
        }
      }
    }
  }

  /// Chapters are moments of their own.
  private static func name(_ line: PlayerLine) -> String {
    line.what == "chapter" ? "chapter \(line.number ?? 0)" : line.what
  }
}
