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
    /// Where it is heard, from -1 (left) to 1 (right), with equal power; it moves there in 5 ms.
    public var pan: Double?
    /// Playback rate, changed from one frame to the next: 2 is twice as fast and an octave higher.
    public var pitch: Double?
    /// The instant from which the change is heard; as soon as possible when missing.
    public var atUs: Int64?
    /// How long the gain takes to change; less than 5 ms counts as 5 ms.
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
