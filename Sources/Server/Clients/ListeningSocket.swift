// SPDX-License-Identifier: Apache-2.0

import Glibc
import Wire

/// The socket clients connect to: inherited from systemd, or made here and removed at the end.
///
/// Open it before devices and files are touched: it tells whether another daemon is running. Clients that connect
/// meanwhile wait.
public struct ListeningSocket: ~Copyable {
  let descriptor: Int32
  /// Where it is.
  public let path: String
  let policy: PeerPolicy
  /// The file made here, known by its inode; nothing for an inherited socket.
  private let made: (device: dev_t, inode: ino_t)?

  /// The socket at the path chosen; else the one handed over by systemd; else at the first place clients look.
  public init(_ configuration: ServerConfiguration) throws(ServerError) {
    if let path = configuration.socketPath {
      try self.init(path: path)
    } else if let inherited = try ServiceManager.inheritedSocket() {
      self.init(inheriting: inherited)
    } else {
      try self.init(
        path: defaultSocketPath(configuration.environment),
        remedy: defaultSocketRemedy(configuration.environment, user: geteuid()))
    }
  }

  /// Takes over a socket that listens already.
  init(inheriting descriptor: Int32) {
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    let path = Self.path(of: descriptor)
    var status = stat()
    let known = path.map { stat($0, &status) == 0 } ?? false
    self.descriptor = descriptor
    self.path = path ?? "the socket from systemd"
    policy = PeerPolicy(mode: known ? status.st_mode & 0o777 : 0o666, user: geteuid())
    made = nil
  }

  /// Makes the socket, for its owner alone (0600); folders that are missing are made for their owner alone too.
  ///
  /// A socket file that a dead daemon left is replaced; a live daemon is left in peace.
  init(path: String, remedy: String = choosingASocket) throws(ServerError) {
    var (address, size) = try socketAddress(path)
    let folder = try Self.makeFolder(of: path, remedy)
    // Held while looking and binding, so that of two daemons started at once one is refused.
    let guardian = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    defer { if guardian >= 0 { close(guardian) } }
    if guardian >= 0 { flock(guardian, LOCK_EX) }
    try Self.clearTheWay(path, &address, size)

    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
    guard descriptor >= 0 else { throw ServerError("no socket: \(errorText(errno))") }
    // The mode of a socket not bound yet is the mode its file gets.
    fchmod(descriptor, 0o600)
    let bound = withSocketAddress(&address) { bind(descriptor, $0, size) }
    guard bound == 0, listen(descriptor, 64) == 0 else {
      let code = errno
      close(descriptor)
      throw ServerError("cannot listen at \(path): \(errorText(code))", remedy: remedy)
    }
    var status = stat()
    self.descriptor = descriptor
    self.path = path
    policy = .ownerAndRoot(user: geteuid())
    made = stat(path, &status) == 0 ? (status.st_dev, status.st_ino) : nil
  }

  /// Closes, and removes the file if it is still the one made here.
  deinit {
    var status = stat()
    if let made, stat(path, &status) == 0, status.st_dev == made.device, status.st_ino == made.inode { unlink(path) }
    close(descriptor)
  }

  /// Makes missing folders; gives the socket's own.
  private static func makeFolder(of path: String, _ remedy: String) throws(ServerError) -> String {
    let parts = path.split(separator: "/", omittingEmptySubsequences: true).dropLast()
    var folder = path.hasPrefix("/") ? "" : "."
    for part in parts {
      folder += "/" + part
      if mkdir(folder, 0o700) == 0 || errno == EEXIST { continue }
      let code = errno
      var status = stat()
      // A folder above may be there without being ours to make.
      if stat(folder, &status) == 0 { continue }
      throw ServerError("cannot make the folder \(folder) for the socket: \(errorText(code))", remedy: remedy)
    }
    return folder.isEmpty ? "/" : folder
  }

  private static func clearTheWay(
    _ path: String, _ address: inout sockaddr_un, _ size: socklen_t
  ) throws(ServerError) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return }
    guard status.st_mode & S_IFMT == S_IFSOCK else {
      throw ServerError("\(path) is in the way and is not a socket: move it, or choose another path")
    }
    let probe = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
    defer { close(probe) }
    let connected = withSocketAddress(&address) { connect(probe, $0, size) }
    switch connected == 0 ? 0 : errno {
    case ECONNREFUSED:
      guard unlink(path) == 0 else {
        throw ServerError("cannot replace the dead socket \(path): \(errorText(errno))")
      }
    case ENOENT: return
    case EACCES, EPERM: throw ServerError("\(path) belongs to another user: choose another path")
    default:
      throw ServerError(
        "a daemon is already listening at \(path): stop it first, or choose another socket with --socket")
    }
  }

  private static func path(of descriptor: Int32) -> String? {
    var address = sockaddr_un()
    var size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let found = withSocketAddress(&address) { getsockname(descriptor, $0, &size) }
    guard found == 0, address.sun_path.0 != 0 else { return nil }
    return withUnsafeBytes(of: &address.sun_path) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
  }
}

/// The address of a Unix socket at `path`.
private func socketAddress(_ path: String) throws(ServerError) -> (sockaddr_un, socklen_t) {
  var address = sockaddr_un()
  address.sun_family = sa_family_t(AF_UNIX)
  let capacity = MemoryLayout.size(ofValue: address.sun_path)
  guard !path.isEmpty, path.utf8.count < capacity else {
    throw ServerError("the socket's path must have 1 to \(capacity - 1) bytes: \(path)")
  }
  withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
  return (address, socklen_t(MemoryLayout<sockaddr_un>.size))
}

private func withSocketAddress<Result>(
  _ address: inout sockaddr_un, _ body: (UnsafeMutablePointer<sockaddr>) -> Result
) -> Result {
  withUnsafeMutablePointer(to: &address) { $0.withMemoryRebound(to: sockaddr.self, capacity: 1, body) }
}

/// Where to listen when nothing was said: in the folder systemd made for a system service, else where clients look
/// first.
func defaultSocketPath(_ environment: [String: String]) -> String {
  if environment[SocketPath.variable]?.isEmpty ?? true, let folder = environment["RUNTIME_DIRECTORY"], !folder.isEmpty {
    return folder + "/starlightd.sock"
  }
  return SocketPath.candidates(environment: environment)[0]
}

/// What to do where the socket cannot be made at a path that was chosen.
let choosingASocket = "choose another path with --socket"

/// What to do where the socket cannot be made where it is when nothing was said: a user whom no login gave a folder of their
/// own is sent to the system's.
func defaultSocketRemedy(_ environment: [String: String], user: uid_t) -> String {
  if user == 0 || environment["XDG_RUNTIME_DIR"]?.isEmpty == false { return choosingASocket }
  return """
    $XDG_RUNTIME_DIR is not set, as a login sets it: export XDG_RUNTIME_DIR=/run/user/\(user), or choose a path with \
    --socket and give it to front ends as $\(SocketPath.variable)
    """
}
