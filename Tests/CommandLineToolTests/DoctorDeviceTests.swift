// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Problems
import RealTime
import Testing
import Wire

@testable import CommandLineTool

/// What is told of sound, PipeWire, scheduling, pads and packs.
@Suite struct DoctorDeviceTests {
  private func findings(_ topic: String, _ change: (inout MachineFacts) -> Void) -> [Finding] {
    var facts = MachineFacts(user: .init(id: 1000, name: "ann"))
    change(&facts)
    return diagnosis(of: facts).filter { $0.topic == topic }
  }

  // MARK: sound

  private static let silence = "starlightd plays in silence, paced by the clock"

  private func sound(_ change: (inout MachineFacts) -> Void) -> Finding? { findings("sound", change).first }

  @Test func aDeviceThatOpensIsTold() {
    #expect(
      sound { $0.sound.opening = .opened(.init(card: "PCH")) }
        == .ok("sound", "sound", "default (PCH) opens: 48000 Hz, periods of 256 frames, a buffer of 21.3 ms"))
    #expect(
      sound { $0.sound.opening = .opened(.init(card: "PCH", period: 64, buffer: 192, isWokenByClock: true)) }
        == .ok(
          "sound", "sound",
          "default (PCH) opens: 48000 Hz, periods of 64 frames, woken by the clock, a buffer of 4.0 ms"))
    let unused = sound { facts in
      facts.sound.opening = .opened(.init(card: nil))
      facts.daemon = .running(
        RunningDaemon(socket: "/s", audioKind: .null, audioMessage: "silent, paced by the clock"))
    }
    #expect(
      unused
        == .note(
          "sound", "soundUnused",
          "default opens: 48000 Hz, periods of 256 frames, a buffer of 21.3 ms; "
            + "starlightd is silent, paced by the clock",
          why: "a device that comes late is taken up within seconds, unless starlightd was told `--device none`"))
  }

  @Test func aMachineWithoutACardIsTold() {
    #expect(
      sound { $0.sound.opening = .failed(Problem(.deviceMissing, "x")) }
        == .note(
          "sound", "noSoundCard", "this machine has no sound card", why: Self.silence,
          then: "plug one in: it is used at once; or use what is recorded: `starlightd --record FILE`"))
    let beside = sound { facts in
      facts.sound.opening = .failed(Problem(.deviceMissing, "x"))
      facts.daemon = .running(RunningDaemon(socket: "/s", audioKind: .null))
    }
    #expect(
      beside?.then == "plug one in: it is used at once, unless starlightd was told otherwise by `--device`; "
        + "or use what is recorded: `starlightd --record FILE`")
  }

  @Test func aContainerWithoutTheNodesIsTold() {
    let found = sound { facts in
      facts.sound = SoundFacts(opening: .failed(Problem(.deviceMissing, "x")), cards: ["PCH", "USB"])
    }
    #expect(
      found
        == .problem(
          "sound", "soundNotPassedOn", "the kernel has PCH, USB, and /dev/snd is not here", why: Self.silence,
          then: "start the container with `--device /dev/snd`"))
  }

  @Test func aUserWhoMayNotOpenTheCardJoinsItsGroup() {
    let found = sound { facts in
      facts.sound = SoundFacts(
        opening: .failed(Problem(.deviceMissing, "x")), cards: ["PCH"],
        nodes: [.init(path: "/dev/snd/controlC0", isPermitted: false)])
    }
    #expect(
      found
        == .problem(
          "sound", "soundDenied", "ann may not open /dev/snd/controlC0", why: Self.silence,
          cure: "sudo usermod -aG audio ann", then: "log out and in again"))
  }

  @Test func aDeviceInUseOrOtherwiseFailingIsTold() {
    func failing(_ kind: Problem.Kind) -> Finding? {
      sound { facts in
        facts.sound = SoundFacts(
          opening: .failed(Problem(kind, "cannot open default", remedy: "end the other")), cards: ["PCH"],
          nodes: [.init(path: "/dev/snd/controlC0", isPermitted: true)])
      }
    }
    #expect(
      failing(.deviceBusy)
        == .problem(
          "sound", "soundBusy", "the sound device default is in use by another program", why: Self.silence,
          cure: "fuser -v /dev/snd/*", then: "end the other"))
    #expect(
      failing(.deviceFailed)
        == .problem(
          "sound", "soundFailed", "cannot open default", why: Self.silence,
          cure: "STARLIGHT_DEVICE=plughw:0 starlightd",
          then: "end the other; that line plays straight through the first card; `aplay -L` names the others"))
  }

  @Test func aSoundServerThatDoesNotAnswerIsStartedAnew() {
    let blocked = sound { $0.sound.opening = .blocked(seconds: 3) }
    #expect(
      blocked
        == .problem(
          "sound", "soundBlocked", "the sound device default did not open within 3 s",
          why: "its sound server does not answer; " + Self.silence, cure: "pulseaudio -k"))
    let withPipeWire = sound { facts in
      facts.sound.opening = .blocked(seconds: 3)
      facts.pipeWire = .settings(PipeWireSettings())
    }
    #expect(withPipeWire?.cure == "systemctl --user restart pipewire pipewire-pulse wireplumber")
  }

  @Test func cardsAreReadFromTheKernelsList() {
    let text = " 0 [PCH            ]: HDA-Intel - HDA Intel PCH\n                      HDA Intel PCH at 0x1 irq 1\n"
    #expect(SoundFacts.names(inCards: text) == ["HDA Intel PCH"])
    #expect(SoundFacts.names(inCards: "--- no soundcards ---\n") == [])
  }

  // MARK: PipeWire

  private func pipeWire(_ facts: PipeWireFacts) -> Finding? { findings("PipeWire") { $0.pipeWire = facts }.first }

  @Test func pipeWireIsLeftOutWhereItDoesNotRun() { #expect(pipeWire(.notRunning) == nil) }

  @Test func pipeWireThatGivesWhatIsAskedForIsWell() {
    #expect(
      pipeWire(.settings(PipeWireSettings()))
        == .ok(
          "PipeWire", "pipeWire",
          "its quantum is 1024 frames (21.3 ms), and starlightd gets the 256 frames (5.3 ms) it asks for"))
    #expect(
      pipeWire(.settings(PipeWireSettings(minimum: 1_024, forced: 128)))?.what
        == "its quantum is forced to 128 frames (2.7 ms), and starlightd gets the 256 frames (5.3 ms) it asks for")
  }

  @Test func aLargeQuantumIsToldInMilliseconds() {
    let why = "every sound is that much later; starlightd asks for 256 frames (5.3 ms)"
    #expect(
      pipeWire(.settings(PipeWireSettings(forced: 2_048)))
        == .problem(
          "PipeWire", "pipeWireForced", "its quantum is forced to 2048 frames (42.7 ms)", why: why,
          cure: "pw-metadata -n settings 0 clock.force-quantum 0"))
    #expect(
      pipeWire(.settings(PipeWireSettings(minimum: 1_024)))
        == .problem(
          "PipeWire", "pipeWireMinimum", "its smallest quantum is 1024 frames (21.3 ms)", why: why,
          cure: "pw-metadata -n settings 0 clock.min-quantum 256",
          then: "PipeWire sets it high in virtual machines, where small ones may crackle"))
  }

  @Test func pipeWireThatCannotBeAskedIsNoted() {
    let why = "a large quantum delays all that is heard, and cannot be seen from here"
    #expect(
      pipeWire(.unreadable(isToolInstalled: false))
        == .note(
          "PipeWire", "pipeWireUnknown", "it runs, and pw-metadata is not installed", why: why,
          cure: "sudo apt install pipewire-bin"))
    #expect(
      pipeWire(.unreadable(isToolInstalled: true))
        == .note(
          "PipeWire", "pipeWireUnknown", "it runs, and pw-metadata does not tell its settings", why: why,
          cure: "pw-metadata -n settings"))
  }

  @Test func settingsAreReadFromWhatPwMetadataPrints() {
    let text = """
      Found "settings" metadata 31
      update: id:0 key:'log.level' value:'2' type:''
      update: id:0 key:'clock.rate' value:'44100' type:''
      update: id:0 key:'clock.allowed-rates' value:'[ 48000 ]' type:''
      update: id:0 key:'clock.quantum' value:'512' type:''
      update: id:0 key:'clock.min-quantum' value:'64' type:''
      update: id:0 key:'clock.force-quantum' value:'0' type:''
      update: id:0 key:'clock.force-rate' value:'0' type:''
      """
    #expect(
      PipeWireSettings(metadata: text) == PipeWireSettings(rate: 44_100, quantum: 512, minimum: 64, forced: 0))
    #expect(PipeWireSettings(metadata: "Found \"settings\" metadata 31\n") == nil)
  }

  // MARK: scheduling

  private static let stutters = "on a busy machine sound stutters and haptics come late"
  private static let limits =
    "printf 'ann - %s\\n' 'rtprio 80' 'nice -11' | sudo tee /etc/security/limits.d/starlight-rtprio.conf"

  private func realTime(_ change: (inout MachineFacts) -> Void) -> Finding? { findings("real time", change).first }

  @Test func realTimePriorityIsGrantedLowOrRefused() {
    #expect(
      realTime { $0.scheduling.granted = .fifo(priority: 70) }
        == .ok("real time", "realTime", "SCHED_FIFO at 70 is granted to a thread that asks for it"))
    #expect(
      realTime { $0.scheduling.granted = .fifo(priority: 20) }
        == .note(
          "real time", "realTimeLow", "SCHED_FIFO is granted at 20 of the 70 that starlightd asks for",
          why: "threads of other programs may go before it", cure: Self.limits, then: "log out and in again"))
    #expect(
      realTime { $0.scheduling.granted = .timeSharing(refusal: 1) }
        == .problem(
          "real time", "noRealTime", "SCHED_FIFO is refused: the limit RLIMIT_RTPRIO is 0", why: Self.stutters,
          cure: Self.limits, then: "log out and in again"))
  }

  @Test func aRefusalThatIsNotTheLimitsIsTold() {
    #expect(
      realTime { $0.user = .init(id: 0, name: "root") }
        == .problem(
          "real time", "noRealTime", "SCHED_FIFO is refused even to root: CAP_SYS_NICE is missing",
          why: Self.stutters, then: "start the container with `--cap-add=SYS_NICE`"))
    #expect(
      realTime { $0.scheduling.priorityLimit = 95 }
        == .problem(
          "real time", "noRealTimeBudget",
          "SCHED_FIFO is refused although the limit is 95: this control group has no real-time budget",
          why: Self.stutters, cure: "sudo sysctl -w kernel.sched_rt_runtime_us=-1"))
  }

  @Test func theRunningDaemonsPriorityIsWhatCounts() {
    let without = RunningDaemon(socket: "/s", hasRealTimePriority: false)
    let found = realTime { facts in
      facts.daemon = .running(without)
      facts.scheduling.granted = .fifo(priority: 70)
    }
    #expect(
      found
        == .problem(
          "real time", "realTimeNotTaken",
          "starlightd runs without real-time priority, and this session would be given it", why: Self.stutters,
          cure: "fuser -k -TERM /s", then: "then start it again: starlightd"))
    #expect(realTime { $0.daemon = .running(without) }?.code == "noRealTime")
    let stepped = realTime { facts in
      facts.daemon = .running(RunningDaemon(socket: "/s", audioKind: .stepped, hasRealTimePriority: false))
      facts.scheduling.granted = .fifo(priority: 70)
    }
    #expect(stepped?.code == "realTime")
  }

  // MARK: pads

  private func pads(
    _ access: PadFacts.Access?, group: String? = "input", rule: String? = "/r", membership: PadFacts.Group = .member,
    daemon: DaemonFacts = .absent([])
  ) -> [Finding] {
    findings("pads") { facts in
      facts.daemon = daemon
      facts.pads = PadFacts(
        pads: access.map { [.init(name: "Pad", path: "/e7", access: $0, group: group)] } ?? [], rule: rule,
        group: membership)
    }
  }

  private static let unfelt = "nothing is felt on it"
  private static let apply = "sudo udevadm control --reload && sudo udevadm trigger -s input"
  private static let install =
    "sudo groupadd -rf starlight && echo '\(ruleText)' | sudo tee /etc/udev/rules.d/70-starlight.rules && \(apply)"

  @Test func theRuleToldIsTheRuleInstalled() throws {
    let root = #filePath.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 }
    let file = try String(contentsOfFile: root + "/systemd/udev/" + ruleName, encoding: .utf8)
    #expect(file.split(separator: "\n").last.map(String.init) == ruleText)
    #expect(!ruleText.contains("'"))
  }

  @Test func withoutAPadTheRuleIsLookedFor() {
    let none = Finding.note(
      "pads", "noPad", "no pad with force feedback is plugged in", why: "patterns can be seen and heard, not felt",
      then: "plug one in: it is used at once")
    #expect(pads(nil) == [none])
    #expect(
      pads(nil, daemon: .running(RunningDaemon(socket: "/s"))).map(\.then) == [
        "plug one in: it is used at once, unless starlightd was told otherwise by `--haptics`"
      ])
    #expect(
      pads(nil, rule: nil) == [
        none,
        .note(
          "pads", "noRule", "the udev rule 70-starlight.rules is not installed",
          why: "a pad may be refused when it comes", cure: Self.install),
      ])
  }

  @Test func aPadThatMayBePlayedIsTold() {
    #expect(pads(.granted) == [.ok("pads", "pad", "Pad at /e7 may be played")])
    #expect(
      pads(.granted, daemon: .running(RunningDaemon(socket: "/s"))) == [
        .note(
          "pads", "padUnused", "Pad at /e7 may be played, and starlightd does not use it",
          why: "it was told other pads with --haptics or $STARLIGHT_HAPTICS", cure: "starlightd --haptics all",
          then: "after ending the one that runs")
      ])
    let failed = RunningDaemon(
      socket: "/s", pads: [.init(path: "/e7", state: .failed, problem: Problem(.padFailed, "Pad: Input/output error"))]
    )
    #expect(
      pads(.granted, daemon: .running(failed)) == [
        .problem("pads", "padFailed", "Pad: Input/output error", why: Self.unfelt, then: "plug the pad in again")
      ])
    // The system's daemon may play what this user may not.
    let ready = RunningDaemon(socket: "/s", pads: [.init(path: "/e7", state: .ready, problem: nil)])
    #expect(
      pads(.denied, daemon: .running(ready)) == [.ok("pads", "pad", "Pad at /e7 is felt through starlightd")])
  }

  @Test func aPadThatIsRefusedIsToldWithItsCure() {
    func told(_ what: String, cure: String?, then: String? = nil) -> [Finding] {
      [
        .problem(
          "pads", "padDenied", "Pad at /e7 may not be opened by ann" + what, why: Self.unfelt, cure: cure, then: then)
      ]
    }
    #expect(
      pads(.denied, rule: nil)
        == told(
          ": the udev rule 70-starlight.rules is not installed", cure: Self.install,
          then: "whoever sits at this machine may play it at once; others join the group: "
            + "sudo usermod -aG starlight ann"))
    #expect(
      pads(.denied, membership: .absent)
        == told(
          ": the group starlight of the udev rule does not exist",
          cure: "sudo groupadd -rf starlight && sudo usermod -aG starlight ann && " + Self.apply,
          then: "log out and in again"))
    #expect(
      pads(.denied, group: "input", membership: .notAMember)
        == told(": it was plugged in before the udev rule was installed", cure: Self.apply))
    #expect(
      pads(.denied, group: "starlight", membership: .notAMember)
        == told(
          ", who neither sits at this machine nor is in the group starlight", cure: "sudo usermod -aG starlight ann",
          then: "log out and in again"))
    #expect(
      pads(.denied, group: "starlight", membership: .notInSession)
        == told(
          ": the group starlight counts from the next login on", cure: "newgrp starlight",
          then: "or log out and in again"))
    #expect(
      pads(.denied, group: "starlight", membership: .member)
        == told(
          ", although ann is in the group starlight: the node does not let the group write", cure: Self.apply))
  }

  /// The usual rule does not reach it, so neither does bringing it in order cure anything.
  @Test func whatIsNoJoystickHasARuleOfItsOwn() {
    let found = findings("pads") { facts in
      facts.pads = PadFacts(
        pads: [
          .init(name: "gpio's \"motor\" é", path: "/e7", access: .denied, group: "input", isJoystick: false),
          .init(name: "Motor", path: "/e8", access: .granted, group: "input", isJoystick: false),
        ], rule: "/r", group: .member)
    }
    let rule =
      "ACTION!=\"remove\", SUBSYSTEM==\"input\", KERNEL==\"event[0-9]*\", ATTRS{name}==\"gpio?s ?motor? ??\", "
      + "GROUP=\"starlight\", MODE=\"0660\", TAG+=\"uaccess\""
    #expect(
      found == [
        .note(
          "pads", "padNoJoystick",
          "gpio's \"motor\" é at /e7 may not be opened by ann: udev takes it for no joystick, and 70-starlight.rules is "
            + "for joysticks alone", why: Self.unfelt,
          cure:
            "sudo groupadd -rf starlight && echo '\(rule)' | sudo tee -a /etc/udev/rules.d/70-starlight-others.rules "
            + "&& " + Self.apply, then: "that is a rule for it, if it is meant to be felt"),
        .ok("pads", "pad", "Motor at /e8 may be played"),
      ])
  }

  @Test func aPadWithoutANodeIsTheContainers() {
    #expect(
      pads(.noNode) == [
        .problem(
          "pads", "padNotPassedOn", "the kernel has Pad, and /e7 is not here", why: Self.unfelt,
          then: "start the container with `--device /e7`")
      ])
  }

  // MARK: packs

  private static func missing(_ file: String) -> Problem {
    Problem(.missing, file: file, "\(file) does not exist", remedy: "check its name").of(.init(.sound, "a"))
  }

  private static func told(_ track: String) -> Problem {
    Problem(.truncated, "is cut short", remedy: "export it again").of(.init(.track, track)).of(pack: "p")
  }

  private static let leftOut = Problem(
    .missingField, "is missing", remedy: "the pack is left out: mend it",
    where: .init(file: "/p/b c/pack.json", line: 1, column: 1, field: "name"))

  @Test func packsThatAreMissingOrBadAreToldWithTheirOwnRemedies() {
    #expect(
      findings("packs") { $0.packs = PackFacts(folders: ["/a", "/b"]) } == [
        .problem(
          "packs", "noPack", "no game pack in /a, /b", why: "nothing can be played by name", cure: "sudo make install",
          then: "in Starlight's source; or name a folder of packs in $STARLIGHT_PACKS")
      ])
    #expect(findings("packs") { $0.packs = PackFacts(folders: ["/x/.build/share"]) }.first?.cure == "make packs")
    var bad = PackFacts(folders: ["/p"])
    bad.leftOut = [Self.leftOut]
    bad.packs = [
      .init(path: "/p/a", name: "a", faults: []),
      .init(
        path: "/p/d", name: "d",
        faults: [
          Self.missing("/p/d/1.wav"), Self.missing("/p/d/2.wav"),
          Problem(
            .syntax, "y", remedy: "mend it",
            where: .init(asset: .init(.pattern, "x"), file: "/p/d/x.ahap", line: 1, column: 2)),
        ]),
    ]
    #expect(
      findings("packs") { $0.packs = bad } == [
        .ok("packs", "packs", "a can be played whole"),
        .problem(
          "packs", "packLeftOut", "/p/b c/pack.json:1:1: name: is missing",
          why: "nothing of it can be played by name", cure: "starlight lint '/p/b c'",
          then: "the pack is left out: mend it"),
        .problem(
          "packs", "packFileMissing", "d: sound a: /p/d/1.wav does not exist, and 1 like it",
          why: "what it names is left out", cure: "starlight lint /p/d", then: "check its name"),
        .problem(
          "packs", "packPattern", "d: /p/d/x.ahap:1:2: y", why: "that pattern is left out",
          cure: "starlight lint /p/d/x.ahap", then: "mend it"),
      ])
  }

  @Test func whatTheDaemonLoadedIsWhatCounts() {
    let daemon = DaemonFacts.running(RunningDaemon(socket: "/s"))
    let none = findings("packs") { $0.daemon = daemon }
    #expect(
      none == [
        .problem(
          "packs", "noPack", "starlightd has loaded no game pack", why: "nothing can be played by name",
          cure: "starlightd --packs FOLDER",
          then: "in place of the one that runs; `make packs` in Starlight's source makes its own")
      ])
    let told = findings("packs") { facts in
      facts.daemon = daemon
      facts.packs.packs = [
        .init(path: "/p", name: "p", faults: [Self.told("a"), Self.told("b")])
      ]
    }
    #expect(
      told == [
        .problem(
          "packs", "packProblem", "p: track a: is cut short, and 1 like it",
          why: "what is at fault is not played as it is written",
          cure: "starlight lint /p", then: "export it again")
      ])
    let left = findings("packs") { facts in
      facts.daemon = daemon
      facts.packs.leftOut = [Self.leftOut]
    }
    #expect(left.map(\.code) == ["packLeftOut"] && left[0].then == Self.leftOut.remedy)
  }

  @Test func whatADaemonDidNotTakeIsToldWithThatTheOldPlaysOn() {
    let told = findings("packs") { facts in
      facts.daemon = .running(RunningDaemon(socket: "/s"))
      facts.packs.packs = [.init(path: "/p", name: "p", faults: [])]
      facts.packs.nowUs = 15_000_000
      facts.packs.untaken = [
        UntakenReading(
          pack: "p", path: "/p", atUs: 3_000_000,
          problem: Problem(
            .unknownField, "is unknown", remedy: "remove it",
            where: .init(pack: "p", file: "/p/pack.json", line: 4, column: 3, field: "titel")), problemCount: 2,
          generation: 1)
      ]
    }
    #expect(
      told == [
        .ok("packs", "packs", "p can be played whole"),
        .problem(
          "packs", "packNotTaken",
          "p was read 12.00 s ago and not taken: /p/pack.json:4:3: titel: is unknown, and 1 problem more",
          why: "what was read of it before plays on", cure: "starlight lint /p",
          then: "remove it, and have it read again by `starlight pack load /p`"),
      ])
  }

  // MARK: the report

  private static let report = DoctorReport(findings: [
    .ok("packs", "packs", "all well"),
    .problem(
      "real time", "noRealTime", "refused", why: "it stutters", cure: "echo a long line | tee x", then: "log out"),
    .note("pads", "noPad", "none is there", why: "nothing is felt"),
  ])

  @Test func aReportIsAlignedAndItsCuresAreWhole() {
    #expect(
      Self.report.lines(style: .plain, width: 44) == [
        "ok       packs      all well",
        "problem  real time  refused",
        "                    it stutters",
        "                      echo a long line | tee x",
        "                    log out",
        "note     pads       none is there",
        "                    nothing is felt",
        "",
        "1 problem, 1 note",
      ])
    #expect(DoctorReport(findings: []).lines(style: .plain).last == "nothing is wrong")
    // Narrower than that, what was found stands below its topic.
    #expect(
      Self.report.lines(style: .plain, width: 40) == [
        "ok       packs", "  all well", "problem  real time", "  refused", "  it stutters",
        "    echo a long line | tee x",
        "  log out", "note     pads", "  none is there", "  nothing is felt", "", "1 problem, 1 note",
      ])
  }

  @Test func aReportIsColouredBySeverity() {
    let lines = Self.report.lines(style: .coloured)
    #expect(Style.coloured.visible(lines[1]) == "\u{1B}[31mproblem  \u{1B}[0mreal time  refused")
  }

  @Test func aReportForMachinesHasCodes() throws {
    let value = try #require(jsonValue(Array(jsonText(Self.report, indented: false).utf8)))
    guard case .object(let fields) = value, case .array(let findings)? = fields["findings"] else {
      Issue.record("no findings")
      return
    }
    #expect(fields["problems"] == .integer(1))
    #expect(
      findings.last
        == .object([
          "severity": .string("note"), "topic": .string("pads"), "code": .string("noPad"),
          "what": .string("none is there"), "why": .string("nothing is felt"),
        ]))
  }

  @Test func aProgramIsAskedForABoundedTime() {
    #expect(output(of: ["sh", "-c", "printf one; printf two >&2"], seconds: 5) == "one")
    #expect(output(of: ["sh", "-c", "exit 1"], seconds: 5) == nil)
    #expect(output(of: ["no-such-program-here"], seconds: 5) == nil)
    #expect(output(of: ["sleep", "600"], seconds: 0) == nil)
  }
}
