// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The line of a notification, but for its number: written when it is first asked for, for of most that happens nobody wants to
/// be told, and then once, however many do.
final class NotificationText: Sendable {
  /// A line up to its number, and from there on.
  struct Written {
    var head: [UInt8]
    var tail: [UInt8]
  }

  private enum Form {
    case unwritten(@Sendable () -> Written)
    case written(Written)
  }

  private let form: Mutex<Form>

  /// What `write` gives.
  init(_ write: @escaping @Sendable () -> Written) { form = Mutex(.unwritten(write)) }

  var written: Written {
    form.withLock { form in
      switch form {
      case .written(let written): return written
      case .unwritten(let write):
        let written = write()
        form = .written(written)
        return written
      }
    }
  }
}
