// SPDX-License-Identifier: Apache-2.0

/// One of several names, another each time that a cue is fired.
public struct CueChoice: Equatable, Sendable {
  /// The most there are to choose from.
  public static let mostNames = 16

  /// What is chosen from; one at least.
  public var names: [String]
  /// In which order.
  public var order: Order

  /// In which order they come.
  public enum Order: String, CaseIterable, Sendable {
    /// As they are written, over and over.
    case inTurn
    /// Shuffled anew when all have come; none twice running.
    case random
  }

  /// Of `names`.
  public init(_ names: [String], _ order: Order = .random) {
    self.names = names
    self.order = order
  }

  /// A name, or a list of them, at `key`.
  init(_ fields: PackFields<PackCue.Step.Keys>, _ key: PackCue.Step.Keys) {
    names = fields.names(key)
    order = fields.choice(.choose) ?? .random
    if fields.has(.choose), names.count < 2 {
      fields.refuse(.choose, "goes with a list of several", advice: "remove choose", isBeyondSchema: true)
    }
  }
}
