// SPDX-License-Identifier: Apache-2.0

/// Where what the daemon has learnt about devices is kept from one run to the next.
public enum StateFolder {
  /// The folder that systemd made for it, else the user's; nil where the environment names neither.
  ///
  /// systemd separates several by colons; the first is ours. By the XDG base directory specification a path that is not
  /// absolute counts as none.
  public static func path(environment: [String: String]) -> String? {
    func absolute(_ path: String?) -> String? { path.flatMap { $0.hasPrefix("/") ? $0 : nil } }
    if let folder = absolute(environment["STATE_DIRECTORY"]?.split(separator: ":").first.map(String.init)) {
      return folder
    }
    let states = absolute(environment["XDG_STATE_HOME"]) ?? absolute(environment["HOME"]).map { $0 + "/.local/state" }
    return states.map { $0 + "/starlight" }
  }
}
