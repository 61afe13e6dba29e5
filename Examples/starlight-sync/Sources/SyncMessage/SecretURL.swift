// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Where the message goes: whoever knows the address can write there, so it is a secret. It is read of a file, never of an
/// argument or the environment, which others can see, and is never printed.
public struct SecretURL: Sendable {
  let text: String

  /// Why it is not known. Says nothing of what stands in the file.
  public struct Failure: Error, Equatable, CustomStringConvertible {
    public let description: String
  }

  private static let name = "message-url"
  private static let mostBytes = 4_096

  /// Reads it of the systemd credential `message-url` (`LoadCredential=`), else of `$XDG_CONFIG_HOME/starlight-sync/message-url`,
  /// `~/.config` where that is not set. Nil where there is no such file: the message is nobody's.
  public static func find(environment: (String) -> String?) throws(Failure) -> SecretURL? {
    guard let file = try open(environment: environment) else { return nil }
    return try read(file.path, file.descriptor)
  }

  /// Whether there is such a file, as `find` looks for it and with what it asks of it; nothing of it is read.
  public static func isThere(environment: (String) -> String?) throws(Failure) -> Bool {
    guard let file = try open(environment: environment) else { return false }
    close(file.descriptor)
    return true
  }

  /// The file as it is open, which is the caller's to close.
  private static func open(
    environment: (String) -> String?
  ) throws(Failure) -> (descriptor: Int32, path: String)? {
    if let folder = environment("CREDENTIALS_DIRECTORY"), folder.hasPrefix("/") {
      // Who may read it is systemd's to say.
      if let found = try open(folder + "/" + name, isChecked: false) { return found }
    }
    var config = environment("XDG_CONFIG_HOME").flatMap { $0.hasPrefix("/") ? $0 : nil }
    if config == nil { config = environment("HOME").flatMap { $0.hasPrefix("/") ? $0 + "/.config" : nil } }
    guard let config else { return nil }
    return try open(config + "/starlight-sync/" + name, isChecked: true)
  }

  private static func open(_ path: String, isChecked: Bool) throws(Failure) -> (descriptor: Int32, path: String)? {
    let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      if errno == ENOENT { return nil }
      throw Failure(description: "\(path) cannot be read: \(String(cString: strerror(errno))) (make it yours: chown)")
    }
    // Of the file that is open: another may have its name by now.
    var status = stat()
    var failure: Failure?
    if fstat(descriptor, &status) != 0 || status.st_mode & S_IFMT != S_IFREG {
      failure = Failure(description: "\(path) is no file (write the address into a file of that name)")
    } else if isChecked, status.st_mode & 0o077 != 0 {
      failure = Failure(
        description: "others may read \(path), and what stands there is a secret (chmod 600 \(path))")
    }
    guard let failure else { return (descriptor, path) }
    close(descriptor)
    throw failure
  }

  private static func read(_ path: String, _ descriptor: Int32) throws(Failure) -> SecretURL {
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: mostBytes)
    let count = Glibc.read(descriptor, &bytes, bytes.count)
    let text = String(decoding: bytes[..<max(count, 0)], as: UTF8.self).trimmed
    let isClear = text.hasPrefix("http://")
    guard isClear || text.hasPrefix("https://"), !text.contains(where: { $0.isWhitespace }) else {
      throw Failure(
        description: "\(path) holds no address (write one into it that begins with https://, and nothing else)")
    }
    guard !isClear || isOfThisMachine(text.dropFirst("http://".count)) else {
      throw Failure(
        description: "\(path) holds an address that begins with http://, which whoever is on the way could read "
          + "(write it with https://; http:// is for localhost, 127.0.0.1 and [::1] alone)")
    }
    return SecretURL(text: text)
  }

  /// Whether what comes behind `http://` begins with this machine, and a port or none.
  private static func isOfThisMachine(_ rest: Substring) -> Bool {
    let authority = rest.prefix { !"/?#".contains($0) }
    return ["localhost", "127.0.0.1", "[::1]"].contains { host in
      guard authority.hasPrefix(host) else { return false }
      let port = authority.dropFirst(host.count)
      return port.isEmpty || port.first == ":" && UInt16(port.dropFirst()) != nil
    }
  }
}

extension String {
  /// Without spaces and line ends around it.
  fileprivate var trimmed: String {
    var rest = self[...]
    while rest.first?.isWhitespace == true { rest.removeFirst() }
    while rest.last?.isWhitespace == true { rest.removeLast() }
    return String(rest)
  }
}
