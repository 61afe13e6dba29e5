// SPDX-License-Identifier: Apache-2.0

import CKernelRig
import Glibc

/// The kernel's modules, loaded when a scenario first needs them: an emulated processor takes a while for each.
struct KernelModules {
  /// Each in the order in which they build on one another, with its parameters.
  enum Group {
    case pads, sound

    fileprivate var modules: [(name: String, parameters: String)] {
      switch self {
      case .pads: [("uinput", ""), ("evdev", ""), ("ff-memless", "")]
      case .sound:
        [
          ("soundcore", ""), ("snd", ""), ("snd-timer", ""), ("snd-pcm", ""), ("snd-hrtimer", ""),
          ("snd-aloop", "pcm_substreams=2"), ("snd-dummy", "hrtimer=1"),
        ]
      }
    }
  }

  private var loaded: Set<Group> = []

  mutating func load(_ group: Group) throws {
    guard loaded.insert(group).inserted else { return }
    if group == .sound { try SoftInterrupts.goFirst() }
    for (name, parameters) in group.modules {
      let file = open("/lib/modules/\(name).ko", O_RDONLY | O_CLOEXEC)
      defer { close(file) }
      guard load_module(file, parameters) == 0 else {
        throw RigFailure("\(name) cannot be loaded: \(String(cString: strerror(errno)))")
      }
    }
  }
}
