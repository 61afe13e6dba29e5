// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Opens a file for appending that this program alone writes, until the descriptor is closed; makes it, with `mode`, where it is not
/// there. A pipe or a device is opened as it is, and a pipe only where somebody reads it. Waits for nobody, and nor do writes to it.
///
/// -1 with `errno` where it cannot be opened: EBUSY where another program has a file so open, as two that write one leave neither's.
/// Where the file system knows no locks (flock(2)) nobody is kept out.
public func openSolely(_ path: String, mode: mode_t) -> Int32 {
  let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK, mode)
  guard descriptor >= 0, isRegular(descriptor), flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK else {
    return descriptor
  }
  close(descriptor)
  errno = EBUSY
  return -1
}

/// The same of a regular file alone: nothing else is ever opened, for that may do things. What is opened is what was looked at,
/// whoever puts another in its place meanwhile; only where nothing is yet, and something comes before it is made, is that opened
/// and closed again.
public func openSoleFile(_ path: String, mode: mode_t) throws(FileRefusal) -> Int32 {
  do throws(FileRefusal) {
    let place = try Place(path)
    guard place.kind == S_IFREG else { throw refusal(of: path, kind: place.kind) }
    return try openedSolely(place.link, named: path, mode: mode)
  } catch {
    guard error.reason == .system(ENOENT) else { throw error }
  }
  // What is not there is made by its name.
  return try openedSolely(path, named: path, mode: mode)
}

/// The same, of a file that is written anew.
public func openSoleFileAnew(_ path: String, mode: mode_t) throws(FileRefusal) -> Int32 {
  let descriptor = try openSoleFile(path, mode: mode)
  guard ftruncate(descriptor, 0) != 0 else { return descriptor }
  let code = errno
  closeSole(descriptor)
  throw FileRefusal(path: path, reason: .system(code))
}

private func openedSolely(_ link: String, named path: String, mode: mode_t) throws(FileRefusal) -> Int32 {
  let descriptor = openSolely(link, mode: mode)
  guard descriptor >= 0 else { throw FileRefusal(path: path, reason: .system(errno)) }
  var status = stat()
  guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
    close(descriptor)
    throw refusal(of: path, kind: status.st_mode & S_IFMT)
  }
  return descriptor
}

private func refusal(of path: String, kind: mode_t) -> FileRefusal {
  FileRefusal(path: path, reason: kind == S_IFDIR ? .isFolder : .isNoRegularFile)
}

/// Closes one of these, and lets go of the file at once: a program that is being started has a copy of the descriptor until it runs.
public func closeSole(_ descriptor: Int32) {
  flock(descriptor, LOCK_UN)
  close(descriptor)
}

/// The same, of a file that is written anew: one that is there is emptied once it is known that nobody else writes it.
public func openSolelyAnew(_ path: String, mode: mode_t) -> Int32 {
  let descriptor = openSolely(path, mode: mode)
  guard descriptor >= 0, isRegular(descriptor), ftruncate(descriptor, 0) != 0 else { return descriptor }
  let code = errno
  closeSole(descriptor)
  errno = code
  return -1
}

/// What the system tells of an `errno` of these.
public func reasonNotOpened(_ code: Int32) -> String {
  code == EBUSY ? "another program writes it" : String(cString: strerror(code))
}

/// What a file system tells of earlier writes only as a descriptor is closed, as with quotas on a network's (close(2)): an `errno`;
/// nil where all is well. The descriptor stays open.
public func deferredFailure(of descriptor: Int32) -> Int32? {
  let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
  return copy < 0 || close(copy) == 0 ? nil : errno
}

private func isRegular(_ descriptor: Int32) -> Bool {
  var status = stat()
  return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
}
