// SPDX-License-Identifier: Apache-2.0

import Engine
import Journal
import Timing
import Wire

/// What a run was begun with: all that has to be the same for it to be done again.
struct JournalHead {
  /// A pack as it was at the start.
  struct Pack {
    var name: String
    var path: String
    /// What its files came to.
    var print: UInt64
  }

  /// The version of the program that wrote it.
  var program: String
  var isLive: Bool
  var rate: Int
  /// From which the variations of cues are drawn.
  var seed: UInt64
  var announceLead: Interval
  var hasHapticLog: Bool
  /// Where packs were looked for.
  var packFolders: [String]
  var usualPackFolders: [String]
  var activePack: String?
  /// What was found there, in order.
  var packs: [Pack]
  /// The first turn.
  var turn: Turn
  /// Told what the runs of chapters are told while it is done again; not written.
  var rhythmSteps: RhythmSteps?

  init(
    _ configuration: HostConfiguration, _ engine: Engine.Configuration, _ catalog: Catalog, _ turn: Turn
  ) {
    program = starlightVersion
    isLive = configuration.clock == .live
    rate = configuration.rate
    (seed, announceLead) = (engine.seed, engine.announceLead)
    hasHapticLog = configuration.hapticLogPath != nil
    (packFolders, usualPackFolders) = (configuration.packFolders, configuration.usualPackFolders)
    activePack = configuration.activePack
    packs = catalog.packs.map { Pack(name: $0.manifest.name, path: $0.path, print: PackPrint.print(of: $0)) }
    self.turn = turn
  }

  func write(into fields: inout JournalFields) {
    fields.add(program)
    fields.add(isLive)
    fields.add(rate)
    fields.add(whole: seed)
    fields.add(announceLead.nanoseconds)
    fields.add(hasHapticLog)
    for folders in [packFolders, usualPackFolders] {
      fields.add(folders.count)
      for folder in folders { fields.add(folder) }
    }
    fields.add(optional: activePack)
    fields.add(packs.count)
    for pack in packs {
      fields.add(pack.name)
      fields.add(pack.path)
      fields.add(whole: pack.print)
    }
    var first = JournalTurn()
    first.write(turn, into: &fields)
  }

  /// Reads what `write` wrote.
  init(_ record: JournalRecord) throws(JournalFault) {
    var fields = JournalFieldReader(record)
    program = try fields.text()
    isLive = try fields.flag()
    rate = try fields.integer()
    seed = try fields.whole()
    announceLead = Interval(nanoseconds: try fields.signed())
    hasHapticLog = try fields.flag()
    packFolders = try Self.texts(&fields)
    usualPackFolders = try Self.texts(&fields)
    activePack = try fields.optionalText()
    packs = []
    for _ in 0..<(try Self.count(&fields)) {
      packs.append(Pack(name: try fields.text(), path: try fields.text(), print: try fields.whole()))
    }
    turn = Turn(
      now: .distantPast, timeline: AudioTimeline(frame: 0, instant: .distantPast, rate: max(rate, 1)),
      reachableFrame: 0, hapticLead: .zero)
    var first = JournalTurn()
    try first.read(&fields, over: &turn)
    guard 8_000...192_000 ~= rate, fields.isAtEnd else { throw .record }
  }

  private static func count(_ fields: inout JournalFieldReader) throws(JournalFault) -> Int {
    let count = try fields.integer()
    guard 0...65_536 ~= count else { throw .record }
    return count
  }

  private static func texts(_ fields: inout JournalFieldReader) throws(JournalFault) -> [String] {
    var texts: [String] = []
    for _ in 0..<(try count(&fields)) { texts.append(try fields.text()) }
    return texts
  }

  /// Has an engine begin as that one did.
  func begin(_ configuration: inout Engine.Configuration) {
    (configuration.seed, configuration.announceLead) = (seed, announceLead)
    if let rhythmSteps { configuration.rhythmWitness = { rhythmSteps.note($0) } }
  }
}
