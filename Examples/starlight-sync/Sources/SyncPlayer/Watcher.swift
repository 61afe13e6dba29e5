// SPDX-License-Identifier: Apache-2.0

import SyncRules

/// Tells what has changed in what is drawn. It knows nothing of outcomes and cues.
struct Watcher {
  /// What the player knows to be right.
  static let answers = ["THIS IS", "CRIMINAL", "BEHAVIOUR"]

  private var seen: Scene?
  private var wasInterrupted = false
  private var message = Message.State.unsent

  /// Nothing that was seen counts any more: another daemon.
  mutating func forget() { (seen, wasInterrupted) = (nil, false) }

  /// What is new since it was looked at last.
  mutating func look(_ story: Story, atUs us: Int64) -> [Line] {
    var lines: [Line] = []
    if wasInterrupted, !story.isInterrupted { lines.append(Line(atUs: us, what: "went on")) }
    wasInterrupted = story.isInterrupted
    guard let scene = story.scene else { return lines }
    defer { seen = scene }
    if story.message.state != message {
      message = story.message.state
      lines.append(Line(atUs: us, what: "message", name: "\(message)"))
    }
    let game = us - story.behindUs
    guard let seen, seen.chapter == scene.chapter else {
      // The button was pressed, and the next chapter is there at once.
      if seen?.chapter == .blueprint, scene.chapter == .eventHorizon { lines.append(Line(atUs: us, what: "left")) }
      return lines + [Line(atUs: us, what: "chapter", number: scene.chapter.rawValue + 1)]
    }
    for (what, count) in Self.changes(from: seen, to: scene, game: game) where count > 0 {
      lines.append(Line(atUs: us, what: what, count: count))
    }
    if case .handshake(let new) = scene, seen.completedUs == nil, let completedUs = new.completedUs {
      lines.append(Line(atUs: completedUs + story.behindUs, what: "snapped"))
    }
    if case .eventHorizon(let old) = seen, case .eventHorizon(let new) = scene { lines += Self.slid(old, new, us) }
    return lines
  }

  private static func changes(from old: Scene, to new: Scene, game us: Int64) -> [(what: String, count: Int)] {
    switch (old, new) {
    case (.handshake(let old), .handshake(let new)):
      [
        ("pressed", old.pressedUs == nil && new.pressedUs != nil ? 1 : 0),
        ("released", old.pressedUs != nil && new.pressedUs == nil && new.completedUs == nil ? 1 : 0),
      ]
    case (.packetRun(let old), .packetRun(let new)):
      [
        ("heart", new.hearts - old.hearts), ("died", new.deaths - old.deaths),
        ("jumped", old.runner.isOnGround && !new.runner.isOnGround ? 1 : 0),
        ("help", !old.isHelping && new.isHelping ? 1 : 0),
      ]
    case (.cipher(let old), .cipher(let new)): turned(old, new, us)
    case (.firewall(let old), .firewall(let new)):
      [
        ("hit", max(new.hits - old.hits, 0)), ("missed", max(new.misses - old.misses, 0)),
        ("help", !old.isHelping && new.isHelping ? 1 : 0),
        ("survived", old.completedUs == nil && new.completedUs != nil ? 1 : 0),
      ]
    case (.blueprint(let old), .blueprint(let new)):
      [
        ("begun", old.state == .waiting && new.state != .waiting ? 1 : 0), ("connected", new.connected - old.connected),
        ("wrong node", new.snap != nil && new.snap != old.snap ? 1 : 0),
        ("help", old.pulsesSinceUs == nil && new.pulsesSinceUs != nil ? 1 : 0),
      ]
    default: []
    }
  }

  private static func turned(_ old: Cipher, _ new: Cipher, _ us: Int64) -> [(what: String, count: Int)] {
    var (boundaries, settled) = (0, 0)
    for ((before, after), answer) in zip(zip(old.wheels, new.wheels), answers) {
      if after.isHeld {
        let count = Double(after.segments.count)
        let place = before.position(atUs: us)
        let way = (after.position(atUs: us) - place).remainder(dividingBy: count)
        boundaries += Int(abs((place + way + 0.5).rounded(.down) - (place + 0.5).rounded(.down)))
      } else if before.isHeld, after.segments[after.selection] == answer {
        settled += 1
      }
    }
    return [
      ("boundary", boundaries), ("settled", settled), ("wrong unlock", new.attempts - old.attempts),
      ("help", !old.isHelping && new.isHelping ? 1 : 0),
      ("solved", old.completedUs == nil && new.completedUs != nil ? 1 : 0),
    ]
  }

  private static func slid(_ old: EventHorizon, _ new: EventHorizon, _ us: Int64) -> [Line] {
    var lines: [Line] = []
    if old.finger == nil, new.finger != nil { lines.append(Line(atUs: us, what: "slider held")) }
    if let finger = new.finger, finger != old.finger {
      lines.append(Line(atUs: us, what: "slider at", value: finger))
    }
    if old.finger != nil, new.finger == nil { lines.append(Line(atUs: us, what: "slider let go")) }
    if old.completedUs == nil, new.completedUs != nil { lines.append(Line(atUs: us, what: "the end")) }
    return lines
  }
}
