// SPDX-License-Identifier: Apache-2.0

import CommandTable
import Files
import Glibc

/// Writes beside the file and renames, so that a full disk never leaves half of it. A link stays one, and what is no file,
/// a pipe or a device, is written to.
func replaceFile(_ name: String, with bytes: [UInt8]) throws(ToolFailure) {
  try replaceFile(name) { path throws(ToolFailure) in
    try opened(path, O_TRUNC) { isWritten(bytes, to: $0) }
  }
}

/// The same with whatever `write` puts into the file at the path that it is given, which is there by then. It throws the
/// reason alone where it fails.
func replaceFile(
  _ name: String, _ write: (_ path: String) throws(ToolFailure) -> Void
) throws(ToolFailure) {
  let old = fileStatus(name)
  if let old, old.kind != S_IFREG {
    do throws(ToolFailure) { return try write(name) } catch {
      throw ToolFailure(.unwritable, file: name, "cannot write to \(name): \(error.message)", hint: "name a file")
    }
  }
  let path = resolvedPath(name) ?? name
  let temporary = path + ".starlight-\(getpid())"
  try create(temporary, for: path, as: old)
  do throws(ToolFailure) {
    try write(temporary)
    try sync(temporary)
    guard rename(temporary, path) == 0 else { throw ToolFailure(errnoText()) }
  } catch {
    unlink(temporary)
    throw ToolFailure(.unwritable, file: path, "cannot write \(path): \(error.message)", hint: "the file is as it was")
  }
}

/// Makes an empty file; in the place of another it has that one's permissions, whatever the umask, and its owner where
/// that may be given.
private func create(_ temporary: String, for path: String, as old: stat?) throws(ToolFailure) {
  let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, old == nil ? 0o644 : 0o600)
  guard descriptor >= 0 else {
    throw ToolFailure(
      .unwritable, file: path, "cannot write \(path): \(errnoText())", hint: "check its folder and who may write there")
  }
  if let old {
    _ = fchown(descriptor, old.st_uid, old.st_gid)
    fchmod(descriptor, old.st_mode & 0o777)
  }
  close(descriptor)
}

/// Waits until what was written is on the disk.
func sync(_ path: String) throws(ToolFailure) { try opened(path, 0) { fsync($0) == 0 } }

/// Opens a file to write and closes it again; throws the system's reason where it cannot be, or `use` does not succeed.
private func opened(_ path: String, _ flags: Int32, _ use: (Int32) -> Bool) throws(ToolFailure) {
  let descriptor = open(path, O_WRONLY | O_CLOEXEC | flags)
  let isDone = descriptor >= 0 && use(descriptor)
  let reason = errnoText()
  if descriptor >= 0 { close(descriptor) }
  if !isDone { throw ToolFailure(reason) }
}

/// Copies a regular file byte for byte, to where none is yet.
func copyFile(_ source: String, to destination: String) throws(ToolFailure) {
  let input: RegularFile
  do throws(FileRefusal) { input = try RegularFile.open(source) } catch {
    throw ToolFailure(error.problem, kind: .unreadable)
  }
  let output = open(destination, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
  defer { if output >= 0 { close(output) } }
  var buffer = [UInt8](repeating: 0, count: 1 << 20)
  while output >= 0 {
    let count = read(input.descriptor, &buffer, buffer.count)
    if count == 0 { return }
    if count < 0, errno == EINTR { continue }
    if count < 0 || !isWritten(Array(buffer[..<count]), to: output) { break }
  }
  throw ToolFailure(.unwritable, file: source, "cannot copy \(source): \(errnoText())")
}

/// Of all commands that write files by name and may be asked to replace what is there.
let replacing = OptionKey.flag("force", help: "replace what is there already")

/// Before work is done whose result would find no place: somebody may have worked on what is there since it was made. `-`, the
/// standard output, is free, and what is no file, as a device or a pipe, is written to.
func checkPlace(_ path: String, _ tool: Tool) throws(ToolFailure) {
  try checkPlaces([path], replaces: tool.invocation[replacing])
}

/// The same for all files of some work.
func checkPlaces(_ paths: [String], replaces: Bool) throws(ToolFailure) {
  let taken = replaces ? [] : paths.filter { $0 != "-" && isTaken($0) }
  guard let first = taken.first else { return }
  throw ToolFailure(
    .unwritable, file: first, "\(first) is there already" + (taken.count > 1 ? ", and \(taken.count - 1) more" : ""),
    hint: "--force replaces \(taken.count > 1 ? "them" : "it")")
}

private func isTaken(_ path: String) -> Bool {
  fileStatus(path).map { [S_IFREG, S_IFDIR].contains($0.kind) } ?? false
}
