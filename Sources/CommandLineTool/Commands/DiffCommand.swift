// SPDX-License-Identifier: Apache-2.0

import CommandTable
import Haptics
import PatternTools

enum DiffCommand {
  static let old = Argument(
    "OLD", help: "a pattern or an .ahap file", completion: .output(of: "list patterns --names", orFiles: true))
  static let new = Argument(
    "NEW", help: "the pattern to compare with, or - for the standard input",
    completion: .output(of: "list patterns --names", orFiles: true)
  )
  static let ofGit = Argument(
    "GIT", help: "what git adds where it calls this as the diff driver of a file", isOptional: true, repeats: true)
  static let picture = OptionKey.path("svg", value: "FILE", help: "draws both over each other")

  static let command = ToolCommand(
    "diff", summary: "says where two haptic patterns feel different",
    discussion: [
      "A line for each time in which they differ by more than can be felt, with the strongest of each in it. Compares "
        + "what is felt, not how it is written. Needs no daemon. Exits 0 also where they differ.",
      "For git to show what changed: `git config diff.ahap.command \"starlight diff\"`, and `*.ahap diff=ahap` in "
        + ".gitattributes. `git diff` then says of each pattern what feels different.",
    ],
    arguments: [old, new, ofGit], options: [picture.option],
    examples: [
      .init("starlight diff success error", "two patterns of the packs"),
      .init("starlight diff old.ahap new.ahap --svg change.svg", "and draws them"),
    ], action: ToolAction(run))

  private static func run(_ tool: Tool) throws(ToolFailure) {
    let words = [tool.invocation[old] ?? "", tool.invocation[new] ?? ""]
    if words == ["-", "-"] {
      throw .usage("only one of both can be the standard input", hint: "name a file for the other")
    }
    let added = tool.invocation.all(ofGit)
    guard let change = added.isEmpty ? nil : try GitChange(words + added) else {
      // For both: the daemon is asked once, and waited for once where it hangs.
      let library = words.contains(where: ConvertInput.mayBeName) ? PatternLibrary(readableBy: tool) : nil
      return try compare(
        loadPattern(ConvertInput(words[0], tool, in: library), tool),
        loadPattern(ConvertInput(words[1], tool, in: library), tool), tool)
    }
    if !tool.wantsJSON { tool.out.line("diff \(change.path)") }
    do throws(ToolFailure) {
      return try compare(change.old.pattern(tool), change.new.pattern(tool), tool)
    } catch {
      // One that fails would end git's whole output.
      for line in error.lines() { tool.out.line(line) }
    }
  }

  private typealias Titled = (title: String, document: AHAPDocument)

  private static func compare(_ old: Titled, _ new: Titled, _ tool: Tool) throws(ToolFailure) {
    let ((oldTitle, oldDocument), (newTitle, newDocument)) = (old, new)
    let (before, after) = (HapticPattern(oldDocument), HapticPattern(newDocument))
    if let path = tool.invocation[picture] {
      if path == "-" {
        throw .usage("the differences go to the standard output", hint: "name a file for --svg")
      }
      let drawing = HapticPicture(title: "\(oldTitle) and \(newTitle)")
      let svg = drawing.svg(old: before, new: after, oldName: oldTitle, newName: newTitle)
      try tool.put(svg, to: path)
    }
    let difference = HapticDifference(old: before, new: after)
    tool.show(
      difference.spans.map(DifferenceSpan.init),
      difference.lines(oldName: oldTitle, newName: newTitle))
  }
}

/// A difference as a machine reads it.
private struct DifferenceSpan: Encodable {
  struct Level: Encodable {
    var intensity: Double
    var sharpness: Double

    init(_ level: HapticLevel) {
      intensity = roundedLevel(Double(level.intensity))
      sharpness = roundedLevel(Double(level.sharpness))
    }
  }

  var startUs: Int64
  var endUs: Int64
  var old: Level
  var new: Level

  init(_ span: HapticDifference.Span) {
    startUs = span.start.microseconds
    endUs = span.end.microseconds
    old = Level(span.old)
    new = Level(span.new)
  }
}
