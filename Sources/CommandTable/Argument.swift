// SPDX-License-Identifier: Apache-2.0

/// A positional argument as it is declared once.
public struct Argument: Sendable, Equatable {
  /// What the help calls it, in capitals.
  public let name: String
  /// One sentence fragment for people.
  public let help: String
  /// Whether it may be missing.
  public let isOptional: Bool
  /// Whether it takes all that remain; only the last may.
  public let repeats: Bool
  /// Whether other words than its choices are taken too.
  public let isOpen: Bool
  /// What a shell offers for it.
  public let completion: Completion

  /// What a shell offers in an argument's place.
  public enum Completion: Sendable, Equatable {
    /// Nothing.
    case nothing
    /// The files and folders that are there.
    case files
    /// These words; anything else is refused as a usage error, where the argument is not open.
    case choices([String])
    /// The lines that the program prints when called with these words; files where none of them fits, if asked for.
    case output(of: String, orFiles: Bool = false)
  }

  /// An argument named `name` in the help.
  public init(
    _ name: String, help: String, isOptional: Bool = false, repeats: Bool = false, isOpen: Bool = false,
    completion: Completion = .nothing
  ) {
    self.name = name
    self.help = help
    self.isOptional = isOptional
    self.repeats = repeats
    self.isOpen = isOpen
    self.completion = completion
  }

  /// `NAME`, `[NAME]`, `NAME...` or `[NAME...]`.
  var signature: String {
    let repeated = repeats ? name + "..." : name
    return isOptional ? "[\(repeated)]" : repeated
  }
}
