// SPDX-License-Identifier: Apache-2.0

import Engine
import Journal
import Mixing

/// A journal taken apart by who did what: control at the border, and the thread that called the mixer.
struct JournalParts {
  var border: [JournalRecord] = []
  var calls: [MixerNote] = []
  var heard: [ReplayedAudio.Second] = []
  var end = ReplayOutcome.End.cut
}

extension JournalReplay {
  /// Reads what a run began with, and what was done in it.
  static func read(_ bytes: [UInt8]) throws(HostError) -> (JournalHead, JournalParts) {
    do throws(JournalFault) {
      let reader = try JournalReader(bytes)
      guard let first = reader.records.first, first.kind == .head else { throw .record }
      var parts = JournalParts()
      for record in reader.records.dropFirst() {
        var fields = JournalFieldReader(record)
        switch record.kind {
        case .mixer: parts.calls.append(try fields.mixerNote())
        case .heard: parts.heard.append(.init(number: try fields.signed(), fingerprint: try fields.whole()))
        default: parts.border.append(record)
        }
        if record.kind == .end { parts.end = .whole }
        if record.kind == .truncated { parts.end = .truncated }
      }
      return (try JournalHead(first), parts)
    } catch {
      throw HostError(
        "the journal cannot be replayed: \(error)",
        details: error == .noJournal ? ["name a file that `starlightd --journal FILE` wrote"] : [])
    }
  }
}

extension JournalHead {
  /// Refuses packs that are not those of the run.
  func check(_ catalog: Catalog) throws(HostError) {
    let there = catalog.packs.map { Pack(name: $0.manifest.name, path: $0.path, print: PackPrint.print(of: $0)) }
    var details: [String] = []
    for pack in packs {
      guard let found = there.first(where: { $0.name == pack.name }) else {
        details.append("pack \(pack.name), which was in \(pack.path), is not found")
        continue
      }
      if found.print != pack.print {
        details.append("the files of pack \(pack.name) in \(found.path) are not what they were")
      }
    }
    for pack in there where !packs.contains(where: { $0.name == pack.name }) {
      details.append("pack \(pack.name) in \(pack.path) was not there then")
    }
    if details.isEmpty, there.map(\.name) != packs.map(\.name) { details.append("they were found in another order") }
    if !details.isEmpty {
      throw HostError("the run was played with other packs, so it would not be the same again", details: details)
    }
  }
}
