import Timing

/// A piece of music.
public struct PackTrack: Equatable, Sendable, Decodable {
  /// What is played again when its end is reached.
  public enum Loop: Equatable, Sendable {
    /// Nothing: the track ends.
    case none
    /// The whole file.
    case whole
    /// From `end` back to `start`, both from the file's beginning.
    case region(start: Interval, end: Interval)
  }

  /// The audio file, relative to the pack.
  public var file: String
  /// Tempo in beats a minute, for what goes with the music; nil where it has none.
  public var bpm: Double?
  /// When the first beat is heard, from the file's beginning.
  public var firstBeat: Interval
  /// Beats of one bar.
  public var beatsPerBar: Int
  /// What is played again.
  public var loop: Loop
  /// Linear.
  public var gain: Double

  enum Keys: String, CodingKey, CaseIterable {
    case file, bpm, firstBeat, beatsPerBar, loop, gain
  }

  enum LoopKeys: String, CodingKey, CaseIterable {
    case start, end
  }

  /// Decodes what the manifest says; names are checked by `PackManifest.parse`.
  public init(from decoder: any Decoder) throws {
    let fields = try PackFields(decoder, keys: Keys.self)
    file = try fields.file(.file)
    bpm = fields.has(.bpm) ? try fields.number(.bpm, in: 1...1000) : nil
    firstBeat = try fields.seconds(.firstBeat, default: .zero)
    beatsPerBar = try fields.whole(.beatsPerBar, in: 1...64, default: 4)
    gain = try fields.gain(.gain)
    loop = try Self.loop(fields)
  }

  private static func loop(_ fields: PackFields<Keys>) throws -> Loop {
    guard fields.has(.loop) else { return .whole }
    if let whole = try? fields.container.decode(Bool.self, forKey: .loop) { return whole ? .whole : .none }
    guard (try? fields.container.nestedContainer(keyedBy: FieldKey.self, forKey: .loop)) != nil else {
      throw fields.refusal(.loop, "must be true, false, or an object with start and end in seconds", code: .wrongType)
    }
    let region = try PackFields(try fields.container.superDecoder(forKey: .loop), keys: LoopKeys.self)
    let (start, end) = (try region.seconds(.start), try region.seconds(.end))
    guard start < end else { throw region.refusal(.end, "must be after start") }
    return .region(start: start, end: end)
  }
}
