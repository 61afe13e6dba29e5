// SPDX-License-Identifier: Apache-2.0

import Fades

/// Where a track begins when it is played.
public enum MusicFrom: String, Codable, Sendable, CaseIterable {
  /// At its first frame.
  case start
  /// Where it is, if it still sounds or fades out; otherwise at its start.
  case `continue`
}

/// Plays a track, cross-fading from the one that plays.
public enum MusicPlay: WireMethod {
  public static let name = "music.play"
  public static let summary = "Plays a track, cross-fading from what plays now."
  public static let refusals: [RPCError.Kind] = [.unknownName, .unavailable, .busy, .heldByChapter]

  public struct Params: QuantisedParams, Codable, Sendable, Equatable {
    /// `pack:track`, or a bare name of the pack that the client uses.
    public var track: String
    /// Where the track begins. A track that goes on keeps its place, and loops or not as before.
    public var from: MusicFrom?
    /// The instant at which the track begins to be heard; as soon as possible when missing.
    public var atUs: Int64?
    /// Length of the cross-fade, for both tracks; as the track's pack says when missing (500 ms where it says nothing), 0 for a
    /// cut in 5 ms. A cross-fade that interrupts another may take longer, as `music.changed` reports. Where nothing else
    /// sounds, the track fades in only where this or `fadeInUs` is given.
    public var crossfadeUs: Int64?
    /// Length of the fade by which the track comes in, in place of `crossfadeUs`; as long as the pack's cross-fade when only
    /// `fadeOutUs` is given.
    public var fadeInUs: Int64?
    /// Length of the fade by which what sounds goes out, in place of `crossfadeUs`; as long as the pack's cross-fade when only
    /// `fadeInUs` is given.
    public var fadeOutUs: Int64?
    /// How gains move across the fade; as the track's pack says when missing.
    public var fadeCurve: FadeCurve?
    /// Whether the track repeats; as its pack says when missing.
    public var loop: Bool?
    /// Linear gain 0...4 on top of the pack's; 1 when missing.
    public var gain: Double?
    /// The place in the track where it begins.
    public var positionUs: Int64?
    /// Puts the beginning on the next `beat` or `bar` of the track that plays, or on one of its markers, by name.
    public var quantise: Quantise?

    public init(
      track: String, from: MusicFrom? = nil, atUs: Int64? = nil, crossfadeUs: Int64? = nil, fadeInUs: Int64? = nil,
      fadeOutUs: Int64? = nil, fadeCurve: FadeCurve? = nil, loop: Bool? = nil, gain: Double? = nil,
      positionUs: Int64? = nil, quantise: Quantise? = nil
    ) {
      self.track = track
      self.from = from
      self.atUs = atUs
      self.crossfadeUs = crossfadeUs
      self.fadeInUs = fadeInUs
      self.fadeOutUs = fadeOutUs
      self.fadeCurve = fadeCurve
      self.loop = loop
      self.gain = gain
      self.positionUs = positionUs
      self.quantise = quantise
    }
  }

  public static let ranges = Ranges()
  public struct Ranges: Sendable {
    /// Where it begins.
    public let from = DefaultedParam("from", default: MusicFrom.start)
    /// Both fades at once: not together with the next two. As the pack says where all are missing.
    public let crossfade = RangedParam("crossfadeUs", in: fadeLengths, hint: fadeHint)
    /// Of the track that comes in.
    public let fadeIn = RangedParam("fadeInUs", in: fadeLengths, hint: fadeHint)
    /// Of what sounds until then.
    public let fadeOut = RangedParam("fadeOutUs", in: fadeLengths, hint: fadeHint)
    /// Linear, on top of the pack's.
    public let gain = OptionalParam("gain", in: linearGains, default: 1)
    /// Where in the track it begins; below its length.
    public let position = OptionalParam<Int64>("positionUs", in: 0...(.unbounded), default: 0)
  }

  public struct Result: ScheduledResult, Codable, Sendable, Equatable {
    /// The track, `pack:track`.
    public var track: String
    /// The instant at which the first frame is heard.
    public var scheduledUs: Int64
    /// How much later than asked for that is.
    public var lateUs: Int64
    /// The place in the track that is heard at `scheduledUs`.
    public var positionUs: Int64
    /// The number by which `music.cancel` calls it off.
    public var plan: Int64

    public init(track: String, scheduledUs: Int64, lateUs: Int64, positionUs: Int64, plan: Int64) {
      self.track = track
      self.scheduledUs = scheduledUs
      self.lateUs = lateUs
      self.positionUs = positionUs
      self.plan = plan
    }
  }
}
