// SPDX-License-Identifier: Apache-2.0

/// When what was saved is to be read: an author's program saves several files, and each in several steps. Pure: instants are
/// CLOCK_MONOTONIC in nanoseconds, and passed in.
public struct SaveSettling: Sendable {
  /// How long nothing more must have been saved, and the longest that is waited for it.
  public static let quietNanoseconds: Int64 = 100_000_000
  public static let longestNanoseconds: Int64 = 1_000_000_000

  private var saved: Set<String> = []
  private var first: Int64 = 0
  private var last: Int64 = 0

  /// Nothing was saved.
  public init() {}

  /// Something was saved in these folders.
  public mutating func note(_ folders: Set<String>, at now: Int64) {
    if folders.isEmpty { return }
    if saved.isEmpty { first = now }
    saved.formUnion(folders)
    last = now
  }

  /// When there is something to be read; nil where nothing was saved.
  public var due: Int64? {
    saved.isEmpty ? nil : min(last + Self.quietNanoseconds, first + Self.longestNanoseconds)
  }

  /// The folders that are to be read by now, in order.
  public mutating func take(at now: Int64) -> [String] {
    guard let due, due <= now else { return [] }
    defer { saved = [] }
    return saved.sorted()
  }
}
