// SPDX-License-Identifier: Apache-2.0

import Timing

/// What the kernel refuses to watch, and is looked at by the clock until it does.
extension Server {
  /// How often that is looked at.
  static let unwatchedLook = Interval.milliseconds(10)

  /// Watches `descriptors`; where one is refused all of that token is looked at by the clock, and it is tried again at each look.
  func watchOrLook(_ descriptors: [Int32], token: UInt64, writing: Bool = false) {
    let codes = descriptors.map { loop.watch($0, token: token, writing: writing) }
    guard let code = codes.first(where: { $0 != 0 }) else {
      unwatched.remove(token)
      return
    }
    guard unwatched.insert(token).inserted else { return }
    let what = token == Token.sleep ? "the system's sleep" : "outputs and controls"
    log(
      .error,
      "news of \(what) cannot be waited for: \(errorText(code)); looking every "
        + "\(Self.unwatchedLook.microseconds / 1_000) ms instead")
  }
}
