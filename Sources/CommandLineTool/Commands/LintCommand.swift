// SPDX-License-Identifier: Apache-2.0

import CommandTable
import Glibc
import Haptics
import PatternTools

enum LintCommand {
  static let file = Argument(
    "FILE|FOLDER",
    help:
      "an AHAP file, a beat map, - for the standard input, a pack's pack.json, or a folder: all patterns and packs in it and "
      + "below",
    repeats: true,
    completion: .files)
  static let fix = OptionKey.flag("fix", help: "mend what can be mended safely, in place")

  static let command = ToolCommand(
    "lint", summary: "checks haptic patterns (AHAP files) and game packs, and mends patterns",
    discussion: [
      "Each finding says where it is, what Apple's players would make of it and what to do. Needs no daemon. Exits 0 when "
        + "there are no errors, 1 when there are, 2 when the command line makes no sense. Where nothing is wrong that is said on "
        + "a terminal alone.",
      "Sound files that a pattern names are looked for from the folder of its pack, where pack.json is, as starlightd does; "
        + "without a pack, beside it.",
      "Of a beat map by itself neither its chapter's lanes nor its length are known: those the pack's check knows.",
      "A folder with a pack.json is a pack, which may be named by that file too. It is read as starlightd reads it, audio and "
        + "beat maps included, and all that a daemon would report of it is shown, each at its place. `starlight pack check` does "
        + "that alone.",
    ],
    arguments: [file], options: [fix.option],
    examples: [
      .init("starlight lint patterns", "every .ahap file of a folder and below it"),
      .init("starlight lint ~/lighthouse", "a whole pack, its beats and patterns included"),
      .init("starlight lint --fix boing.ahap", "clamps values, sorts events, drops trailing commas"),
    ], action: .exiting(with: run))

  private static func run(_ tool: Tool) throws(ToolFailure) -> ExitCode {
    if tool.invocation[fix], tool.invocation.all(file).contains("-") {
      throw .usage("--fix needs a file to write to, not -", hint: "name the file")
    }
    return lint(tool.invocation.all(file).map { PatternFiles($0) }, fixes: tool.invocation[fix], tool)
  }

  /// Tells all that is wrong with patterns and packs; fails where there are errors.
  static func lint(_ found: [PatternFiles], fixes: Bool, _ tool: Tool) -> ExitCode {
    var worst = ExitCode.success
    var findings: [LintFinding] = []
    var files = found.flatMap(\.paths)
    let packs = found.flatMap(\.packs)
    for failure in found.flatMap(\.failures) {
      worst = .failure
      tool.errors.tell(failure)
    }
    func tell(_ found: [AHAPDiagnostic], of path: String) {
      if found.contains(where: { $0.severity == .error }) { worst = .failure }
      for finding in found {
        findings.append(LintFinding(finding, path: path))
        if tool.wantsJSON { continue }
        for line in lintLines(finding, path: path, style: tool.out.style) { tool.out.line(line) }
      }
    }
    var read = LintedPacks(packs)
    files += read.patterns.filter { !files.contains($0) }
    for path in files {
      do throws(ToolFailure) {
        let bytes = try readWhole(path)
        tell(fixes ? try mend(path, bytes, tool) : check(path, bytes), of: path)
      } catch {
        worst = .failure
        tool.errors.tell(error)
      }
    }
    if fixes { read = LintedPacks(packs) }
    let said = Set(findings.filter { $0.severity == AHAPDiagnostic.Severity.error.rawValue }.map(\.place))
    for (file, finding) in read.findings {
      // Of its patterns a daemon says less than was said of each above.
      if !said.contains(LintFinding(finding, path: file).place) { tell([finding], of: file) }
    }
    if findings.isEmpty, worst == .success {
      tool.tellDone("\(count(files.count + packs.count, "file")), no findings")
    }
    if tool.wantsJSON { tool.out.line(jsonText(findings, indented: tool.out.isInteractive)) }
    return worst
  }

  /// Mends the file, says what was mended, and gives what is left to say.
  private static func mend(_ path: String, _ bytes: [UInt8], _ tool: Tool) throws(ToolFailure) -> [AHAPDiagnostic] {
    if isBeatMap(path, bytes) { return check(path, bytes) }
    let fixed: AHAPLint.Fixed
    do throws(AHAPError) {
      fixed = try AHAPLint.fix(bytes, name: path)
    } catch {
      return check(path, bytes)
    }
    let text = Array(fixed.text.utf8)
    if fixed.mended.isEmpty { return check(path, text) }
    try replaceFile(path, with: text)
    if !tool.wantsJSON {
      for finding in fixed.mended {
        tool.out.line("\(path):\(finding.line):\(finding.column): mended: \(finding.message)")
      }
    }
    return check(path, text)
  }

  /// All there is to say of a file, in the order of its text; of the standard input nothing about sound files, for nothing
  /// is beside it.
  private static func check(_ path: String, _ bytes: [UInt8]) -> [AHAPDiagnostic] {
    if isBeatMap(path, bytes) { return beatMapFindings(path, bytes) }
    let found = AHAPLint.check(bytes, name: path)
    if let missing = found.first(where: { $0.code == "no-pattern" }), isManifest(bytes) {
      return [manifestFinding(at: missing, path: path)]
    }
    let sounds = path == "-" ? [] : PatternSounds(of: path).findings(bytes)
    return sounds.isEmpty ? found : (found + sounds).sorted { ($0.line, $0.column) < ($1.line, $1.column) }
  }
}

/// A finding as a machine reads it.
struct LintFinding: Codable, Equatable {
  var path: String
  var line: Int
  var column: Int
  var severity: String
  var code: String
  var message: String
  var apple: String
  var fix: String
  var fixable: Bool

  /// Where it is, to hold it against others.
  var place: [String] { [path, String(line), String(column)] }

  init(_ finding: AHAPDiagnostic, path: String) {
    self.path = path
    line = finding.line
    column = finding.column
    severity = finding.severity.rawValue
    code = finding.code
    message = finding.message
    apple = finding.appleBehaviour
    fix = finding.fix
    fixable = finding.isFixable
  }
}

/// A finding for people: where and what, then what Apple does and what to do.
func lintLines(_ finding: AHAPDiagnostic, path: String, style: Style) -> [String] {
  let ink: Ink =
    switch finding.severity {
    case .error: .bad
    case .warning: .warning
    case .note: .dim
    }
  let place = style.paint("\(path):\(finding.line):\(finding.column):", .bold)
  var lines = ["\(place) \(style.paint(finding.severity.rawValue + ":", ink)) \(finding.message) [\(finding.code)]"]
  if !finding.appleBehaviour.isEmpty { lines.append("    Apple: " + finding.appleBehaviour) }
  if !finding.fix.isEmpty { lines.append("    fix: " + finding.fix + (finding.isFixable ? " (--fix does it)" : "")) }
  return lines
}
