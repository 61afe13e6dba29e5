import Glibc

/// Writes beside the file and renames, so that a full disk never leaves half of it. A link stays one, and what is no file,
/// a pipe or a device, is written to.
func replaceFile(_ name: String, with bytes: [UInt8]) throws(ToolFailure) {
  var status = stat()
  let isThere = stat(name, &status) == 0
  if isThere, status.st_mode & S_IFMT != S_IFREG { return try writeInto(name, bytes) }
  let mode = isThere ? status.st_mode & 0o777 : 0o644
  let resolved = isThere ? realpath(name, nil) : nil
  defer { free(resolved) }
  let path = resolved.map { String(cString: $0) } ?? name
  let temporary = path + ".starlight-\(getpid())"
  let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
  guard descriptor >= 0 else {
    throw ToolFailure(
      "cannot write \(path): \(String(cString: strerror(errno)))", hint: "check its folder and who may write there")
  }
  let complete = isWritten(bytes, to: descriptor) && fsync(descriptor) == 0
  close(descriptor)
  guard complete, rename(temporary, path) == 0 else {
    let reason = String(cString: strerror(errno))
    unlink(temporary)
    throw ToolFailure("cannot write \(path): \(reason)", hint: "the file is as it was")
  }
}

private func writeInto(_ path: String, _ bytes: [UInt8]) throws(ToolFailure) {
  let descriptor = open(path, O_WRONLY | O_CLOEXEC)
  let isDone = descriptor >= 0 && isWritten(bytes, to: descriptor)
  let reason = String(cString: strerror(errno))
  if descriptor >= 0 { close(descriptor) }
  if !isDone { throw ToolFailure("cannot write to \(path): \(reason)", hint: "name a file") }
}

/// Whether all of it could be written; else errno tells why not.
private func isWritten(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
  var written = 0
  while written < bytes.count {
    let count = bytes[written...].withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    if count < 0, errno == EINTR { continue }
    if count <= 0 { return false }
    written += count
  }
  return true
}
