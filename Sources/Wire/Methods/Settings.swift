// SPDX-License-Identifier: Apache-2.0

/// The player's switches and volumes, and how late the player taps.
public struct Settings: Codable, Sendable, Equatable {
  /// Whether music is heard. While it is off, the pack says whether the music pauses or plays on unheard.
  public var music: Bool
  /// Whether effects and voices are heard. Those whose instant comes while this is off are skipped.
  public var sound: Bool
  /// Whether haptics are felt. Those whose instant comes while this is off are skipped.
  public var haptics: Bool
  /// The volume of all that is heard, 0...1 as a slider stands; the gain is its cube, which sounds even along the slider's way.
  public var masterVolume: Double
  /// The volume of all tracks, 0...1; the gain is its cube.
  public var musicVolume: Double
  /// The volume of effects and of what is heard of patterns, 0...1; the gain is its cube.
  public var soundVolume: Double
  /// The volume of spoken lines, 0...1; the gain is its cube.
  public var voiceVolume: Double
  /// The volume of all that is felt, 0...1: the factor of every intensity.
  public var hapticsVolume: Double
  /// The profile in force: a name for who plays, and by what.
  public var profile: String
  /// How much later than a beat is heard this profile taps it, negative where earlier; chapters that begin are judged by it.
  public var judgingOffsetUs: Int64
  /// Every profile whose offset is not 0.
  public var profiles: [JudgingProfile]

  public init(
    music: Bool = true, sound: Bool = true, haptics: Bool = true, masterVolume: Double = 1, musicVolume: Double = 1,
    soundVolume: Double = 1, voiceVolume: Double = 1, hapticsVolume: Double = 1,
    profile: String = JudgingProfile.standard, judgingOffsetUs: Int64 = 0, profiles: [JudgingProfile] = []
  ) {
    self.music = music
    self.sound = sound
    self.haptics = haptics
    self.masterVolume = masterVolume
    self.musicVolume = musicVolume
    self.soundVolume = soundVolume
    self.voiceVolume = voiceVolume
    self.hapticsVolume = hapticsVolume
    self.profile = profile
    self.judgingOffsetUs = judgingOffsetUs
    self.profiles = profiles
  }
}

/// How late one player taps, by a name of theirs; one for each way that they tap and hear, if they like.
public struct JudgingProfile: Codable, Sendable, Equatable {
  /// The one in force where nobody chose.
  public static let standard = "player"
  /// The most that are kept.
  public static let most = 16

  /// Its name.
  public var profile: String
  /// How much later than a beat is heard it is tapped, negative where earlier.
  public var judgingOffsetUs: Int64

  public init(profile: String, judgingOffsetUs: Int64) {
    self.profile = profile
    self.judgingOffsetUs = judgingOffsetUs
  }
}

/// Half a second either way: what is further off is no delay but another beat.
let judgingOffsets: ClosedRange<Int64> = -500_000...500_000
let judgingOffsetHint = "half a second either way is the most; positive where taps come late"

/// Changes switches.
public enum SettingsSet: WireMethod {
  public static let name = "settings.set"
  public static let summary =
    "Turns music, sound or haptics on or off, sets volumes and who plays; it acts at once and is kept, and what is left out stays."

  public struct Params: Codable, Sendable, Equatable {
    /// Whether music is heard.
    public var music: Bool?
    /// Whether effects and voices are heard.
    public var sound: Bool?
    /// Whether haptics are felt.
    public var haptics: Bool?
    /// The volume of all that is heard, as a slider stands.
    public var masterVolume: Double?
    /// The volume of all tracks.
    public var musicVolume: Double?
    /// The volume of effects and of what is heard of patterns.
    public var soundVolume: Double?
    /// The volume of spoken lines.
    public var voiceVolume: Double?
    /// The volume of all that is felt.
    public var hapticsVolume: Double?
    /// The profile of who plays from here on; a new name is taken, too.
    public var profile: String?
    /// The offset of that profile, for chapters that begin from here on: how much later than a beat is heard it taps. 0 forgets
    /// it.
    public var judgingOffsetUs: Int64?
    /// The offsets of several profiles; profiles that are not named keep theirs.
    public var profiles: [JudgingProfile]?

    public init(
      music: Bool? = nil, sound: Bool? = nil, haptics: Bool? = nil, masterVolume: Double? = nil,
      musicVolume: Double? = nil, soundVolume: Double? = nil, voiceVolume: Double? = nil, hapticsVolume: Double? = nil,
      profile: String? = nil, judgingOffsetUs: Int64? = nil, profiles: [JudgingProfile]? = nil
    ) {
      self.music = music
      self.sound = sound
      self.haptics = haptics
      self.masterVolume = masterVolume
      self.musicVolume = musicVolume
      self.soundVolume = soundVolume
      self.voiceVolume = voiceVolume
      self.hapticsVolume = hapticsVolume
      self.profile = profile
      self.judgingOffsetUs = judgingOffsetUs
      self.profiles = profiles
    }
  }
  public static let ranges = Ranges()
  public struct Ranges: Sendable {
    /// As a slider stands.
    public let masterVolume = RangedParam("masterVolume", in: 0...1.0)
    /// As a slider stands.
    public let musicVolume = RangedParam("musicVolume", in: 0...1.0)
    /// As a slider stands.
    public let soundVolume = RangedParam("soundVolume", in: 0...1.0)
    /// As a slider stands.
    public let voiceVolume = RangedParam("voiceVolume", in: 0...1.0)
    /// As a slider stands.
    public let hapticsVolume = RangedParam("hapticsVolume", in: 0...1.0)
    /// Late is positive.
    public let judgingOffset = RangedParam<Int64>("judgingOffsetUs", in: judgingOffsets, hint: judgingOffsetHint)
    /// How many at once.
    public let profiles = CountedParam("profiles", count: 0...JudgingProfile.most)
    /// Late is positive.
    public let offsetOfProfile = RangedParam<Int64>(
      "profiles[].judgingOffsetUs", in: judgingOffsets, hint: judgingOffsetHint)
  }

  public typealias Result = Settings
}

/// Reads the switches.
public enum SettingsGet: WireMethod {
  public static let name = "settings.get"
  public static let summary = "Reports the player's switches, volumes and profiles."
  public typealias Params = Empty
  public typealias Result = Settings
}

/// Switches were changed.
public struct SettingsChanged: WireNotification {
  public static let name = "settings.changed"
  public static let topic = Topic.settings
  public static let summary = "The player's switches, volumes or profiles changed at `tUs`."

  /// All of them as they now stand.
  public var settings: Settings

  public init(settings: Settings) { self.settings = settings }
}
