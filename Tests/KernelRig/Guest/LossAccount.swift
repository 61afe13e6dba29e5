// SPDX-License-Identifier: Apache-2.0

import StarlightClient
import Wire

/// What the daemon's threads did around frames that were lost: for whoever asks why a check of no xruns failed.
struct LossAccount: CustomStringConvertible {
  /// How long before a loss is looked at.
  private static let beforeUs: Int64 = 12_000

  private var losses: [String] = []

  /// Reads it from a daemon that told of `xruns`; where there were none nothing is read.
  init(of daemon: Daemon, xruns: Int) throws {
    guard xruns > 0 else { return }
    var records: [TraceEntry] = []
    var page = TraceRead.Params()
    repeat {
      let read = try daemon.connection.call(TraceRead.self, page)
      records += read.records
      page.from = read.next
      if read.next >= read.end || read.records.isEmpty { break }
    } while true
    for loss in records where loss.what == .lost {
      let around = records.filter { $0.fromUs > loss.fromUs - Self.beforeUs && $0.fromUs <= loss.fromUs + 1_000 }
      losses.append(around.sorted { $0.fromUs < $1.fromUs }.map { Self.text($0, loss.fromUs) }.joined(separator: ", "))
    }
  }

  /// What it was, when it was to begin, began and was over, in microseconds from the loss.
  private static func text(_ record: TraceEntry, _ zero: Int64) -> String {
    let due = record.dueUs.map { "due \($0 - zero) " } ?? ""
    let end = record.toUs.map { "..\($0 - zero)" } ?? ""
    let used = record.processorUs.map { " used \($0)" } ?? ""
    return "\(record.what) \(record.method ?? record.detail ?? "") \(due)\(record.fromUs - zero)\(end)\(used)"
  }

  var description: String { losses.joined(separator: " | ") }
}
