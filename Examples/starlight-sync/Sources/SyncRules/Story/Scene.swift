// SPDX-License-Identifier: Apache-2.0

/// The chapter that is played, with all that is to be drawn of it. Its instants are the game's, which stand still while
/// it is interrupted.
public enum Scene: Equatable, Sendable {
  case handshake(Handshake)
  case packetRun(PacketRun)
  case cipher(Cipher)
  case firewall(Firewall)
  case blueprint(Blueprint)
  case eventHorizon(EventHorizon)

  /// Which chapter it is.
  public var chapter: Chapter {
    switch self {
    case .handshake: .handshake
    case .packetRun: .packetRun
    case .cipher: .cipher
    case .firewall: .firewall
    case .blueprint: .blueprint
    case .eventHorizon: .eventHorizon
    }
  }

  /// When it was done; nil until then.
  public var completedUs: Int64? {
    switch self {
    case .handshake(let chapter): chapter.completedUs
    case .packetRun(let chapter): chapter.completedUs
    case .cipher(let chapter): chapter.completedUs
    case .firewall(let chapter): chapter.completedUs
    case .blueprint(let chapter): chapter.completedUs
    case .eventHorizon(let chapter): chapter.completedUs
    }
  }

  /// A chapter at its start.
  init(_ chapter: Chapter, rules: Rules, atUs us: Int64, using chance: inout some RandomNumberGenerator) {
    self =
      switch chapter {
      case .handshake: .handshake(Handshake(rules: rules.handshake))
      case .packetRun: .packetRun(PacketRun(rules: rules.packetRun, beganUs: us))
      case .cipher: .cipher(Cipher(rules: rules.cipher, using: &chance))
      case .firewall: .firewall(Firewall(rules: rules.firewall))
      case .blueprint: .blueprint(Blueprint(rules: rules.blueprint))
      case .eventHorizon: .eventHorizon(EventHorizon(rules: rules.eventHorizon))
      }
  }

  mutating func advance(toUs us: Int64, using chance: inout some RandomNumberGenerator) -> [Outcome] {
    var outcomes: [Outcome] = []
    switch self {
    case .handshake(var chapter):
      chapter.advance(toUs: us)
      self = .handshake(chapter)
    case .packetRun(var chapter):
      outcomes = chapter.advance(toUs: us, using: &chance)
      self = .packetRun(chapter)
    case .blueprint(var chapter):
      chapter.advance(toUs: us)
      self = .blueprint(chapter)
    case .firewall(var chapter):
      outcomes = chapter.advance(toUs: us)
      self = .firewall(chapter)
    case .cipher, .eventHorizon: break
    }
    return outcomes
  }

  mutating func act(_ act: Act, atUs us: Int64) -> [Outcome] {
    var outcomes: [Outcome] = []
    switch self {
    case .handshake(var chapter):
      outcomes = chapter.act(act, atUs: us)
      self = .handshake(chapter)
    case .packetRun(var chapter):
      chapter.act(act)
      self = .packetRun(chapter)
    case .cipher(var chapter):
      outcomes = chapter.act(act, atUs: us)
      self = .cipher(chapter)
    case .firewall(let chapter): outcomes = chapter.act(act, atUs: us)
    case .blueprint(var chapter):
      outcomes = chapter.act(act, atUs: us)
      self = .blueprint(chapter)
    case .eventHorizon(var chapter):
      outcomes = chapter.act(act, atUs: us)
      self = .eventHorizon(chapter)
    }
    return outcomes
  }
}
