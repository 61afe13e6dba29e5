// SPDX-License-Identifier: Apache-2.0

import Problems
import RealTime
import Wire

/// All that a diagnosis rests on: what was found on this machine, with nothing judged.
struct MachineFacts: Equatable {
  var user: User
  var runtimeDirectory = RuntimeDirectory()
  var daemon = DaemonFacts.absent([])
  var sound = SoundFacts()
  var pipeWire = PipeWireFacts.notRunning
  var scheduling = SchedulingFacts()
  var pads = PadFacts()
  var packs = PackFacts()
  /// Whether systemd runs this machine, so that its commands are of use.
  var hasSystemd = true
  /// Whether systemd knows a user unit of starlightd.
  var hasUserUnit = false
  /// What to type to start the daemon.
  var daemonProgram = "starlightd"

  struct User: Equatable {
    var id: UInt32
    var name: String
    var isRoot: Bool { id == 0 }
  }

  /// The folder of a user's sockets, as the environment has it.
  struct RuntimeDirectory: Equatable {
    enum State: Equatable {
      case unset
      case missing
      case notAFolder
      case foreign(owner: String)
      case ours
    }

    /// $XDG_RUNTIME_DIR.
    var path: String?
    var state = State.unset
    /// Whether systemd's own folder for this user, /run/user/ID, is there and theirs.
    var hasLoginFolder = false
  }

  struct SchedulingFacts: Equatable {
    /// RLIMIT_RTPRIO.
    var priorityLimit = 0
    /// What a thread was given that asked for the audio thread's priority.
    var granted = ThreadScheduling.timeSharing(refusal: nil)
    /// Whether the limit on locked memory could be lifted, which the daemon wants before it locks any.
    var mayLockMemory = false
    /// RLIMIT_MEMLOCK as the process began, in bytes; nil for none.
    var memoryLimit: UInt64?
  }
}

/// What answers at the places where a daemon is looked for.
enum DaemonFacts: Equatable {
  /// No socket at any of these paths.
  case absent([String])
  /// A socket that nobody listens at.
  case stale(String)
  case denied(String)
  /// Connected, and no answer came.
  case mute(String)
  /// Anything else, in the client's words.
  case failed(String)
  case running(RunningDaemon)
}

struct RunningDaemon: Equatable {
  struct Pad: Equatable {
    var path: String
    var state: EngineStatus.HapticOutput.State
    var problem: Problem?
  }

  var socket: String
  var version = starlightVersion
  var audioKind = EngineStatus.Audio.Kind.alsa
  var audioMessage = ""
  /// Whether its audio thread runs with SCHED_FIFO.
  var hasRealTimePriority = true
  var pads: [Pad] = []
  /// What it has loaded.
  var packs = PackFacts()
  /// What it says is not as it should be, pads and packs left out.
  var problems: [Problem] = []
}

struct SoundFacts: Equatable {
  enum Opening: Equatable {
    case opened(Device)
    /// Why not.
    case failed(Problem)
    /// It did not come back within so many seconds.
    case blocked(seconds: Int)
    /// The daemon plays; a second opening would only disturb.
    case notTried
  }

  /// What became of opening `device`.
  var opening = Opening.notTried
  var device = "default"
  /// The cards that the kernel has, by name.
  var cards: [String] = []
  /// The cards' control nodes, and whether this user may open them.
  var nodes: [Node] = []

  struct Node: Equatable {
    var path: String
    var isPermitted: Bool
  }

  /// What was opened.
  struct Device: Equatable {
    var card: String?
    /// Frames a second.
    var rate = 48_000
    /// Frames.
    var period = 256
    /// Frames.
    var buffer = 1_024
    /// Whether the clock wakes for it, because its own periods are longer.
    var isWokenByClock = false
  }
}

enum PipeWireFacts: Equatable {
  case notRunning
  /// Its socket is there, and its settings cannot be read: pw-metadata is not installed, or does not answer.
  case unreadable(isToolInstalled: Bool)
  case settings(PipeWireSettings)
}

struct PadFacts: Equatable {
  struct Pad: Equatable {
    var name: String
    var path: String
    var access: Access
    /// The group of the node.
    var group: String?
    /// Whether the udev rule is for it: it is none for a phone's motor.
    var isJoystick = true
  }

  enum Access: Equatable {
    case granted
    case denied
    /// The kernel has the pad, /dev/input does not: a container.
    case noNode
  }

  var pads: [Pad] = []
  /// Where the udev rule is installed.
  var rule: String?
  var group = Group.absent

  /// What the group of the rule is to this user.
  enum Group: Equatable {
    case absent
    case notAMember
    /// In the database, and not in this session.
    case notInSession
    case member
  }
}

struct PackFacts: Equatable {
  struct Pack: Equatable {
    var path: String
    /// The manifest's name.
    var name: String
    /// What of it cannot be used.
    var faults: [Problem]
    /// The folders of packs of its name that give way to it.
    var hides: [String] = []
  }

  /// The folders looked in.
  var folders: [String] = []
  var packs: [Pack] = []
  /// Why other packs are left out, or none is there.
  var leftOut: [Problem] = []
  /// What a daemon read anew of packs and did not take.
  var untaken: [UntakenReading] = []
  /// The daemon's clock when it told of them.
  var nowUs: Int64 = 0
}
