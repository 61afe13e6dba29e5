// SPDX-License-Identifier: Apache-2.0

/// Chapter 1: a long press charges a capacitor until it snaps.
public struct Handshake: Equatable, Sendable {
  public let rules: HandshakeRules
  /// Since when the finger has been down; nil where it is not.
  public private(set) var pressedUs: Int64?
  /// When it was done; nil until then.
  public private(set) var completedUs: Int64?

  init(rules: HandshakeRules) { self.rules = rules }

  /// How far the charge has come, 0 to 1.
  public func charge(atUs us: Int64) -> Double {
    if completedUs != nil { return 1 }
    return pressedUs.map { Units.part(of: rules.holdUs, sinceUs: $0, atUs: us) } ?? 0
  }

  mutating func advance(toUs us: Int64) {
    if let pressedUs, us - pressedUs >= rules.holdUs { completedUs = pressedUs + rules.holdUs }
  }

  /// The snap is asked for with the press, so that it comes on its microsecond; whoever lets go before calls it off.
  mutating func act(_ act: Act, atUs us: Int64) -> [Outcome] {
    advance(toUs: us)
    guard completedUs == nil else { return [] }
    switch act {
    case .press where pressedUs == nil:
      pressedUs = us
      return [.cue(.press, atUs: us), .cue(.snap, atUs: us + rules.holdUs)]
    case .release where pressedUs != nil:
      pressedUs = nil
      return [.stop(.press, atUs: us), .stop(.snap, atUs: us)]
    default: return []
    }
  }
}
