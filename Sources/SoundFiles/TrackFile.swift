// SPDX-License-Identifier: Apache-2.0

import Files
import Problems
import Synchronization

/// The file that a track was loaded from. It is kept open, so that what begins later reads what was loaded, whatever was put in its
/// place meanwhile: of so many at a time. Another is opened by its name again, and refused where that is another file by then.
final class TrackFile: Sendable {
  /// Of all tracks of the process as many are kept open, for descriptors are few.
  static let mostKept = 256
  private static let keptCount = Mutex(0)

  private let path: String
  private let folder: String?
  private let identity: RegularFile.Identity
  private let kept: RegularFile?

  /// That file, which must lie in `folder` where one is given.
  init(_ file: RegularFile, inside folder: String?) {
    path = file.path
    self.folder = folder
    identity = file.identity
    let isRoom = Self.keptCount.withLock { count in
      guard count < Self.mostKept else { return false }
      count += 1
      return true
    }
    kept = isRoom ? file : nil
  }

  deinit { if kept != nil { Self.keptCount.withLock { $0 -= 1 } } }

  /// The file from its beginning. Throws `changed` where it is not what was loaded.
  func open() throws(Problem) -> Decoder {
    let file: RegularFile
    if let kept { file = kept } else { file = try FileInspection.open(path, inside: folder, named: nil) }
    guard file.identity == identity, file.isAsOpened else {
      throw Problem(
        .changed, file: path, "\(path) has changed since it was loaded", remedy: "load the pack again")
    }
    return try Decoder.open(file)
  }
}
