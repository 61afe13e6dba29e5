// SPDX-License-Identifier: Apache-2.0

import CommandTable
import Glibc
import Haptics
import PatternTools
import Wire

/// A haptic pattern as it is named on the command line: a name for the daemon, or a file.
struct PatternSource {
  /// The name in a pack, when it is one.
  var name: String?
  /// The file's document as JSON, when it is a file; without the sound files it names, which only a pack can have.
  var inline: JSONValue?
  /// The file as read, when it is a file.
  var document: AHAPDocument?
  /// The file's path, when it is one that can be read again.
  var path: String?
  /// What to call it.
  var title: String
  /// The file's path and how many errors lint finds in it, when it has any.
  var faults: (path: String, errors: Int)?
}

extension PatternSource {
  /// Takes what ends in .ahap, has a slash or is `-` for a file (`-` is the standard input), all else for a name.
  init(_ text: String) throws(ToolFailure) {
    try checkNamed(text)
    guard isFileName(text) else {
      self.init(name: text, title: text)
      return
    }
    try self.init(file: text, try readWhole(text))
  }

  /// The pattern that the file `text` has for its bytes.
  init(file text: String, _ bytes: [UInt8]) throws(ToolFailure) {
    do throws(AHAPError) {
      let (document, findings) = try AHAPDocument.parse(bytes, name: text)
      // Apple's own files are not quite JSON; the canonical form is.
      let canonical = try AHAPLint.canonical(bytes, name: text)
      let title = text == "-" ? "standard input" : text.split(separator: "/").last.map(String.init) ?? text
      let whole = jsonValue(Array(canonical.utf8))
      self.init(inline: whole?.withoutSoundFiles, document: document, title: title)
      if text != "-" { path = text }
      let errors = findings.count { $0.severity == .error }
      if errors > 0 { faults = (text, errors) }
    } catch {
      throw ToolFailure(error)
    }
  }
}

/// Refuses the empty name, which a script's unset variable gives.
func checkNamed(_ text: String) throws(ToolFailure) {
  guard text.isEmpty else { return }
  throw .usage(
    "the name of the pattern is empty", hint: "name a pattern, as `starlight list patterns` does, or an .ahap file")
}

/// Whether it names a file rather than a pattern of a pack.
func isFileName(_ text: String) -> Bool { text == "-" || text.hasSuffix(".ahap") || text.contains("/") }

extension ToolFailure {
  /// A file that is no pattern.
  init(_ error: AHAPError) {
    self.init(error.problem)
    hint = error.remedy + "; `starlight lint` says more"
  }
}

extension PatternSource {
  /// The document for a daemon; nil for what is played by its name. Throws where it is larger than one is sent.
  func sendable() throws(ToolFailure) -> JSONValue? {
    guard let inline else { return nil }
    let weight = JSONText(inline).weight
    guard weight > HapticsPlay.longestInline else { return inline }
    throw ToolFailure(
      .badFile, file: path ?? "-",
      "\(title) has \(weight) bytes without its white space; a daemon is sent \(HapticsPlay.longestInline) at most",
      hint: "put it into a pack, where a pattern may have \(AHAPLimits.bytes), and play it by its name")
  }

  /// What of it a daemon cannot be sent; nil where it is sent whole.
  var unsent: String? {
    let files = Set(document?.events.compactMap { $0.type == .audioCustom ? $0.waveformPath : nil } ?? []).sorted()
    if files.isEmpty { return nil }
    return
      "not heard: \(files.joined(separator: ", ")); sound files are heard from a pack, played by the pattern's name"
  }

  /// "bad.ahap has 2 errors; see `starlight lint bad.ahap`", where it has any: the rest of it is played.
  func complain(to errors: Complaints) {
    guard let faults else { return }
    errors.note("\(title) has \(count(faults.errors, "error")); see `starlight lint \(quotedForShell(faults.path))`")
  }
}

/// The bytes of a file, or of the standard input for `-`; of more than `limit`, which a pattern may have, only enough to be
/// refused.
func readWhole(_ path: String, limit: Int = AHAPLimits.bytes) throws(ToolFailure) -> [UInt8] {
  let descriptor = path == "-" ? 0 : open(path, O_RDONLY | O_CLOEXEC)
  guard descriptor >= 0 else {
    let reason = errnoText()
    throw ToolFailure(
      .unreadable, file: path, "cannot read \(path): \(reason)", hint: "check the path and its permissions")
  }
  defer { if descriptor != 0 { close(descriptor) } }
  var bytes: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: 65_536)
  while true {
    let count = read(descriptor, &buffer, buffer.count)
    if count == 0 { return bytes }
    if count < 0 {
      if errno == EINTR { continue }
      let hint = errno == EISDIR ? "name a file in it" : nil
      throw ToolFailure(.unreadable, file: path, "cannot read \(path): \(errnoText())", hint: hint)
    }
    bytes += buffer[..<count]
    if bytes.count > limit { return bytes }
  }
}

extension JSONValue {
  /// A document of AHAP without its AudioCustom events.
  fileprivate var withoutSoundFiles: JSONValue {
    guard case .object(var members) = self, case .array(let entries)? = members["Pattern"] else { return self }
    members["Pattern"] = .array(
      entries.filter { entry in
        guard case .object(let entry) = entry, case .object(let event)? = entry["Event"] else { return true }
        return event["EventType"] != .string("AudioCustom")
      })
    return .object(members)
  }
}
