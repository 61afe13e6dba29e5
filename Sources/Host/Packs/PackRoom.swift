// SPDX-License-Identifier: Apache-2.0

import Engine

/// Room for what was read of packs before: so many earlier readings are kept for what still plays or is planned of them.
extension Host {
  /// Finds room for what was read before of packs that are replaced or taken out: of what nobody plays any more nobody's room is
  /// taken, and what is held by those who hold too many is let go of (`GenerationShares`). False where there is none, and all is
  /// as it was.
  func makeRoom(forEarlier names: Set<String>) -> Bool {
    guard bank.earlierCount + names.count > GenerationShares.most else { return true }
    // Those that have come to their end since that was looked at are still among them.
    letGoOfUnused()
    let replaced = engine.catalog.generations.filter { names.contains($0.name) }
    let kept = (bank.keptGenerations + replaced).sorted { $0.number < $1.number }
    let surplus = kept.count - GenerationShares.most
    if surplus <= 0 { return true }
    guard let outdated = GenerationShares.outdated(engine.held(kept), surplus: surplus) else { return false }
    for place in outdated { outdate(generation: kept[place].number) }
    return true
  }

  /// Why something is not taken: for people, with what to do about it.
  static let noRoomForEarlier = (
    reason: """
    \(GenerationShares.most) earlier generations of packs are still played or planned, which is the most, by clients that hold \
    no more than their share
    """,
    remedy: "stop what plays and is planned of them, and ask again"
  )
}
