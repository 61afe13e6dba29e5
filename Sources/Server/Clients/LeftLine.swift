// SPDX-License-Identifier: Apache-2.0

import Host
import Wire

/// A line that is being read or worked on by the thread for errands, or was, and is served again before any other of its client.
final class LeftLine {
  let line: Connection.Arrived
  /// The request in it; nil where the errand is to find it.
  let reading: ReadRequest?
  let errand: Errand

  init(_ line: Connection.Arrived, _ reading: ReadRequest?, _ errand: Errand) {
    (self.line, self.reading, self.errand) = (line, reading, errand)
  }
}
