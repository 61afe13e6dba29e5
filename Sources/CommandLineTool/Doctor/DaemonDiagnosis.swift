// SPDX-License-Identifier: Apache-2.0

import CommandTable
import Wire

/// Whether a daemon runs, and is the one this tool goes with.
func daemonFindings(_ facts: MachineFacts) -> [Finding] {
  guard case .running(let daemon) = facts.daemon else { return [daemonFinding(facts)] }
  return [daemonFinding(facts)]
    + daemon.problems.map {
      .problem("daemon", "daemonProblem", $0.cause, why: "starlightd itself says so", then: $0.remedy)
    }
}

private func daemonFinding(_ facts: MachineFacts) -> Finding {
  let topic = "daemon"
  let start = facts.hasUserUnit ? "systemctl --user enable --now starlightd" : "\(facts.daemonProgram) &"
  let unneeded = "games need it; demo, list, lint, convert and audition do not"
  switch facts.daemon {
  case .absent(let paths):
    return .note(
      topic, "daemonAbsent", "none is running: no socket at \(paths.joined(separator: " or "))", why: unneeded,
      cure: start)
  case .stale(let path):
    return .note(
      topic, "daemonStale", "none is running: \(path) was left by one that is gone",
      why: "it is in nobody's way, the next starlightd replaces it; \(unneeded)", cure: start)
  case .denied(let path):
    let isSystems = path.hasPrefix("/run/starlight/")
    return .problem(
      topic, "daemonDenied", "\(path) may not be opened by \(facts.user.name)",
      why: isSystems
        ? "the system's daemon serves root and the group starlight alone" : "a daemon serves its own user alone",
      cure: isSystems ? "sudo usermod -aG starlight \(facts.user.name)" : "unset STARLIGHT_SOCKET",
      then: isSystems ? "log out and in again" : "or ask its owner")
  case .mute(let path):
    return .problem(
      topic, "daemonMute", "\(path) takes connections and does not answer", why: "nothing can be asked of it",
      cure: restart(path, facts), then: byHand(path, facts))
  case .failed(let message):
    return .problem(
      topic, "daemonFailed", message, why: "no daemon can be reached there", cure: "unset STARLIGHT_SOCKET")
  case .running(let daemon) where daemon.version == starlightVersion:
    return .ok(topic, "daemon", "starlightd \(daemon.version) answers at \(daemon.socket)")
  case .running(let daemon):
    return .problem(
      topic, "daemonVersion",
      "starlightd \(daemon.version) answers at \(daemon.socket), and this is starlight \(starlightVersion)",
      why: "they may not understand each other", cure: restart(daemon.socket, facts), then: byHand(daemon.socket, facts)
    )
  }
}

/// The line that ends a daemon, and starts it again where something does that.
func restart(_ socket: String, _ facts: MachineFacts) -> String {
  if socket.hasPrefix("/run/starlight/"), facts.hasSystemd { return "sudo systemctl restart starlightd" }
  return facts.hasUserUnit ? "systemctl --user restart starlightd" : "fuser -k -TERM \(quotedForShell(socket))"
}

/// What else `restart` needs.
func byHand(_ socket: String, _ facts: MachineFacts) -> String? {
  if socket.hasPrefix("/run/starlight/"), facts.hasSystemd { return nil }
  return facts.hasUserUnit
    ? "if it was started by hand, end it with Ctrl-C and start it again" : "then start it again: \(facts.daemonProgram)"
}
