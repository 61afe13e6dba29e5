// SPDX-License-Identifier: Apache-2.0

/// Ends a cue before its time.
public enum CueStop: WireMethod {
  public static let name = "cue.stop"
  public static let summary =
    "Ends a cue: what has not begun is called off, sounds fade, patterns end, and music that has begun stays."
  public static let refusals: [RPCError.Kind] = [.notRunning, .busy]

  public struct Params: Codable, Sendable, Equatable {
    /// The number that `cue.fire` gave.
    public var id: Int64?
    /// In place of `id`, the tag under which this client fired it; of several firings the latest is meant.
    public var tag: String?
    /// Length of the fade by which its sounds end; less than 5 ms counts as 5 ms.
    public var fadeUs: Int64?

    /// The firing of that number.
    public init(id: Int64, fadeUs: Int64? = nil) {
      self.id = id
      self.fadeUs = fadeUs
    }

    /// This client's latest firing under that tag.
    public init(tag: String, fadeUs: Int64? = nil) {
      self.tag = tag
      self.fadeUs = fadeUs
    }
  }

  public static let ranges = DeclickingFade()

  /// What it is answered; each step of the cue that was not skipped in a few words, in one of the lists.
  public struct Result: CarriesInstants, Codable, Sendable, Equatable {
    /// Steps that had not begun, and do not; also steps that came to nothing before, unless the reply or a `cue.fired` has them as
    /// skipped.
    public var calledOff: [String]
    /// Steps that had begun, and end.
    public var stopped: [String]
    /// Steps that have happened, or are about to, and stay.
    public var tooLate: [String]
    /// When the fade of what is heard begins, if anything was.
    public var soundAtUs: Int64?
    /// The instant from which nothing of it is felt, if anything was.
    public var hapticAtUs: Int64?

    public init(
      calledOff: [String], stopped: [String], tooLate: [String], soundAtUs: Int64? = nil, hapticAtUs: Int64? = nil
    ) {
      self.calledOff = calledOff
      self.stopped = stopped
      self.tooLate = tooLate
      self.soundAtUs = soundAtUs
      self.hapticAtUs = hapticAtUs
    }

    /// When it ends.
    public mutating func moveInstants(_ moved: (Int64) -> Int64) {
      soundAtUs = soundAtUs.map(moved)
      hapticAtUs = hapticAtUs.map(moved)
    }
  }
}
