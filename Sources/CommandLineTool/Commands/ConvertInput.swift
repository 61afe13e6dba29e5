// SPDX-License-Identifier: Apache-2.0

import Haptics

/// What is to be converted, told apart by its ending or, where that says nothing, by its first bytes.
enum ConvertInput {
  /// A pattern of a pack, and where it is looked for.
  case named(String, PatternLibrary)
  /// The bytes of a pattern's file.
  case file(String, [UInt8])
  /// The haptic twin of a sound, and what to call it.
  case twin(String, AHAPDocument)

  /// Whether it may be the name of a pattern. A daemon is asked about such a word alone: of files with a slash, as git names them,
  /// there may be many.
  static func mayBeName(_ named: String) -> Bool { !named.isEmpty && !isFileName(named) && !SoundTwin.isSound(named) }

  /// Reads what is a file or, for `-`, the standard input. A name is looked for in `known`, or where that is missing in what this
  /// user can read.
  init(_ named: String, _ tool: Tool, in known: PatternLibrary? = nil) throws(ToolFailure) {
    try checkNamed(named)
    let library = Self.mayBeName(named) ? known ?? PatternLibrary(readableBy: tool) : nil
    let name = library?.file(insteadOf: named, tool.errors) ?? named
    if name == "-" {
      let bytes = try readWhole(name, limit: SoundTwin.mostBytes)
      self =
        soundFileKind(bytes) == nil ? .file(name, bytes) : .twin("standard input", try SoundTwin.document(of: bytes))
    } else if SoundTwin.isSound(name) {
      self = .twin(name, try SoundTwin.document(of: name))
    } else if let library, !isFileName(name) {
      self = .named(name, library)
    } else {
      let bytes = try readWhole(name)
      self = soundFileKind(bytes) == nil ? .file(name, bytes) : .twin(name, try SoundTwin.document(of: name))
    }
  }
}

/// The pattern of a file, or of a pack, and what to call it.
func loadPattern(_ input: ConvertInput, _ tool: Tool) throws(ToolFailure) -> (title: String, document: AHAPDocument) {
  switch input {
  case .twin(let title, let document): return (title, document)
  case .named(let name, let library):
    let source = try library.source(name, tool.errors)
    return (source.title, try library.document(of: source))
  case .file(let name, let bytes):
    let source = try PatternSource(file: name, bytes)
    source.complain(to: tool.errors)
    return (source.title, try PatternLibrary(environment: tool.environment).document(of: source))
  }
}
