// SPDX-License-Identifier: Apache-2.0

import Wire

/// What clients are told, as the server sends it: what waits for its instant may be recalled.
struct ScriptTellings {
  private struct Telling {
    var line: ScriptLog.Line
    var sentUs: Int64
    var group: String?
  }

  private var tellings: [Telling] = []

  /// In the order of sending.
  var lines: [ScriptLog.Line] {
    tellings.enumerated().sorted { ($0.element.sentUs, $0.offset) < ($1.element.sentUs, $1.offset) }
      .map(\.element.line)
  }

  mutating func take(_ notification: OutgoingNotification, nowUs: Int64) {
    if let group = notification.recalls {
      let fromUs = max(notification.recallsFromUs.map { $0 - ScriptLog.zeroUs } ?? nowUs, nowUs + 1)
      tellings.removeAll { $0.group == group && $0.sentUs >= fromUs }
    }
    guard let words = Self.words(of: notification) else { return }
    let sentUs = notification.sendAtUs.map { max($0 - ScriptLog.zeroUs, nowUs) } ?? nowUs
    tellings.append(
      Telling(line: (notification.tUs - ScriptLog.zeroUs, words), sentUs: sentUs, group: notification.group))
  }

  /// `music crossfaded other from main`, `sound finished click (cancelled)`: what it is of, what became of that, and why.
  private static func words(of notification: OutgoingNotification) -> String? {
    let line = String(decoding: notification.line(seq: 1), as: UTF8.self)
    func value(_ field: String) -> String? {
      guard let start = line.firstRange(of: "\"\(field)\":\"")?.upperBound else { return nil }
      return String(line[start...].prefix { $0 != "\"" })
    }
    let method = (value("method") ?? "?").split(separator: ".").map(String.init)
    let change = value("change") ?? method.last ?? "?"
    guard method[0] != "settings", !["looped", "level"].contains(change) else { return nil }
    var words = [method[0]]
    if let verb = value("verb") { words.append(verb) }
    words.append(change)
    for field in ["track", "sound", "cue", "source", "chapter"] {
      if let name = value(field) { words.append(ScriptLog.bare(name)) }
    }
    if let from = value("from") { words += ["from", ScriptLog.bare(from)] }
    if let reason = value("reason") { words.append("(\(reason))") }
    return words.joined(separator: " ")
  }
}
