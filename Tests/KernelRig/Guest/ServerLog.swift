// SPDX-License-Identifier: Apache-2.0

/// What a sound server tells of itself.
struct ServerLog {
  /// Lines with their instants of CLOCK_MONOTONIC.
  private let lines: [(us: Int64, text: Substring)]

  init(_ text: String) {
    // "[I][11996.816808] pw.node      | [     impl-node.c: 1058 dump_states()] (starlight-25) client too slow! ..."
    lines = text.split(separator: "\n").compactMap { line in
      let words = line.split(whereSeparator: { "[]".contains($0) })
      guard words.count > 2, let seconds = Double(words[1]) else { return nil }
      return (Int64(seconds * 1e6), words[words.count - 1])
    }
  }

  /// Who, by PipeWire's own word, was not ready when a cycle was over, in whose place it played silence. It says so once
  /// in two seconds: what was told just before a time may go on in it.
  func lateClients(in time: ClosedRange<Int64>) -> [String] {
    lines.filter { $0.us >= time.lowerBound - 2_000_000 && $0.us <= time.upperBound && $0.text.contains("too slow") }
      .map { String($0.text.drop { $0 == " " }) }
  }
}
