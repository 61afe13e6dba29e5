// SPDX-License-Identifier: Apache-2.0

import CommandTable
import GamePacks
import Wire

/// What a name stands for that was taken for something else.
extension ListCommand.Kind {
  /// One of them: "chapter".
  var single: String { String(rawValue.dropLast()) }

  /// The command that takes `name`, which is one of them.
  func use(_ name: String) -> String {
    switch self {
    case .tracks: "`starlight music play \(name)` plays it"
    case .sounds: "`starlight sound play \(name)` plays it"
    case .patterns: "`starlight audition \(name)` plays and draws it"
    case .cues: "`starlight cue fire \(name)` fires it"
    case .chapters: "`starlight rhythm play \(name)` plays it"
    case .parameters: "`starlight parameter set \(name) VALUE` sets it"
    }
  }
}

extension PackList.Pack {
  /// The kinds of what is called `name`, without the pack's name.
  func kinds(of name: String) -> [ListCommand.Kind] {
    ListCommand.Kind.allCases.filter { kind in rows(of: kind).contains { $0[0] == "\(self.name):\(name)" } }
  }
}

extension PackManifest {
  /// The same as it is written.
  func kinds(of name: String) -> [ListCommand.Kind] {
    ListCommand.Kind.allCases.filter { kind in
      switch kind {
      case .tracks: tracks[name] != nil
      case .sounds: sounds[name] != nil
      case .patterns: patterns[name] != nil
      case .cues: cues[name] != nil
      case .chapters: chapters[name] != nil
      case .parameters: parameters[name] != nil
      }
    }
  }
}

/// Refuses a path where a thing of a pack is to be named: no file is played by itself.
func refuseFile(_ name: String, _ kind: ListCommand.Kind) throws(ToolFailure) {
  // No name has either in it.
  guard name.contains(where: { "./".contains($0) }), fileStatus(name) != nil else { return }
  throw ToolFailure(
    "\(name) is a \(isFolder(name) ? "folder" : "file"): a \(kind.single) is played by its name in a pack",
    hint: "`starlight list \(kind.rawValue)` names them; `starlight pack import \(quotedForShell(name)) --into FOLDER` "
      + "brings it into a pack", kind: .unknownName)
}

extension ToolFailure {
  /// `name`, whole, is of those kinds, and something of the kind `wanted` was asked for, as the daemon says it; nil where it is
  /// of none.
  static func otherKind(_ name: String, _ kinds: [ListCommand.Kind], wanted: String, hint: String) -> ToolFailure? {
    guard let kind = kinds.first else { return nil }
    let said = kinds.map { "a \($0.single)" }.joined(separator: " and ")
    return ToolFailure(
      "no \(wanted) \(name): \(name) is \(said)", hint: "\(kind.use(name)); \(hint)", kind: .unknownName)
  }
}
