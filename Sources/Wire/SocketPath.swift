// SPDX-License-Identifier: Apache-2.0

/// Where the daemon's socket is.
public enum SocketPath {
  /// The environment variable that names the socket.
  public static let variable = "STARLIGHT_SOCKET"

  /// The paths to try, best first: `$STARLIGHT_SOCKET` alone where it is set, because it was chosen by hand; else the
  /// user's daemon (`$XDG_RUNTIME_DIR/starlight/`), then the system's (`/run/starlight/`).
  public static func candidates(environment: [String: String]) -> [String] {
    if let chosen = environment[variable], !chosen.isEmpty { return [chosen] }
    var paths: [String] = []
    if let directory = environment["XDG_RUNTIME_DIR"], !directory.isEmpty {
      paths.append(directory + "/starlight/" + fileName)
    }
    return paths + ["/run/starlight/" + fileName]
  }

  private static let fileName = "starlightd.sock"
}
