// SPDX-License-Identifier: Apache-2.0

import RealTime

/// Whether the audio thread goes before everything else on a busy machine.
func schedulingFinding(_ facts: MachineFacts) -> Finding {
  let topic = "real time"
  let why = "on a busy machine sound stutters and haptics come late"
  let limits =
    "printf '\(facts.user.name) - %s\\n' 'rtprio 80' 'nice -11' "
    + "| sudo tee /etc/security/limits.d/starlight-rtprio.conf"
  let scheduling = facts.scheduling
  if case .running(let daemon) = facts.daemon, daemon.audioKind != .stepped {
    if daemon.hasRealTimePriority {
      return .ok(topic, "realTime", "starlightd's audio thread runs with SCHED_FIFO")
    }
    if case .fifo = scheduling.granted {
      return .problem(
        topic, "realTimeNotTaken", "starlightd runs without real-time priority, and this session would be given it",
        why: why, cure: restart(daemon.socket, facts), then: byHand(daemon.socket, facts))
    }
  }
  switch scheduling.granted {
  case .fifo(let priority) where priority >= audioPriority:
    return .ok(topic, "realTime", "SCHED_FIFO at \(priority) is granted to a thread that asks for it")
  case .fifo(let priority):
    return .note(
      topic, "realTimeLow", "SCHED_FIFO is granted at \(priority) of the \(audioPriority) that starlightd asks for",
      why: "threads of other programs may go before it", cure: limits, then: "log out and in again")
  case .timeSharing where facts.user.isRoot && scheduling.priorityLimit == 0:
    return .problem(
      topic, "noRealTime", "SCHED_FIFO is refused even to root: CAP_SYS_NICE is missing", why: why,
      then: "start the container with `--cap-add=SYS_NICE`")
  case .timeSharing where scheduling.priorityLimit > 0:
    return .problem(
      topic, "noRealTimeBudget",
      "SCHED_FIFO is refused although the limit is \(scheduling.priorityLimit): this control group has no real-time budget",
      why: why, cure: "sudo sysctl -w kernel.sched_rt_runtime_us=-1")
  case .timeSharing:
    return .problem(
      topic, "noRealTime", "SCHED_FIFO is refused: the limit RLIMIT_RTPRIO is 0", why: why, cure: limits,
      then: "log out and in again")
  }
}

/// Whether the daemon's memory stays where it is.
func memoryFinding(_ facts: MachineFacts) -> Finding {
  let topic = "memory"
  if facts.scheduling.mayLockMemory { return .ok(topic, "memoryLock", "may be locked without limit") }
  let limit = facts.scheduling.memoryLimit.map { size(Int64(clamping: $0)) } ?? "unknown"
  return .note(
    topic, "memoryLock", "no more than \(limit) may be locked (RLIMIT_MEMLOCK), so starlightd locks none",
    why: "when memory runs short, sound may stutter while it is fetched back",
    cure: "echo '\(facts.user.name) - memlock unlimited' | sudo tee /etc/security/limits.d/starlight-memlock.conf",
    then: "log out and in again")
}

let audioPriority = 70
