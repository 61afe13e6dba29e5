// SPDX-License-Identifier: Apache-2.0

import Glibc
import Wire

extension Transport {
  /// Tries each path in turn; an error tells them all and what to do. `waits` as `init(path:waits:)` has it.
  static func connecting(toFirstOf paths: [String], waits: Bool = true) throws(ClientError) -> Transport {
    for path in paths {
      do throws(Transport.ConnectFailure) {
        return try Transport(path: path, waits: waits)
      } catch {
        switch error {
        case .missing: continue
        case .nobodyListens:
          throw ClientError(
            .refused, "no daemon listens at \(path)",
            remedy: "start it with starlightd or systemctl --user start starlightd")
        case .pathTooLong(let limit):
          throw ClientError(
            .refused, "the socket's path is longer than \(limit) bytes: \(path)", remedy: "choose a shorter one")
        case .system(let code):
          let remedy =
            code == EACCES
            ? "it belongs to another user, or to the system's daemon and you are not in its group" : nil
          throw ClientError(
            .refused, "cannot connect to \(path): \(String(cString: strerror(code)))", remedy: remedy)
        }
      }
    }
    throw ClientError(
      .notFound(paths),
      "no daemon found at \(paths.joined(separator: " or "))",
      remedy: "start it with starlightd or systemctl --user start starlightd, or name its socket in "
        + "$\(SocketPath.variable)")
  }
}

/// The variables that say where the socket is.
func environment() -> [String: String] {
  var found: [String: String] = [:]
  for name in [SocketPath.variable, "XDG_RUNTIME_DIR"] {
    if let value = getenv(name) { found[name] = String(cString: value) }
  }
  return found
}
