// SPDX-License-Identifier: Apache-2.0

import CRealTime
import FoundationEssentials
import GamePacks
import Glibc
import RealTime
import StarlightClient
import Wire

/// Looks at the machine. Nothing is changed, and nothing is waited for longer than some seconds.
extension MachineFacts {
  init(gatheredFor tool: Tool) {
    let environment = tool.environment
    self.init(user: User(id: getuid(), name: userName(getuid())))
    runtimeDirectory = RuntimeDirectory(environment["XDG_RUNTIME_DIR"], user: user.id)
    hasSystemd = exists("/run/systemd/system")
    hasUserUnit = hasSystemd && userUnitFolders(environment).contains { exists($0 + "/starlightd.service") }
    daemonProgram = typedName("starlightd", environment: environment)
    scheduling = SchedulingFacts(asked: audioPriority)
    daemon = DaemonFacts(socket: tool.invocation[GlobalOptions.socket], environment: environment)
    sound = SoundFacts(device: environment["STARLIGHT_DEVICE"] ?? "default", daemon: daemon)
    pipeWire = PipeWireFacts(environment)
    pads = PadFacts(user: user)
    if case .running(let daemon) = daemon {
      packs = daemon.packs
    } else {
      packs = PackFacts(environment)
    }
  }
}

extension MachineFacts.RuntimeDirectory {
  fileprivate init(_ path: String?, user: UInt32) {
    self.path = path
    hasLoginFolder = fileStatus("/run/user/\(user)")?.st_uid == user
    guard let path, !path.isEmpty else { return }
    state =
      switch fileStatus(path) {
      case nil: .missing
      case let status? where status.kind != S_IFDIR: .notAFolder
      case let status? where status.st_uid != user: .foreign(owner: userName(status.st_uid))
      default: .ours
      }
  }
}

extension MachineFacts.SchedulingFacts {
  /// Asks for real-time priority on a thread that ends at once.
  fileprivate init(asked priority: Int) {
    priorityLimit = rt_priority_limit()
    memoryLimit = UInt64(exactly: rt_memory_lock_limit())
    mayLockMemory = rt_lift_memory_lock_limit() != 0
    do throws(ThreadError) {
      let thread = try RealTimeThread(name: "doctor", priority: priority, body: endAtOnce, argument: nil)
      granted = thread.scheduling
      thread.join()
    } catch {
      granted = .timeSharing(refusal: error.code)
    }
  }
}

private func endAtOnce(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? { nil }

extension DaemonFacts {
  fileprivate init(socket: String?, environment: [String: String]) {
    let paths = socket.map { [$0] } ?? SocketPath.candidates(environment: environment)
    guard let path = paths.first(where: { exists($0) || errno == EACCES }) else {
      self = .absent(paths)
      return
    }
    do throws(ClientError) {
      let connection = try StarlightConnection(path: path)
      let status = try connection.call(EngineStatus.self, Empty(), timeoutUs: 2_000_000)
      let packs = try connection.listPacks(timeoutUs: 2_000_000)
      self = .running(RunningDaemon(status, packs, socket: path))
    } catch {
      self =
        switch error.kind {
        case .refused where isDenied(path): .denied(path)
        case .refused where isSocket(path): .stale(path)
        case .timedOut: .mute(path)
        default: .failed(error.message)
        }
    }
  }
}

extension RunningDaemon {
  init(_ status: EngineStatus.Result, _ list: PackList.Result, socket: String) {
    self.init(socket: socket)
    version = status.version
    audioKind = status.audio.kind
    audioMessage = status.audio.message
    hasRealTimePriority = status.audio.scheduling.isRealTime
    pads = status.haptics.compactMap { output in
      guard output.kind.isFelt, let path = output.path else { return nil }
      return Pad(path: path, state: output.state, problem: output.problem)
    }
    packs = PackFacts(list)
    (packs.untaken, packs.nowUs) = (status.untaken ?? [], status.nowUs)
    let toldElsewhere = Set(
      status.haptics.compactMap(\.problem) + list.problems + list.packs.flatMap(\.problems))
    problems = status.problems.filter { !toldElsewhere.contains($0) }
  }
}

extension PipeWireFacts {
  fileprivate init(_ environment: [String: String]) {
    let folder = environment["PIPEWIRE_RUNTIME_DIR"] ?? environment["XDG_RUNTIME_DIR"] ?? "/run/user/\(getuid())"
    let name = environment["PIPEWIRE_REMOTE"] ?? "pipewire-0"
    guard exists(name.hasPrefix("/") ? name : folder + "/" + name) else {
      self = .notRunning
      return
    }
    let told = output(of: ["pw-metadata", "-n", "settings"], seconds: 2)
    if let settings = told.flatMap(PipeWireSettings.init(metadata:)) {
      self = .settings(settings)
    } else {
      let folders = (environment["PATH"] ?? "").split(separator: ":")
      self = .unreadable(isToolInstalled: folders.contains { access("\($0)/pw-metadata", X_OK) == 0 })
    }
  }
}

/// Where systemd looks for the units of a user.
private func userUnitFolders(_ environment: [String: String]) -> [String] {
  let configuration = environment["XDG_CONFIG_HOME"] ?? environment["HOME"].map { $0 + "/.config" }
  return (configuration.map { [$0 + "/systemd/user"] } ?? [])
    + ["/etc", "/run", "/usr/local/lib", "/usr/lib", "/lib"].map { $0 + "/systemd/user" }
}

/// Leaves the reason in errno where it is not.
func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

/// Whether this user may not connect: a socket is connected to by writing.
private func isDenied(_ path: String) -> Bool { access(path, W_OK) != 0 && errno == EACCES }

private func isSocket(_ path: String) -> Bool { fileStatus(path)?.kind == S_IFSOCK }

/// The user's name; the number where it has none.
private func userName(_ id: UInt32) -> String {
  getpwuid(id).map { String(cString: $0.pointee.pw_name) } ?? String(id)
}

extension PackFacts {
  /// Reads every pack that a daemon started here would load.
  init(_ environment: [String: String]) {
    self.init(
      PackList.Result(onDisk: environment),
      folders: PackFolders(onDisk: environment).all)
  }

  /// What a daemon, or this program, has read.
  init(_ list: PackList.Result, folders: [String] = []) {
    self.folders = folders
    packs = list.packs.map { Pack(path: $0.path, name: $0.name, faults: $0.problems, hides: $0.hides ?? []) }
    leftOut = list.problems
  }
}
