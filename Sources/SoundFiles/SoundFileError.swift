// SPDX-License-Identifier: Apache-2.0

/// Why a sound file cannot be used, told to people: the file, the reason and the remedy.
public struct SoundFileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong, as a stable code for programs; more may be added.
  public struct Reason: Hashable, Sendable, RawRepresentable {
    /// The code, in lowerCamelCase.
    public let rawValue: String
    /// A reason with a code of its own.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// No file has that name.
    public static let missing = Reason(rawValue: "missing")
    /// A directory, pipe or device stands where a file was expected.
    public static let notAFile = Reason(rawValue: "notAFile")
    /// Links lead out of the folder that the file must lie in.
    public static let leadsOut = Reason(rawValue: "leadsOut")
    /// The file may not be read.
    public static let unreadable = Reason(rawValue: "unreadable")
    /// The file holds no bytes or no sound.
    public static let empty = Reason(rawValue: "empty")
    /// The bytes are no sound file.
    public static let notAudio = Reason(rawValue: "notAudio")
    /// A sound file in a format that is not read, with the command that converts it.
    public static let unsupported = Reason(rawValue: "unsupported")
    /// The file ends before, or breaks off where, its header promises sound.
    public static let truncated = Reason(rawValue: "truncated")
    /// Too long to be kept in memory whole.
    public static let tooLong = Reason(rawValue: "tooLong")
    /// The loop does not lie inside the file.
    public static let badLoop = Reason(rawValue: "badLoop")
    /// The file is another than when it was loaded.
    public static let changed = Reason(rawValue: "changed")
    /// No stream is free to play it.
    public static let busy = Reason(rawValue: "busy")
  }

  /// The file, as it was named.
  public let path: String
  /// What is wrong, for programs.
  public let reason: Reason
  /// What is wrong and what to do about it, for people; names the file.
  public let message: String

  /// An error about `path`.
  public init(path: String, reason: Reason, message: String) {
    self.path = path
    self.reason = reason
    self.message = message
  }

  /// The message.
  public var description: String { message }
}

/// Seconds as people read them, to the millisecond: `174.66 s`.
func inSeconds(_ frames: Int64, rate: Int) -> String { inSeconds(Double(frames) / Double(rate)) }

/// Seconds as people read them, to the millisecond.
func inSeconds(_ seconds: Double) -> String { "\((seconds * 1_000).rounded() / 1_000) s" }
