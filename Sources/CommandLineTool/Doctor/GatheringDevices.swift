// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc
import HapticOutput

extension SoundFacts {
  /// Opens `device`, unless the daemon plays: then its own account counts.
  init(device: String, daemon: DaemonFacts) {
    self.device = device
    let asound = (try? String(contentsOfFile: "/proc/asound/cards", encoding: .utf8)) ?? ""
    cards = Self.names(inCards: asound)
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/dev/snd")) ?? []
    nodes = names.filter { $0.hasPrefix("controlC") }.sorted().map { name in
      Node(path: "/dev/snd/" + name, isPermitted: access("/dev/snd/" + name, R_OK | W_OK) == 0)
    }
    if case .running(let daemon) = daemon, daemon.audioKind != .null { return }
    opening = DeviceAttempt.opening(device, seconds: 3)
  }

  /// The cards' names in /proc/asound/cards: " 0 [PCH            ]: HDA-Intel - HDA Intel PCH".
  static func names(inCards text: String) -> [String] {
    text.split(separator: "\n").compactMap { line in
      guard line.contains("]: "), let name = line.firstRange(of: " - ") else { return nil }
      return String(line[name.upperBound...])
    }
  }
}

extension PadFacts {
  init(user: MachineFacts.User) {
    pads = HapticPad.all().map { pad in
      let status = fileStatus(pad.path)
      let group = status.flatMap { getgrgid($0.st_gid).map { String(cString: $0.pointee.gr_name) } }
      return Pad(
        name: pad.name.isEmpty ? "a pad" : pad.name, path: pad.path,
        access: pad.isPermitted ? .granted : status == nil ? .noNode : .denied, group: group,
        isJoystick: pad.isJoystick ?? true)
    }
    let folders = ["/etc", "/run", "/usr/local/lib", "/usr/lib", "/lib"].map { $0 + "/udev/rules.d/" }
    rule = folders.map { $0 + ruleName }.first(where: exists)
    group = Group(of: user)
  }
}

extension PadFacts.Group {
  /// What the rule's group is to `user`.
  fileprivate init(of user: MachineFacts.User) {
    guard let entry = getgrnam(ruleGroup)?.pointee else {
      self = .absent
      return
    }
    var session = [gid_t](repeating: 0, count: Int(max(0, getgroups(0, nil))))
    let count = getgroups(Int32(session.count), &session)
    if session.prefix(Int(max(0, count))).contains(entry.gr_gid) || getegid() == entry.gr_gid {
      self = .member
      return
    }
    var member = entry.gr_mem
    while let name = member?.pointee {
      if String(cString: name) == user.name {
        self = .notInSession
        return
      }
      member = member?.successor()
    }
    self = .notAMember
  }
}
