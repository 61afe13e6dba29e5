// SPDX-License-Identifier: Apache-2.0

import CRealTime
import Glibc

/// Tells when something in folders, or in folders below them, was saved, came or went. Confined to one thread.
public struct SavesWatch: ~Copyable {
  /// To be watched for reading; negative when nothing can be watched.
  public let descriptor: Int32
  /// Which of the folders that were named each watched one is, or is below.
  private var roots: [Int32: Set<String>] = [:]
  private var named: [String] = []
  /// The first folder that could not be watched, of those that are named now; and whether that was taken.
  private var unwatched: Unwatched?
  private var isUnwatchedTaken = false

  /// A folder of which nothing is noticed.
  public struct Unwatched: Equatable, Sendable {
    /// Its path.
    public var folder: String
    /// The system's error; 0 where there are more folders than are watched.
    public var code: Int32
  }

  /// How deep below a folder that is named is looked, and how many folders are watched in all.
  public static let deepest = 8
  public static let mostFolders = 4_096

  /// Watches nothing yet.
  public init() { descriptor = rt_watch_folders() }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Watches these folders, and no others. Where they are those that it watches already only the one of them is looked at that may be
  /// another by the same name: all may be thousands.
  public mutating func watch(_ folders: [String], andAnew other: String? = nil) {
    if folders == named {
      guard let other, folders.contains(other) else { return }
      for number in roots.keys where roots[number]?.remove(other) != nil && roots[number]?.isEmpty == true {
        roots[number] = nil
      }
      return add(other, of: other, depth: 0)
    }
    named = folders
    roots = [:]
    (unwatched, isUnwatchedTaken) = (nil, false)
    for folder in folders { add(folder, of: folder, depth: 0) }
  }

  /// The folders in or below which something was saved since the last call. What came into them is watched from here on.
  public mutating func takeSaved() -> Set<String> {
    var saved: Set<String> = []
    var numbers = [Int32](repeating: 0, count: 256)
    while case let count = rt_watch_take(descriptor, &numbers, Int32(numbers.count)), count > 0 {
      for number in numbers.prefix(Int(count)) { saved.formUnion(number < 0 ? Set(named) : roots[number] ?? []) }
    }
    for folder in saved { add(folder, of: folder, depth: 0) }
    return saved
  }

  /// The first folder of those named that could not be watched, each time that others are named: who relies on it is to know.
  public mutating func takeUnwatched() -> Unwatched? {
    guard let unwatched, !isUnwatchedTaken else { return nil }
    isUnwatchedTaken = true
    return unwatched
  }

  private mutating func add(_ folder: String, of root: String, depth: Int) {
    guard depth <= Self.deepest else { return }
    guard roots.count < Self.mostFolders else { return note(folder, 0) }
    let number = rt_watch_add(descriptor, folder)
    if number < 0 { return note(folder, errno) }
    guard let directory = opendir(folder) else { return note(folder, errno) }
    defer { closedir(directory) }
    roots[number, default: []].insert(root)
    while let entry = readdir(directory) {
      // Only what may be a folder; a link might lead anywhere.
      guard entry.pointee.d_type == UInt8(DT_DIR) || entry.pointee.d_type == UInt8(DT_UNKNOWN) else { continue }
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { add(folder + "/" + name, of: root, depth: depth + 1) }
    }
  }

  /// One that has gone meanwhile, or is no folder, has nothing to be noticed.
  private mutating func note(_ folder: String, _ code: Int32) {
    if code == ENOENT || code == ENOTDIR { return }
    unwatched = unwatched ?? Unwatched(folder: folder, code: code)
  }
}

extension SavesWatch.Unwatched {
  /// Why, for people.
  public var reason: String {
    code == 0 ? "more than \(SavesWatch.mostFolders) folders are not watched" : String(cString: strerror(code))
  }

  /// What helps.
  public var remedy: String {
    switch code {
    case 0: "keep fewer folders in and below those of the packs"
    case ENOSPC: "raise fs.inotify.max_user_watches (sysctl)"
    case EMFILE, ENFILE: "raise the limit on open files (ulimit -n)"
    default: "let this user read and enter it"
    }
  }
}
