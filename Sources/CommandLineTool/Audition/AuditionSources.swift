// SPDX-License-Identifier: Apache-2.0

/// What is to be auditioned: one pattern, or the files of a folder in the order of their names.
enum AuditionSources: Equatable {
  case one(String)
  case folder(String, files: [String])

  /// Takes what is a folder for one where it has a slash or is `.` or `..`, all else for a name or a file.
  init(_ text: String) throws(ToolFailure) {
    guard text.contains("/") || text == "." || text == "..", CommandLineTool.isFolder(text) else {
      self = .one(text)
      return
    }
    let files = try PatternFolder(text).files
    guard !files.isEmpty else {
      throw ToolFailure(
        "no .ahap file is in the folder \(text)", hint: "folders inside it are not looked into; name one of them")
    }
    self = .folder(text, files: files)
  }

  /// Whether more than one may follow.
  var isFolder: Bool { if case .folder = self { true } else { false } }

  /// Whether it is one pattern by its name.
  var isName: Bool { if case .one(let text) = self { !isFileName(text) } else { false } }

  /// Refuses what can be done with one pattern only, and two pictures on one output.
  func check(_ tool: Tool) throws(ToolFailure) {
    if tool.invocation[AuditionCommand.picture] == "-", tool.invocation[AuditionCommand.draw] {
      throw .usage("--draw goes to the standard output", hint: "name a file for --svg")
    }
    if tool.invocation[AuditionCommand.repeats], tool.invocation[AuditionCommand.draw] {
      throw .usage("--repeat-on-save plays, and --draw only draws", hint: "leave one of them out")
    }
    let option =
      tool.invocation[AuditionCommand.repeats]
      ? "--repeat-on-save" : tool.invocation[AuditionCommand.picture] != nil ? "--svg" : tool.wantsJSON ? "--json" : nil
    switch self {
    case .folder(let folder, let files):
      if let option {
        throw .usage("\(option) takes one pattern, and \(folder) is a folder", hint: "name a file, such as \(files[0])")
      }
    case .one("-"):
      if tool.invocation[AuditionCommand.repeats] {
        throw .usage("--repeat-on-save needs a file to watch, not the standard input", hint: "name the file")
      }
    case .one: break
    }
  }

  /// Every pattern in turn; one of a folder that cannot be read is told and passed over.
  func each(
    _ tool: Tool, _ library: PatternLibrary, _ body: (PatternSource) throws(ToolFailure) -> Void
  ) throws(ToolFailure) -> ExitCode {
    guard case .folder(_, let files) = self else {
      if case .one(let text) = self {
        try body(library.source(text, tool.errors))
      }
      return .success
    }
    var code = ExitCode.success
    for file in files {
      do throws(ToolFailure) {
        try body(try PatternSource(file))
      } catch {
        code = .failure
        tool.errors.tell(error)
      }
    }
    return code
  }
}
