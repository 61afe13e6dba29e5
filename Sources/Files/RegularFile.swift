// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A regular file, open for reading. Owns the descriptor.
///
/// Nothing else is ever opened: a pipe would hold up whoever opens it, and opening a device may do things.
public final class RegularFile: Sendable {
  /// The file, as it was named.
  public let path: String
  /// For reading; closed with this value.
  public let descriptor: Int32
  /// Its length when it was opened, in bytes.
  public let size: Int
  /// What it was when it was opened.
  public let identity: Identity

  /// A file as it is at a moment: another file of its name has another, and so has the same one once it was written to.
  public struct Identity: Hashable, Sendable {
    private let device: UInt64
    private let inode: UInt64
    private let written: [Int]

    init(_ status: stat) {
      (device, inode) = (UInt64(status.st_dev), UInt64(status.st_ino))
      written = [Int(status.st_mtim.tv_sec), Int(status.st_mtim.tv_nsec)]
    }
  }

  /// Opens `path`; inside `folder`, where one is given: the file itself must lie in it, wherever links lead. People are
  /// told of it by `name`, where it is given, and else by its path.
  ///
  /// What is opened is what was looked at, whoever changes links meanwhile: the place is taken first (O_PATH, which
  /// opens nothing), then looked at, then opened through its own descriptor.
  public static func open(
    _ path: String, inside folder: String? = nil, named name: String? = nil
  ) throws(FileRefusal) -> RegularFile {
    let place = try Place(path)
    guard place.kind == S_IFREG else {
      throw FileRefusal(path: path, reason: place.kind == S_IFDIR ? .isFolder : .isNoRegularFile)
    }
    if let folder {
      guard try place.lies(inside: folder) else {
        let real = String(decoding: try place.realPath(), as: UTF8.self)
        throw FileRefusal(path: path, reason: .leadsOut(of: folder, to: real))
      }
    }
    let descriptor = Glibc.open(place.link, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileRefusal(path: path, reason: .system(errno)) }
    return RegularFile(path: name ?? path, descriptor: descriptor, size: place.size, identity: place.identity)
  }

  private init(path: String, descriptor: Int32, size: Int, identity: Identity) {
    self.path = path
    self.descriptor = descriptor
    self.size = size
    self.identity = identity
  }

  /// Whether it is as it was when it was opened, as far as the system tells.
  public var isAsOpened: Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0 && Identity(status) == identity
  }

  deinit { close(descriptor) }

  /// Another descriptor of the same file, with a position of its own, that the caller closes.
  public func openAgain() throws(FileRefusal) -> Int32 {
    let another = Glibc.open("/proc/self/fd/\(descriptor)", O_RDONLY | O_CLOEXEC)
    guard another >= 0 else { throw FileRefusal(path: path, reason: .system(errno)) }
    return another
  }

  /// Up to `count` bytes from `offset` on; fewer at the end, none where they cannot be read.
  public func bytes(_ count: Int, from offset: Int = 0) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: max(0, min(count, size - offset))) { buffer, initialized in
      while initialized < buffer.count, let base = buffer.baseAddress {
        let got = pread(descriptor, base + initialized, buffer.count - initialized, off_t(offset + initialized))
        if got < 0, errno == EINTR { continue }
        if got <= 0 { break }
        initialized += got
      }
    }
  }

  /// All of it; refuses what is larger than `limit` bytes before anything is read, and what breaks off.
  public func contents(atMost limit: Int) throws(FileRefusal) -> [UInt8] {
    guard size <= limit else { throw FileRefusal(path: path, reason: .isLargerThan(limit)) }
    let all = bytes(size)
    // Some files of the kernel's say that they are empty and are not, and one may grow meanwhile.
    var more: UInt8 = 0
    guard all.count == size, pread(descriptor, &more, 1, off_t(size)) == 0 else {
      throw FileRefusal(path: path, reason: .system(EIO))
    }
    return all
  }
}

/// Something in the file system that is held without being opened.
struct Place: ~Copyable {
  let path: String
  let kind: mode_t
  let size: Int
  let identity: RegularFile.Identity
  private let descriptor: Int32

  init(_ path: String) throws(FileRefusal) {
    self.path = path
    // O_PATH, which the headers hide.
    descriptor = Glibc.open(path, 0o10000000 | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileRefusal(path: path, reason: .system(errno)) }
    var status = stat()
    fstat(descriptor, &status)
    kind = status.st_mode & S_IFMT
    size = Int(status.st_size)
    identity = RegularFile.Identity(status)
  }

  deinit { close(descriptor) }

  /// A name of the place itself (proc(5)).
  var link: String { "/proc/self/fd/\(descriptor)" }

  /// Whether it is in the folder, or is it, wherever links lead.
  func lies(inside folder: String) throws(FileRefusal) -> Bool {
    let (root, real) = (try Place(folder).realPath(), try realPath())
    return real == root || real.starts(with: root.last == 0x2F ? root : root + [0x2F])
  }

  /// Where it is, without links.
  func realPath() throws(FileRefusal) -> [UInt8] {
    let bytes = [UInt8](unsafeUninitializedCapacity: Int(PATH_MAX)) { buffer, initialized in
      guard let base = buffer.baseAddress else { return }
      initialized = max(
        0, base.withMemoryRebound(to: CChar.self, capacity: buffer.count) { readlink(link, $0, buffer.count) })
    }
    guard !bytes.isEmpty else { throw FileRefusal(path: path, reason: .system(errno)) }
    return bytes
  }
}
