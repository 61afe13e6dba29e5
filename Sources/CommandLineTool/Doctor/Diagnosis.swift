// SPDX-License-Identifier: Apache-2.0

/// What is well and what is wrong with a machine, in the order in which things are best mended.
///
/// A pure function of the facts. Cures are written with sudo, which is left out for root: a bare container has none.
func diagnosis(of facts: MachineFacts) -> [Finding] {
  let ofDevices = [
    soundFinding(facts), pipeWireFinding(facts.pipeWire), schedulingFinding(facts), memoryFinding(facts),
  ]
  let findings =
    [runtimeDirectoryFinding(facts)] + daemonFindings(facts) + ofDevices.compactMap(\.self) + padFindings(facts)
    + packFindings(facts)
  if !facts.user.isRoot { return findings }
  return findings.map { finding in
    var finding = finding
    finding.cure = finding.cure?.replacing("sudo ", with: "")
    return finding
  }
}

private func runtimeDirectoryFinding(_ facts: MachineFacts) -> Finding {
  let (directory, user) = (facts.runtimeDirectory, facts.user)
  let topic = "runtime folder"
  let why = "starlightd and starlight meet at a socket in it"
  let shown = directory.path ?? ""
  let fault: (code: String, what: String)
  switch directory.state {
  case .ours: return .ok(topic, "runtimeDirectory", "\(shown) is there and yours")
  case .unset where user.isRoot:
    return .ok(topic, "runtimeDirectory", "none is set; root's socket is in /run/starlight")
  case .foreign(let owner) where user.isRoot:
    return .note(
      topic, "runtimeDirectoryForeign", "$XDG_RUNTIME_DIR is \(shown), which belongs to \(owner)",
      why: "a daemon that root starts here leaves files that \(owner) cannot remove", cure: "unset XDG_RUNTIME_DIR")
  case .unset: fault = ("runtimeDirectoryUnset", "$XDG_RUNTIME_DIR is not set")
  case .missing: fault = ("runtimeDirectoryMissing", "$XDG_RUNTIME_DIR names \(shown), which is not there")
  case .notAFolder: fault = ("runtimeDirectoryNotAFolder", "$XDG_RUNTIME_DIR names \(shown), which is no folder")
  case .foreign(let owner):
    fault = ("runtimeDirectoryForeign", "$XDG_RUNTIME_DIR is \(shown), which belongs to \(owner)")
  }
  // A daemon that answers elsewhere needs no folder.
  if case .running = facts.daemon { return .note(topic, fault.code, fault.what, why: why) }
  let cure: String
  var then: String?
  if directory.hasLoginFolder {
    cure = "export XDG_RUNTIME_DIR=/run/user/\(user.id)"
  } else if facts.hasSystemd {
    cure = "sudo loginctl enable-linger \(user.name) && export XDG_RUNTIME_DIR=/run/user/\(user.id)"
  } else {
    cure = "mkdir -pm 700 ~/.starlight && export STARLIGHT_SOCKET=~/.starlight/starlightd.sock"
    then = "in every terminal, or in ~/.profile"
  }
  return .problem(topic, fault.code, fault.what, why: why, cure: cure, then: then)
}

extension MachineFacts {
  /// What to do for want of a device. A daemon that runs may have been told to use none, or others.
  func takenUp(unlessTold option: String) -> String {
    let advice = "plug one in: it is used at once"
    if case .running = daemon { return advice + ", unless starlightd was told otherwise by `\(option)`" }
    return advice
  }
}
