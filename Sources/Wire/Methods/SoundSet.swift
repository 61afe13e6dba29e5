// SPDX-License-Identifier: Apache-2.0

/// Changes a sound that plays.
public enum SoundSet: WireMethod {
  public static let name = "sound.set"
  public static let summary =
    "Changes gain, pan or pitch of a sound while it plays; one that has not begun is changed as it begins."
  public static let refusals: [RPCError.Kind] = [.notRunning, .busy]

  public struct Params: PlannedParams, Codable, Sendable, Equatable {
    /// The handle from `sound.play`.
    public var id: Int64
    /// Linear gain 0...4 on top of the pack's.
    public var gain: Double?
    /// -1 left ... 1 right, equal power; moved in 5 ms.
    public var pan: Double?
    /// Playback rate 0.25...4, from one frame to the next.
    public var pitch: Double?
    /// The instant from which it is heard; as soon as possible when missing.
    public var atUs: Int64?
    /// How long the gain takes, at most a minute; 5 ms when missing or less.
    public var fadeUs: Int64?

    /// The sound of that handle, and what to change.
    public init(
      id: Int64, gain: Double? = nil, pan: Double? = nil, pitch: Double? = nil, atUs: Int64? = nil,
      fadeUs: Int64? = nil
    ) {
      self.id = id
      self.gain = gain
      self.pan = pan
      self.pitch = pitch
      self.atUs = atUs
      self.fadeUs = fadeUs
    }
  }

  public static let ranges = Ranges()
  public struct Ranges: Sendable {
    /// Linear, on top of the pack's.
    public let gain = RangedParam("gain", in: linearGains)
    /// From left to right.
    public let pan = RangedParam("pan", in: -1...1.0)
    /// Playback rate.
    public let pitch = RangedParam("pitch", in: 0.25...4.0)
    /// How long the gain takes.
    public let fade = OptionalParam("fadeUs", in: fadeLengths, default: 5_000, hint: fadeHint)
  }

  public typealias Result = Scheduled
}
