// SPDX-License-Identifier: Apache-2.0

import Problems
import RealTime
import Testing
import Wire

@testable import CommandLineTool

/// Every branch of the diagnosis, by what a person is told.
@Suite struct DoctorTests {
  /// A machine on which nothing is wrong.
  private static let healthy: MachineFacts = {
    var facts = MachineFacts(user: .init(id: 1000, name: "ann"))
    facts.runtimeDirectory = .init(path: "/run/user/1000", state: .ours, hasLoginFolder: true)
    facts.daemon = .running(RunningDaemon(socket: "/s", audioMessage: "playing on default (HDA Intel PCH)"))
    facts.scheduling = .init(priorityLimit: 80, granted: .fifo(priority: 70), mayLockMemory: true)
    facts.pads = PadFacts(
      pads: [.init(name: "Pad", path: "/dev/input/event7", access: .granted)], rule: "/etc/udev/rules.d/x",
      group: .member)
    facts.packs = PackFacts(folders: ["/p"], packs: [.init(path: "/p/a", name: "a", faults: [])])
    return facts
  }()

  /// What is found on a healthy machine once that is changed.
  private func findings(_ topic: String, _ change: (inout MachineFacts) -> Void) -> [Finding] {
    var facts = Self.healthy
    facts.daemon = .absent(["/s"])
    facts.sound.opening = .opened(.init(card: "PCH"))
    change(&facts)
    return diagnosis(of: facts).filter { $0.topic == topic }
  }

  @Test func aHealthyMachineHasNoFault() {
    var facts = Self.healthy
    facts.daemon = .running(
      RunningDaemon(
        socket: "/s", audioMessage: "playing on default (HDA Intel PCH)",
        pads: [.init(path: "/dev/input/event7", state: .ready, problem: nil)]))
    #expect(
      diagnosis(of: facts) == [
        .ok("runtime folder", "runtimeDirectory", "/run/user/1000 is there and yours"),
        .ok("daemon", "daemon", "starlightd 0.1.0 answers at /s"),
        .ok("sound", "sound", "starlightd is playing on default (HDA Intel PCH)"),
        .ok("real time", "realTime", "starlightd's audio thread runs with SCHED_FIFO"),
        .ok("memory", "memoryLock", "may be locked without limit"),
        .ok("pads", "pad", "Pad at /dev/input/event7 is felt through starlightd"),
        .ok("packs", "packs", "a can be played whole"),
      ])
  }

  @Test func curesForRootNeedNoSudo() {
    let found = findings("memory") { facts in
      facts.user = .init(id: 0, name: "root")
      facts.scheduling.mayLockMemory = false
      facts.scheduling.memoryLimit = 8_388_608
    }
    #expect(
      found == [
        .note(
          "memory", "memoryLock", "no more than 8.4 MB may be locked (RLIMIT_MEMLOCK), so starlightd locks none",
          why: "when memory runs short, sound may stutter while it is fetched back",
          cure: "echo 'root - memlock unlimited' | tee /etc/security/limits.d/starlight-memlock.conf",
          then: "log out and in again")
      ])
  }

  // MARK: runtime folder

  private func folder(_ change: (inout MachineFacts) -> Void) -> [Finding] { findings("runtime folder", change) }

  private static let meeting = "starlightd and starlight meet at a socket in it"

  @Test func aRuntimeFolderNotNamedIsNamed() {
    #expect(
      folder { $0.runtimeDirectory = .init(path: nil, state: .unset, hasLoginFolder: true) } == [
        .problem(
          "runtime folder", "runtimeDirectoryUnset", "$XDG_RUNTIME_DIR is not set", why: Self.meeting,
          cure: "export XDG_RUNTIME_DIR=/run/user/1000")
      ])
  }

  @Test func aRuntimeFolderThatIsNotThereIsMadeBySystemd() {
    #expect(
      folder { $0.runtimeDirectory = .init(path: "/run/user/1000", state: .missing) } == [
        .problem(
          "runtime folder", "runtimeDirectoryMissing", "$XDG_RUNTIME_DIR names /run/user/1000, which is not there",
          why: Self.meeting, cure: "sudo loginctl enable-linger ann && export XDG_RUNTIME_DIR=/run/user/1000")
      ])
  }

  @Test func withoutSystemdTheSocketHasAPlaceOfItsOwn() {
    let found = folder { facts in
      facts.hasSystemd = false
      facts.runtimeDirectory = .init(path: "/etc/passwd", state: .notAFolder)
    }
    #expect(
      found == [
        .problem(
          "runtime folder", "runtimeDirectoryNotAFolder", "$XDG_RUNTIME_DIR names /etc/passwd, which is no folder",
          why: Self.meeting,
          cure: "mkdir -pm 700 ~/.starlight && export STARLIGHT_SOCKET=~/.starlight/starlightd.sock",
          then: "in every terminal, or in ~/.profile")
      ])
  }

  @Test func anothersRuntimeFolderIsNotUsed() {
    let foreign = MachineFacts.RuntimeDirectory(
      path: "/run/user/1001", state: .foreign(owner: "bob"), hasLoginFolder: true)
    let what = "$XDG_RUNTIME_DIR is /run/user/1001, which belongs to bob"
    #expect(
      folder { $0.runtimeDirectory = foreign } == [
        .problem(
          "runtime folder", "runtimeDirectoryForeign", what, why: Self.meeting,
          cure: "export XDG_RUNTIME_DIR=/run/user/1000")
      ])
    let roots = folder { facts in
      facts.user = .init(id: 0, name: "root")
      facts.runtimeDirectory = foreign
    }
    #expect(
      roots == [
        .note(
          "runtime folder", "runtimeDirectoryForeign", what,
          why: "a daemon that root starts here leaves files that bob cannot remove", cure: "unset XDG_RUNTIME_DIR")
      ])
  }

  @Test func aDaemonThatAnswersNeedsNoRuntimeFolder() {
    let found = folder { facts in
      facts.daemon = .running(RunningDaemon(socket: "/s"))
      facts.runtimeDirectory = .init(path: nil, state: .unset)
    }
    #expect(
      found == [.note("runtime folder", "runtimeDirectoryUnset", "$XDG_RUNTIME_DIR is not set", why: Self.meeting)])
  }

  @Test func rootNeedsNoRuntimeFolder() {
    let found = folder { facts in
      facts.user = .init(id: 0, name: "root")
      facts.runtimeDirectory = .init(path: nil, state: .unset)
    }
    #expect(
      found == [.ok("runtime folder", "runtimeDirectory", "none is set; root's socket is in /run/starlight")])
  }

  // MARK: daemon

  private func daemon(_ daemon: DaemonFacts, _ change: (inout MachineFacts) -> Void = { _ in }) -> [Finding] {
    findings("daemon") { facts in
      facts.daemon = daemon
      change(&facts)
    }
  }

  @Test func aMissingDaemonIsStarted() {
    #expect(
      daemon(.absent(["/a", "/b"])) == [
        .note(
          "daemon", "daemonAbsent", "none is running: no socket at /a or /b",
          why: "games need it; demo, list, lint, convert and audition do not", cure: "starlightd &")
      ])
    #expect(daemon(.absent(["/a"])) { $0.hasUserUnit = true }[0].cure == "systemctl --user enable --now starlightd")
  }

  @Test func aSocketLeftBehindIsNamed() {
    #expect(
      daemon(.stale("/a")) == [
        .note(
          "daemon", "daemonStale", "none is running: /a was left by one that is gone",
          why: "it is in nobody's way, the next starlightd replaces it; games need it; "
            + "demo, list, lint, convert and audition do not", cure: "starlightd &")
      ])
  }

  @Test func theSystemsDaemonTakesMembersOfItsGroup() {
    #expect(
      daemon(.denied("/run/starlight/starlightd.sock")) == [
        .problem(
          "daemon", "daemonDenied", "/run/starlight/starlightd.sock may not be opened by ann",
          why: "the system's daemon serves root and the group starlight alone",
          cure: "sudo usermod -aG starlight ann", then: "log out and in again")
      ])
    #expect(
      daemon(.denied("/home/bob/s")) == [
        .problem(
          "daemon", "daemonDenied", "/home/bob/s may not be opened by ann", why: "a daemon serves its own user alone",
          cure: "unset STARLIGHT_SOCKET", then: "or ask its owner")
      ])
  }

  @Test func aDaemonThatDoesNotAnswerIsStartedAnew() {
    let what = "/it's takes connections and does not answer"
    #expect(
      daemon(.mute("/it's")) == [
        .problem(
          "daemon", "daemonMute", what, why: "nothing can be asked of it", cure: #"fuser -k -TERM '/it'\''s'"#,
          then: "then start it again: starlightd")
      ])
    let byUnit = daemon(.mute("/it's")) { $0.hasUserUnit = true }
    #expect(byUnit[0].cure == "systemctl --user restart starlightd")
    #expect(byUnit[0].then == "if it was started by hand, end it with Ctrl-C and start it again")
    let systems = daemon(.mute("/run/starlight/starlightd.sock"))
    #expect(systems[0].cure == "sudo systemctl restart starlightd")
    #expect(systems[0].then == nil)
  }

  @Test func aSocketThatCannotBeUsedIsToldInTheClientsWords() {
    #expect(
      daemon(.failed("the path is too long")) == [
        .problem(
          "daemon", "daemonFailed", "the path is too long", why: "no daemon can be reached there",
          cure: "unset STARLIGHT_SOCKET")
      ])
  }

  @Test func aDaemonOfAnotherVersionIsStartedAnew() {
    var other = RunningDaemon(socket: "/s")
    other.version = "9.0.0"
    other.problems = [Problem(.noPack, "no pack is loaded", remedy: "name one with --packs")]
    #expect(
      daemon(.running(other)) == [
        .problem(
          "daemon", "daemonVersion", "starlightd 9.0.0 answers at /s, and this is starlight 0.1.0",
          why: "they may not understand each other", cure: "fuser -k -TERM /s", then: "then start it again: starlightd"
        ),
        .problem(
          "daemon", "daemonProblem", "no pack is loaded", why: "starlightd itself says so",
          then: "name one with --packs"),
      ])
  }
}
