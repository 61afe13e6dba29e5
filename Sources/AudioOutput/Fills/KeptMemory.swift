// SPDX-License-Identifier: Apache-2.0

import Files
import Problems
import Synchronization

/// Which of its files the keeper writes.
enum KeptMemory: Int {
  case fill = 1
  case lead, wake
}

extension DeviceKeeper {
  /// Notes which file is written while `body` writes it.
  func keep<Result>(_ memory: KeptMemory, _ body: () -> Result) -> Result {
    written.store(memory.rawValue, ordering: .releasing)
    defer { written.store(0, ordering: .releasing) }
    return body()
  }

  /// The file that is being written and does not answer, where the keeper hangs in that and not in the device.
  var unansweredFile: Problem? {
    let (kind, path, what): (Problem.Kind, String?, String)
    switch KeptMemory(rawValue: written.load(ordering: .acquiring)) {
    case nil: return nil
    case .fill: (kind, path, what) = (.fillNotKept, fillFile?.path, "how far ahead the sound device needs to be filled")
    case .lead: (kind, path, what) = (.leadNotKept, leadFile?.path, "how late the sound device is heard")
    // It has no kind of its own, for nobody is told while it cannot be kept.
    case .wake: (kind, path, what) = (.fillNotKept, wakeFile?.path, "how long the sound device takes to wake")
    }
    guard let path else { return nil }
    return Problem(
      kind, file: path, "\(what) is not kept in \(path): \(UnansweredFile.reason)", remedy: UnansweredFile.remedy)
  }
}
