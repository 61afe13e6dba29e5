// SPDX-License-Identifier: Apache-2.0

import Suggestions
import Wire

extension ListCommand {
  /// The packs and kinds that a word stands for: a kind, a pack, or whatever in a pack has that name.
  static func chosen(
    _ word: String?, of list: PackList.Result
  ) throws(ToolFailure) -> (packs: PackList.Result, kinds: [Kind]) {
    guard let word else { return (list, Kind.allCases) }
    if let kind = Kind(rawValue: word) ?? Kind(rawValue: word + "s") { return (list, [kind]) }
    var found = list
    found.packs = list.packs.filter { $0.name == word }
    if found.packs.isEmpty { found.packs = list.packs.compactMap { $0.holding(word) } }
    found.problems = []
    if !found.packs.isEmpty { return (found, Kind.allCases) }
    let kinds = Kind.allCases.map(\.rawValue)
    let names = list.packs.flatMap { pack in
      [pack.name] + Kind.allCases.flatMap { pack.rows(of: $0).compactMap(\.first) }
    }
    let bare = names.map { $0.split(separator: ":").last.map(String.init) ?? $0 }
    let near = nearest(to: word, among: Set(kinds + names + bare))
    throw ToolFailure(
      "nothing is called \(word)\(didYouMean(oneOf: near))",
      hint: "`starlight list` names all there is; kinds are \(kinds.joined(separator: ", "))", kind: .unknownName,
      candidates: near)
  }
}

extension PackList.Pack {
  /// What of it has that name, with the pack's before it or without; nil for nothing.
  fileprivate func holding(_ name: String) -> PackList.Pack? {
    func isMeant(_ other: String) -> Bool { other == name || other == "\(self.name):\(name)" }
    var pack = self
    pack.tracks.removeAll { !isMeant($0.name) }
    pack.sounds.removeAll { !isMeant($0.name) }
    pack.patterns.removeAll { !isMeant($0.name) }
    pack.cues.removeAll { !isMeant($0) }
    pack.chapters.removeAll { !isMeant($0.name) }
    pack.parameters.removeAll { !isMeant($0) }
    pack.problems.removeAll { $0.where.asset?.name != name }
    return ListCommand.Kind.allCases.allSatisfy { pack.rows(of: $0).isEmpty } ? nil : pack
  }
}
