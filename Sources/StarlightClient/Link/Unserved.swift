// SPDX-License-Identifier: Apache-2.0

import Wire

/// A request whose answer does not come, for the connection ended.
struct Unserved {
  /// Who waits for it.
  let pending: Link.Pending
  /// What is known of it.
  let error: ClientError

  /// A request of `method` that was with the kernel by then, or was not, as the connection ended for this reason.
  init(_ pending: Link.Pending, _ method: String, wasSent: Bool, _ reason: ClientError) {
    self.pending = pending
    error =
      wasSent
      ? ClientError(
        .unanswered, "\(method) was sent, and whether it was done nobody knows: \(reason.reason)",
        remedy: Self.remedy(for: method))
      : ClientError(.notConnected, "\(method) is not sent: \(reason.reason)", remedy: reason.remedy)
  }

  /// Wakes the task that waits for it, if one does.
  func tell() {
    if case .answer(let continuation, _, _, _) = pending { continuation.resume(returning: .failure(error)) }
  }

  /// What to do about one whose fate is unknown: what a client has for itself alone is over with its connection, what is the daemon's
  /// can be asked for.
  static func remedy(for method: String) -> String {
    switch method.prefix(while: { $0 != "." }) {
    case "cue", "sound", "haptics":
      "what of it had not begun is over with the connection: once there is another, ask anew for what is still due"
    case "rhythm": "rhythm.status tells, once there is another connection"
    case "music": "music.status tells, once there is another connection"
    case "parameter": "parameter.list tells, or set it anew, once there is another connection"
    case "settings": "settings.get tells, or set them anew, once there is another connection"
    case "pack": "pack.list tells, once there is another connection"
    case "engine": "engine.status tells, once there is another connection"
    default: "ask for what stands, once there is another connection"
    }
  }
}
