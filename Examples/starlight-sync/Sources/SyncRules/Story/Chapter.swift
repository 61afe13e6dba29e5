// SPDX-License-Identifier: Apache-2.0

/// The six chapters, in their order; their raw values are what is stored.
public enum Chapter: Int, CaseIterable, Sendable {
  case handshake, packetRun, cipher, firewall, blueprint, eventHorizon

  /// The one after it; nil after the last.
  public var next: Chapter? { Chapter(rawValue: rawValue + 1) }
}
