// SPDX-License-Identifier: Apache-2.0

import CommandTable
import Wire

enum ListCommand {
  /// What is listed, each as its heading.
  enum Kind: String, CaseIterable {
    case tracks, sounds, patterns, cues, chapters, parameters
  }

  static let kind = Argument(
    "KIND|NAME", help: "only this kind, or only the pack or thing of this name; kinds are", isOptional: true,
    isOpen: true, completion: .choices(Kind.allCases.map(\.rawValue)))
  static let names = OptionKey.flag("names", help: "only names, one a line")

  static let command = ToolCommand(
    "list", summary: "lists tracks, sounds, patterns, cues, chapters and parameters",
    discussion: [
      "Asks the daemon for what it has loaded; where none runs, reads the packs that one would load: of the folders in "
        + "$STARLIGHT_PACKS, then your own in $XDG_DATA_HOME/starlight/packs, then those that are installed."
    ],
    arguments: [kind],
    options: [names.option],
    examples: [
      .init("starlight list", "everything in every pack"),
      .init("starlight list cues", "the cues, and what each holds"),
      .init("starlight list freefall", "one pack"),
    ], action: ToolAction(run))

  private static func run(_ tool: Tool) throws(ToolFailure) {
    // Where none answers and none was asked for by name it is the packs on disk that are listed.
    let connection = try tool.connectIfAny()
    if connection == nil, !tool.invocation[names] {
      let place = tool.invocation[GlobalOptions.socket].map { " at \($0)" } ?? ""
      tool.errors.note("no starlightd answers\(place): these are the packs that one started here would load")
    }
    let all = try connection?.askForPacks() ?? PackList.Result(onDisk: tool.environment)
    let (packs, wanted) = try chosen(tool.invocation[kind], of: all)
    if tool.invocation[names] {
      let names = packs.packs.flatMap { pack in wanted.flatMap { pack.rows(of: $0).map { $0[0] } } }
      tool.show(names, names)
    } else {
      // Among everything there is cues have their names alone.
      let isBrief = tool.invocation[kind] == nil || tool.wantsJSON || !wanted.contains(.cues)
      let cues = isBrief ? [:] : try connection?.cueTexts() ?? packs.cueTextsOnDisk
      tool.show(packs.only(wanted), listLines(packs, kinds: wanted, cues: cues, width: tool.out.readableWidth))
    }
  }
}

/// The packs for people; `cues` are what each `pack:cue` holds, as far as that is to be told.
func listLines(
  _ list: PackList.Result, kinds: [ListCommand.Kind], cues: [String: String] = [:], width: Int = .max
) -> [String] {
  if list.packs.isEmpty, list.problems.isEmpty {
    return ["no pack was found: `starlight doctor` says where it was looked for"]
  }
  var lines: [String] = []
  for pack in list.packs {
    // Asked for one kind, a pack that has none of it is left out, unless that is because of a problem.
    let isBare = pack.problems.isEmpty && kinds.allSatisfy { pack.rows(of: $0).isEmpty }
    if isBare, kinds.count < ListCommand.Kind.allCases.count { continue }
    if !lines.isEmpty { lines.append("") }
    let name = "\(pack.title) (\(pack.name)\(pack.name == list.active ? ", active" : ""))"
    let fits = name.count + 2 + pack.path.count <= width
    lines += fits ? ["\(name), \(pack.path)"] : [name + ",", "  " + pack.path]
    for hidden in pack.hides ?? [] { lines.append("  in place of \(hidden)") }
    for kind in kinds {
      var rows = pack.rows(of: kind)
      if rows.isEmpty { continue }
      if kind == .cues, !cues.isEmpty { rows = rows.map { $0 + [cues[$0[0]] ?? ""] } }
      lines.append("  " + kind.rawValue)
      lines += columns(rows, indent: 4, width: width)
    }
    for problem in pack.problems { lines += hanging("problem: \(problem.inPack)", indent: 2, width: width) }
  }
  if !list.packs.isEmpty, lines.isEmpty { lines = ["no pack has \(kinds.map(\.rawValue).joined(separator: " or "))"] }
  if !list.problems.isEmpty, !lines.isEmpty { lines.append("") }
  return lines + list.problems.flatMap { hanging("problem: \($0)", indent: 0, width: width) }
}

extension PackList.Result {
  /// With these kinds of things alone.
  fileprivate func only(_ kinds: [ListCommand.Kind]) -> Self {
    var all = self
    for place in all.packs.indices {
      for kind in ListCommand.Kind.allCases where !kinds.contains(kind) { all.packs[place].leaveOut(kind) }
    }
    return all
  }
}

extension PackList.Pack {
  fileprivate mutating func leaveOut(_ kind: ListCommand.Kind) {
    switch kind {
    case .tracks: tracks = []
    case .sounds: sounds = []
    case .patterns: patterns = []
    case .cues: cues = []
    case .chapters: chapters = []
    case .parameters: parameters = []
    }
  }

  /// One row for each thing of a kind: its name as it is to be typed, then what there is to say about it.
  func rows(of kind: ListCommand.Kind) -> [[String]] {
    switch kind {
    case .tracks: tracks.map { [$0.name] + $0.details }
    case .sounds: sounds.map { [$0.name, $0.available ? length($0.durationUs) : unavailable] }
    case .patterns: patterns.map { [$0.name] + $0.details }
    case .cues: cues.map { [$0] }
    case .parameters: parameters.map { [$0] }
    case .chapters: chapters.map { [$0.name] + $0.details }
    }
  }
}

/// Of what a pack names and cannot be played.
let unavailable = "not available: see the problems"

extension PackList.Track {
  fileprivate var details: [String] {
    if !available { return [unavailable] }
    let places = markers.map { "\($0.name) \(clockTime($0.positionUs))" }.joined(separator: ", ")
    return [
      length(durationUs), bpm.map { "\(fixed($0, $0 == $0.rounded() ? 0 : 1)) bpm" } ?? "", loops ? "loops" : "",
      stems.isEmpty ? "" : "stems " + stems.joined(separator: ", "), places.isEmpty ? "" : "markers \(places)",
    ]
  }
}

extension PackList.Pattern {
  fileprivate var details: [String] { available ? [length(durationUs), count(events, "event")] : [unavailable] }
}

extension PackList.Chapter {
  fileprivate var details: [String] {
    [length(lengthUs), count(beats, "beat"), "music \(track)", title, lanesText(lanes)]
  }
}

/// "lanes left, right", last among what is told of a chapter: what came behind would read as one more lane.
func lanesText(_ lanes: [String]) -> String {
  lanes.isEmpty ? "no lanes" : "lanes " + lanes.joined(separator: ", ")
}
