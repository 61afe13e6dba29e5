import FoundationEssentials
import Glibc

/// Files of patterns as they are named on the command line: one by one, or by the folder they are in.
enum PatternFiles {
  /// The file itself, or all that end in .ahap in a folder and below it, in the order of their paths.
  ///
  /// Links are followed, into each folder once; what begins with a dot is passed over, as by a shell. Throws when a folder
  /// cannot be looked into, or has none.
  static func named(_ path: String) throws(ToolFailure) -> [String] {
    guard path != "-", isFolder(path) else { return [path] }
    var seen: Set<FolderID> = []
    let files = try below(path, &seen)
    guard !files.isEmpty else {
      throw ToolFailure("no .ahap file is in the folder \(path) or below it", hint: "name the files, or another folder")
    }
    return files.sorted()
  }

  /// A folder, by whichever path.
  private struct FolderID: Hashable {
    var device: UInt
    var inode: UInt
  }

  private static func below(_ folder: String, _ seen: inout Set<FolderID>) throws(ToolFailure) -> [String] {
    var status = stat()
    guard stat(folder, &status) == 0,
      seen.insert(FolderID(device: UInt(status.st_dev), inode: UInt(status.st_ino))).inserted
    else { return [] }
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: folder)
    } catch {
      throw ToolFailure("cannot look into the folder \(folder)", hint: "check its permissions")
    }
    let prefix = folder.hasSuffix("/") ? folder : folder + "/"
    var files: [String] = []
    for name in names.sorted() where !name.hasPrefix(".") {
      if isFolder(prefix + name) {
        files += try below(prefix + name, &seen)
      } else if name.lowercased().hasSuffix(".ahap") {
        files.append(prefix + name)
      }
    }
    return files
  }
}
