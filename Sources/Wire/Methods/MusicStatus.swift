/// What the music is doing.
public enum MusicStatus: WireMethod {
  /// The method's name on the wire.
  public static let name = "music.status"
  /// Its one sentence for people.
  public static let summary = "The track that plays, its position, and what fades."
  /// Nothing is asked but the name.
  public typealias Params = Empty

  /// What it is answered.
  public struct Result: Codable, Sendable, Equatable {
    /// Whether a track plays, stands still or is not there.
    public var state: MusicState
    /// The track that plays or is paused; none when stopped.
    public var track: String?
    /// The position heard at `atUs`, looped.
    public var positionUs: Int64?
    /// The instant `positionUs` belongs to.
    public var atUs: Int64
    /// The track's length; none when stopped.
    public var durationUs: Int64?
    /// Beats a minute as its pack says; none where it does not.
    public var bpm: Double?
    /// Tracks still fading out.
    public var fading: [String]
    /// Which frame is heard when.
    public var timeline: Timeline

    /// Every field, as it is sent.
    public init(
      state: MusicState, track: String?, positionUs: Int64?, atUs: Int64, durationUs: Int64?, bpm: Double?,
      fading: [String], timeline: Timeline
    ) {
      self.state = state
      self.track = track
      self.positionUs = positionUs
      self.atUs = atUs
      self.durationUs = durationUs
      self.bpm = bpm
      self.fading = fading
      self.timeline = timeline
    }
  }
}

/// What the music is doing.
public enum MusicState: String, Codable, Sendable, CaseIterable {
  /// No track is there; others may still fade out.
  case stopped
  /// A track plays.
  case playing
  /// A track holds its place.
  case paused
}
