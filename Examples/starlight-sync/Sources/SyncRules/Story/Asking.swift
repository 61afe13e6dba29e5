// SPDX-License-Identifier: Apache-2.0

/// When to ask again for what may not have been heard: so long after each time that it was asked for, until it needs no more.
public struct Asking: Equatable, Sendable {
  private let everyUs: Int64
  private var dueUs: Int64?

  /// Asks by these rules, and for nothing yet.
  public init(rules: FlowRules) { everyUs = rules.askAgainUs }

  /// It was asked for at `us`.
  public mutating func asked(atUs us: Int64) { dueUs = us + everyUs }

  /// It needs no more.
  public mutating func end() { dueUs = nil }

  /// Whether it is to be asked for again at `us`.
  public func isDue(atUs us: Int64) -> Bool { dueUs.map { $0 <= us } ?? false }
}
