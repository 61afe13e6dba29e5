// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc
import HapticOutput
import Haptics
import Testing
import Timing
import Wire

@testable import CommandLineTool

/// What an audition is given, and what it does when files are saved.
@Suite struct AuditionTests {
  private let folder = TemporaryFolder()

  private static let tap =
    #"{"Version": 1, "Pattern": [{"Event": {"Time": 0, "EventType": "HapticTransient", "EventParameters": []}}]}"#
  private static let loud = tap.replacing(
    "[]}}", with: #"[{"ParameterID": "HapticIntensity", "ParameterValue": 7}]}}"#)

  @Test func aFolderGivesItsFilesInTheOrderOfTheirNames() throws {
    for name in ["b.ahap", "a.ahap", "C.AHAP", "note.txt", ".hidden.ahap"] { try folder.write(name, Self.tap) }
    #expect(
      try AuditionSources(folder.path)
        == .folder(folder.path, files: ["C.AHAP", "a.ahap", "b.ahap"].map { folder.path + "/" + $0 }))
    #expect(try AuditionSources(folder.path + "/").isFolder)
    #expect(try AuditionSources(folder.path + "/a.ahap") == .one(folder.path + "/a.ahap"))
    #expect(try AuditionSources("thud") == .one("thud"))
    #expect(try AuditionSources("-") == .one("-"))
  }

  /// Where nothing is felt, the pattern is heard instead.
  @Test func aPadCountsThatIsChosenAndCanPlay() throws {
    func output(_ name: String, _ path: String?, _ state: EngineStatus.HapticOutput.State, gain: Double = 1)
      -> EngineStatus.HapticOutput
    {
      .init(name: name, kind: .evdev, leadUs: 0, path: path, state: state, gain: gain)
    }
    let outputs = [
      output("Wheel", "/e1", .denied), output("Left Pad", "/e2", .ready), output("Quiet Pad", "/e3", .ready, gain: 0),
      output("Gone Pad", nil, .unplugged), .init(name: "/log", kind: .log, leadUs: 0, path: "/log"),
    ]
    func isFelt(on pads: String) throws -> Bool {
      try #require(HapticSelection(pads)).isFelt(through: outputs)
    }
    #expect(try isFelt(on: "all"))
    #expect(try isFelt(on: "left"))
    #expect(try isFelt(on: "wheel,/e2"))
    for pads in ["none", "wheel", "/e3", "gone", "nobody", "/log"] { #expect(try !isFelt(on: pads), "\(pads)") }
  }

  @Test func anEmptyFolderIsSaid() throws {
    try folder.write("note.txt", "")
    #expect(
      throws: ToolFailure(
        "no .ahap file is in the folder \(folder.path)",
        hint: "folders inside it are not looked into; name one of them")
    ) { try AuditionSources(folder.path) }
  }

  @Test(arguments: [
    (["./", "--repeat-on-save"], "--repeat-on-save takes one pattern, and ./ is a folder"),
    (["./", "--svg", "x.svg"], "--svg takes one pattern, and ./ is a folder"),
    (["./", "--json"], "--json takes one pattern, and ./ is a folder"),
    (["-", "--repeat-on-save"], "--repeat-on-save needs a file to watch, not the standard input"),
  ])
  func whatNeedsOnePatternRefusesMore(words: [String], message: String) throws {
    guard case .run(_, let invocation) = try toolProgram.parse(["audition"] + words) else { return }
    let out = Terminal(descriptor: 1, environment: [:], plain: true)
    let tool = Tool(
      invocation: invocation, environment: [:], out: out, errors: Complaints(terminal: out, isJSON: false),
      completions: { _ in "" })
    let sources = words[0] == "-" ? AuditionSources.one("-") : .folder("./", files: ["./a.ahap"])
    let failure = #expect(throws: ToolFailure.self) { try sources.check(tool) }
    #expect(failure?.message == message)
    #expect(failure?.exit == .usage)
  }

  /// Whether a save is seen. A process that another test starts may hold the file for a moment after it was closed here.
  private func sees(_ watch: borrowing SaveWatch) -> Bool {
    _ = waitReadable([watch.descriptor], microseconds: 10_000_000)
    return watch.takeSave()
  }

  /// Each file is saved once alone: what is held for a moment is told when it is let go.
  @Test func savesAreSeenOnceHoweverAnEditorWrites() throws {
    let written = try SaveWatch(folder.path + "/written.ahap")
    var saved = written.takeSave()
    #expect(!saved)
    try folder.write("written.ahap", Self.loud)
    saved = sees(written)
    #expect(saved)
    saved = written.takeSave()
    #expect(!saved)
    // The file that was there is gone: it is the name that is watched.
    let renamed = try SaveWatch(folder.path + "/renamed.ahap")
    try folder.write("renamed.ahap.new", Self.tap)
    #expect(rename(folder.path + "/renamed.ahap.new", folder.path + "/renamed.ahap") == 0)
    saved = sees(renamed)
    #expect(saved)
  }

  @Test func whatElseIsSavedInItsFolderIsNoSave() throws {
    let watch = try SaveWatch(folder.path + "/a.ahap")
    try folder.write("other.ahap", Self.tap)
    try folder.write("a.ahap.new", Self.tap)
    #expect(rename(folder.path + "/other.ahap", folder.path + "/another.ahap") == 0)
    let saved = watch.takeSave()
    #expect(!saved)
  }

  @Test func aFileIsWatchedThroughALink() throws {
    try folder.write("real.ahap", Self.tap)
    #expect(symlink("real.ahap", folder.path + "/link.ahap") == 0)
    let watch = try SaveWatch(folder.path + "/link.ahap")
    try folder.write("real.ahap", Self.loud)
    let saved = sees(watch)
    #expect(saved)
  }

  @Test func whatCannotBeReadLeavesTheLastPatternAndIsToldWithItsPlace() throws {
    let path = folder.path + "/a.ahap"
    try folder.write("a.ahap", Self.tap)
    let file = EditedFile(path: path, title: "a.ahap")
    var edit = try file.first()
    var isNew = false
    let rest = "  save \(path) to feel it again; Ctrl-C ends"
    #expect(edit.lines(style: .plain) == [rest])
    let first = edit.pattern.document

    try folder.write("a.ahap", "{\"Pattern\": [\n  oops")
    isNew = edit.take(file.read())
    #expect(!isNew)
    #expect(edit.pattern.document == first)
    let lines = edit.lines(style: .plain)
    #expect(lines.count == 2)
    #expect(lines[0].hasPrefix("  a.ahap:2:3: error: "))
    #expect(lines[1] == "  the last pattern that could be read stays; mend \(path) and save it; Ctrl-C ends")

    try folder.write("a.ahap", Self.loud)
    isNew = edit.take(file.read())
    #expect(isNew)
    #expect(edit.pattern.document != first)
    #expect(edit.lines(style: .plain)[0].hasPrefix("  a.ahap:1:"))

    #expect(unlink(path) == 0)
    isNew = edit.take(file.read())
    #expect(!isNew)
    #expect(edit.lines(style: .plain)[0] == "  cannot read \(path): No such file or directory")
  }

  @Test func manyFindingsAreCounted() throws {
    let event =
      #"{"Event": {"Time": 0, "EventType": "HapticTransient", "EventParameters": [{"ParameterID": "HapticIntensity", "ParameterValue": 7}]}}"#
    let text = #"{"Version": 1, "Pattern": ["# + Array(repeating: event, count: 8).joined(separator: ",") + "]}"
    try folder.write("a.ahap", text)
    let path = folder.path + "/a.ahap"
    let lines = try EditedFile(path: path, title: "a").first().lines(style: .plain)
    #expect(lines.count == 7)
    #expect(lines[5] == "  and 3 more findings; see `starlight lint \(path)`")
  }

  @Test func aFileThatIsNoPatternCannotBeBegunWith() throws {
    try folder.write("a.ahap", "{")
    #expect(throws: ToolFailure.self) { _ = try EditedFile(path: folder.path + "/a.ahap", title: "a").first() }
  }
}

/// A folder of a test's own, gone with it.
final class TemporaryFolder {
  let path: String

  init() {
    var template = Array("/tmp/starlight-tool-XXXXXX".utf8CString)
    mkdtemp(&template)
    path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Writes in place, as some editors do.
  func write(_ name: String, _ text: String) throws {
    try Data(text.utf8).write(to: URL(filePath: path + "/" + name), options: [])
  }
}
