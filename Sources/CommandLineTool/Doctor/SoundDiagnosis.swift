// SPDX-License-Identifier: Apache-2.0

import Problems

func soundFinding(_ facts: MachineFacts) -> Finding? {
  let topic = "sound"
  let why = "starlightd plays in silence, paced by the clock"
  let sound = facts.sound
  switch sound.opening {
  case .notTried:
    if case .running(let daemon) = facts.daemon { return .ok(topic, "sound", "starlightd is \(daemon.audioMessage)") }
    return nil
  case .opened(let device):
    return openedFinding(device, sound.device, facts)
  case .blocked(let seconds):
    let cure =
      facts.pipeWire == .notRunning ? "pulseaudio -k" : "systemctl --user restart pipewire pipewire-pulse wireplumber"
    return .problem(
      topic, "soundBlocked", "the sound device \(sound.device) did not open within \(seconds) s",
      why: "its sound server does not answer; " + why, cure: cure)
  case .failed(let problem):
    if sound.cards.isEmpty, problem.kind == .deviceMissing {
      return .note(
        topic, "noSoundCard", "this machine has no sound card", why: why,
        then: facts.takenUp(unlessTold: "--device") + "; or use what is recorded: `starlightd --record FILE`")
    }
    if !sound.cards.isEmpty, sound.nodes.isEmpty {
      return .problem(
        topic, "soundNotPassedOn", "the kernel has \(sound.cards.joined(separator: ", ")), and /dev/snd is not here",
        why: why, then: "start the container with `--device /dev/snd`")
    }
    if !sound.nodes.isEmpty, sound.nodes.allSatisfy({ !$0.isPermitted }) {
      return .problem(
        topic, "soundDenied", "\(facts.user.name) may not open \(sound.nodes[0].path)", why: why,
        cure: "sudo usermod -aG audio \(facts.user.name)", then: "log out and in again")
    }
    return failure(problem, sound, why: why)
  }
}

private func openedFinding(_ device: SoundFacts.Device, _ name: String, _ facts: MachineFacts) -> Finding {
  let card = device.card.map { " (\($0))" } ?? ""
  let waking = device.isWokenByClock ? ", woken by the clock" : ""
  let what =
    "\(name)\(card) opens: \(device.rate) Hz, periods of \(device.period) frames\(waking), a buffer of "
    + milliseconds(Int64(device.buffer) * 1_000_000 / Int64(max(1, device.rate)))
  // Where a daemon runs and does not play, it was told not to, or has yet to look again.
  if case .running(let daemon) = facts.daemon, daemon.audioKind == .null {
    return .note(
      "sound", "soundUnused", what + "; starlightd is \(daemon.audioMessage)",
      why: "a device that comes late is taken up within seconds, unless starlightd was told `--device none`")
  }
  return .ok("sound", "sound", what)
}

private func failure(_ problem: Problem, _ sound: SoundFacts, why: String) -> Finding {
  if problem.kind == .deviceBusy {
    return .problem(
      "sound", "soundBusy", "the sound device \(sound.device) is in use by another program", why: why,
      cure: "fuser -v /dev/snd/*", then: problem.remedy ?? "end what that names, or let a sound server share the card")
  }
  let other = "that line plays straight through the first card; `aplay -L` names the others"
  return .problem(
    "sound", "soundFailed", problem.cause, why: why, cure: "STARLIGHT_DEVICE=plughw:0 starlightd",
    then: [problem.remedy, other].compactMap(\.self).joined(separator: "; "))
}

/// Whether PipeWire gives starlightd the short periods it asks for.
func pipeWireFinding(_ facts: PipeWireFacts) -> Finding? {
  let topic = "PipeWire"
  switch facts {
  case .notRunning: return nil
  case .unreadable(let isToolInstalled):
    return .note(
      topic, "pipeWireUnknown",
      isToolInstalled
        ? "it runs, and pw-metadata does not tell its settings" : "it runs, and pw-metadata is not installed",
      why: "a large quantum delays all that is heard, and cannot be seen from here",
      cure: isToolInstalled ? "pw-metadata -n settings" : "sudo apt install pipewire-bin")
  case .settings(let clock):
    let wanted = pipeWirePeriod
    if clock.forced > wanted {
      return .problem(
        topic, "pipeWireForced", "its quantum is forced to \(clock.told(clock.forced))",
        why: "every sound is that much later; starlightd asks for \(clock.told(wanted))",
        cure: "pw-metadata -n settings 0 clock.force-quantum 0")
    }
    if clock.forced == 0, clock.minimum > wanted {
      return .problem(
        topic, "pipeWireMinimum", "its smallest quantum is \(clock.told(clock.minimum))",
        why: "every sound is that much later; starlightd asks for \(clock.told(wanted))",
        cure: "pw-metadata -n settings 0 clock.min-quantum \(wanted)",
        then: "PipeWire sets it high in virtual machines, where small ones may crackle")
    }
    let held = clock.forced > 0 ? "forced to \(clock.told(clock.forced))" : clock.told(clock.quantum)
    return .ok(topic, "pipeWire", "its quantum is \(held), and starlightd gets the \(clock.told(wanted)) it asks for")
  }
}

/// The frames a period that starlightd asks a device shared with others for.
private let pipeWirePeriod = 256
