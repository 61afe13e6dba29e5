// SPDX-License-Identifier: Apache-2.0

import Files
import Problems

/// The file that a track was loaded from. It is kept open, so that what begins later reads what was loaded, whatever was put in its
/// place meanwhile: of so many at a time. Another is opened by its name again, and refused where that is another file by then.
final class TrackFile: Sendable {
  private let path: String
  private let folder: String?
  private let identity: RegularFile.Identity
  private let kept: RegularFile?
  private let counted: KeptFiles

  /// That file, which must lie in `folder` where one is given; it is kept open where `counted` has room.
  init(_ file: RegularFile, inside folder: String?, _ counted: KeptFiles) {
    path = file.path
    self.folder = folder
    identity = file.identity
    self.counted = counted
    kept = counted.add() ? file : nil
  }

  deinit { if kept != nil { counted.remove() } }

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
