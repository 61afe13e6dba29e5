// SPDX-License-Identifier: Apache-2.0

func padFindings(_ facts: MachineFacts) -> [Finding] {
  let topic = "pads"
  let pads = facts.pads
  var findings = pads.pads.map { padFinding($0, facts) }
  if pads.pads.isEmpty {
    findings.append(
      .note(
        topic, "noPad", "no pad with force feedback is plugged in", why: "patterns can be seen and heard, not felt",
        then: facts.takenUp(unlessTold: "--haptics")))
    // With a pad its own finding says it.
    if pads.rule == nil, !facts.user.isRoot {
      findings.append(
        .note(
          topic, "noRule", "the udev rule \(ruleName) is not installed", why: "a pad may be refused when it comes",
          cure: installRule))
    }
  }
  return findings
}

private func padFinding(_ pad: PadFacts.Pad, _ facts: MachineFacts) -> Finding {
  let topic = "pads"
  let place = "\(pad.name) at \(pad.path)"
  let state: RunningDaemon.Pad?
  let isServed: Bool
  if case .running(let daemon) = facts.daemon, daemon.audioKind != .stepped {
    (state, isServed) = (daemon.pads.first { $0.path == pad.path }, true)
  } else {
    (state, isServed) = (nil, false)
  }
  if state?.state == .ready { return .ok(topic, "pad", "\(place) is felt through starlightd") }
  if pad.access == .granted, let state {
    return .problem(
      topic, "padFailed", state.problem?.cause ?? "\(place) is \(state.state.rawValue)", why: "nothing is felt on it",
      then: state.problem?.remedy ?? "plug the pad in again")
  }
  if pad.access == .granted {
    if !isServed { return .ok(topic, "pad", "\(place) may be played") }
    return .note(
      topic, "padUnused", "\(place) may be played, and starlightd does not use it",
      why: "it was told other pads with --haptics or $STARLIGHT_HAPTICS", cure: "starlightd --haptics all",
      then: "after ending the one that runs")
  }
  return deniedFinding(pad, facts)
}

private func deniedFinding(_ pad: PadFacts.Pad, _ facts: MachineFacts) -> Finding {
  let (topic, why) = ("pads", "nothing is felt on it")
  let user = facts.user.name
  let what = "\(pad.name) at \(pad.path) may not be opened by \(user)"
  if pad.access == .noNode {
    return .problem(
      topic, "padNotPassedOn", "the kernel has \(pad.name), and \(pad.path) is not here", why: why,
      then: "start the container with `--device \(pad.path)`")
  }
  if !pad.isJoystick { return unruledFinding(pad, what) }
  let denied = "padDenied"
  guard facts.pads.rule != nil else {
    return .problem(
      topic, denied, "\(what): the udev rule \(ruleName) is not installed", why: why, cure: installRule,
      then: "whoever sits at this machine may play it at once; others join the group: "
        + "sudo usermod -aG \(ruleGroup) \(user)")
  }
  switch facts.pads.group {
  case .absent:
    return .problem(
      topic, denied, "\(what): the group \(ruleGroup) of the udev rule does not exist", why: why,
      cure: "sudo groupadd -rf \(ruleGroup) && sudo usermod -aG \(ruleGroup) \(user) && \(applyRules)",
      then: "log out and in again")
  case _ where pad.group != ruleGroup:
    return .problem(
      topic, denied, "\(what): it was plugged in before the udev rule was installed", why: why, cure: applyRules)
  case .notAMember:
    return .problem(
      topic, denied, "\(what), who neither sits at this machine nor is in the group \(ruleGroup)", why: why,
      cure: "sudo usermod -aG \(ruleGroup) \(user)", then: "log out and in again")
  case .notInSession:
    return .problem(
      topic, denied, "\(what): the group \(ruleGroup) counts from the next login on", why: why,
      cure: "newgrp \(ruleGroup)", then: "or log out and in again")
  case .member:
    return .problem(
      topic, denied, "\(what), although \(user) is in the group \(ruleGroup): the node does not let the group write",
      why: why, cure: applyRules)
  }
}

/// What can be felt and is no joystick to udev is not what the rule is for, whenever it was plugged in.
private func unruledFinding(_ pad: PadFacts.Pad, _ what: String) -> Finding {
  .note(
    "pads", "padNoJoystick", "\(what): udev takes it for no joystick, and \(ruleName) is for joysticks alone",
    why: "nothing is felt on it",
    cure: "sudo groupadd -rf \(ruleGroup) && echo '\(rule(named: pad.name))' "
      + "| sudo tee -a /etc/udev/rules.d/70-starlight-others.rules && \(applyRules)",
    then: "that is a rule for it, if it is meant to be felt")
}

/// A rule as the usual one, for what has that name.
private func rule(named name: String) -> String {
  // To udev a question mark is any character; others than these may mean something to it, or to the shell.
  let pattern = name.utf8.map { byte -> Character in
    let character = Character(Unicode.Scalar(byte))
    let isPlain = character.isASCII && (character.isLetter || character.isNumber || " -_.:,".contains(character))
    return isPlain ? character : "?"
  }
  return "ACTION!=\"remove\", SUBSYSTEM==\"input\", KERNEL==\"event[0-9]*\", ATTRS{name}==\"\(String(pattern))\", "
    + "GROUP=\"\(ruleGroup)\", MODE=\"0660\", TAG+=\"uaccess\""
}

let ruleName = "70-starlight.rules"
/// The group that the rule gives pads to.
let ruleGroup = "starlight"
/// The rule itself, as `systemd/udev/70-starlight.rules` has it.
let ruleText =
  "ACTION!=\"remove\", SUBSYSTEM==\"input\", KERNEL==\"event[0-9]*\", ENV{ID_INPUT_JOYSTICK}==\"1\", "
  + "ATTRS{capabilities/ff}==\"*[1-9a-f]*\", GROUP=\"starlight\", MODE=\"0660\", TAG+=\"uaccess\""

private let applyRules = "sudo udevadm control --reload && sudo udevadm trigger -s input"
private let installRule =
  "sudo groupadd -rf \(ruleGroup) && echo '\(ruleText)' | sudo tee /etc/udev/rules.d/\(ruleName) && \(applyRules)"
