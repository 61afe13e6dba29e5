// SPDX-License-Identifier: Apache-2.0

import Moments
import StarlightClient
import Wire

/// All that ought to be heard and felt while one daemon lived. Instants are the daemon's; which cue was fired when it told
/// itself, and each is claimed by one moment, within what its pace allows.
struct ExpectedLife {
  /// The longest from what is seen to what is heard of it.
  let longestUs: Int64
  /// What the daemon decides itself is seen so much later at most.
  let frameUs: Int64

  let table: MomentTable
  private(set) var faults: [String] = []
  /// What is heard and when, and when that was decided where it was asked for at once.
  private(set) var sounds: [(name: String, us: Int64, decidedUs: Int64?, turnsBefore: Int)] = []
  private(set) var touches: [Touch] = []
  /// Tracks, in the order of their beginnings; the last is the one that plays.
  var music: [Track] = []
  /// When the switch for music was off, where it runs on unheard.
  private(set) var silences: [Range<Int64>] = []
  /// When the switch held the music, where it stands meanwhile: from the end of its ramp, which a pause may part, to the instant at
  /// which it goes on.
  private(set) var holds: [(offUs: Int64, rampUs: Int64, toUs: Int64)] = []
  private(set) var pauses: [(atUs: Int64, movedUs: Int64)] = []
  private var fired: ToldEvents<CueFired>
  private var changes: ToldEvents<MusicChanged>
  private var parameters: ToldEvents<ParameterChanged>
  private var runs: ToldEvents<RhythmChanged>
  private var paused: ToldEvents<EnginePaused>
  private var resumed: ToldEvents<EngineResumed>
  private var settings: ToldEvents<SettingsChanged>
  private var planned: [(name: String, us: Int64, decidedUs: Int64?, turnsBefore: Int)] = []
  private var isSoundOn = true
  private var isTouchOn = true
  /// Behind which instants the switches are on or off.
  private var soundTurns: [(behindUs: Int64, isOn: Bool)] = []
  private var touchTurns: [(behindUs: Int64, isOn: Bool)] = []
  private var musicOffUs: Int64?
  /// How long it is turned down from then on.
  private var musicRampUs: Int64 = 0
  /// When the player did what the daemon decides about.
  private var actsUs: [Int64] = []
  private let musicStands: Bool
  /// Whether pads are told ahead, so that what is felt may come later than what is heard.
  private let isLive: Bool
  /// How far ahead a daemon on the stepped clock can still be told of a sound: a millisecond, to the next whole frame.
  private static let reachUs: Int64 = 1_021
  /// A pause comes so much later than anything else: what sounds comes down before it.
  private static let rampUs: Int64 = 5_000

  /// When a cue came, and when it is felt: with its sound, but for one that is switched off, which is not waited for.
  struct Came {
    var us: Int64
    var touchUs: Int64
  }

  /// A pattern of the table that is felt.
  struct Touch {
    var pattern: String
    var us: Int64
    var gain = 1.0
    var untilUs = Int64.max
    /// How long it fades in a straight line before that.
    var fadeUs: Int64 = 0
    /// After how long it begins anew, where it does.
    var loopUs: Int64?
    /// What drives its intensity: a power of a value that moves in straight lines, by instants.
    var driven: (power: Double, path: [(us: Int64, value: Double)])?
    /// How often its switch had been turned when it was asked for.
    fileprivate(set) var turnsBefore = 0
  }

  /// A track that is heard. Fades are of equal power, those of stems straight.
  struct Track {
    var name: String
    var us: Int64
    var fadeInUs: Int64 = 0
    var untilUs: Int64?
    var fadeOutUs: Int64 = 0
    var stems: [String: Double]?
    var stemsUntilUs: Int64?
    var stemsOutUs: Int64 = 0
  }

  init(_ told: [ReceivedNotification], _ table: MomentTable, musicStands: Bool, pace: Pace) throws {
    (self.table, self.musicStands) = (table, musicStands)
    (longestUs, frameUs, isLive) = (pace.longestUs, pace.frameUs, pace.isLive)
    fired = try ToldEvents(told)
    changes = try ToldEvents(told)
    parameters = try ToldEvents(told)
    runs = try ToldEvents(told)
    paused = try ToldEvents(told)
    resumed = try ToldEvents(told)
    settings = try ToldEvents(told)
  }

  mutating func fault(_ line: PlayerLine, _ what: String) { faults.append("\(line.atUs) us, \(line.what): \(what)") }

  // MARK: - What was told of a moment

  /// When the cue of this moment came: right after it, or in the frame before where the daemon decided it.
  mutating func cue(_ name: String, _ line: PlayerLine, decidedByDaemon: Bool = false) -> Came? {
    let from = decidedByDaemon ? line.atUs - frameUs - longestUs : line.atUs
    let full = "\(table.pack):\(name)"
    let told = fired.claim(within: from...line.atUs + longestUs) { $0.cue == full }
    if told == nil { fault(line, "the cue \(name) did not come") }
    let isTogether = isSoundOn && !isLive
    return told.map { Came(us: $0.tUs, touchUs: isTogether ? $0.tUs : $0.payload.hapticAtUs ?? $0.tUs) }
  }

  /// When a change of music came, likewise.
  mutating func musicChange(
    _ change: MusicChanged.Change, _ track: String, _ line: PlayerLine
  ) -> (us: Int64, payload: MusicChanged)? {
    let full = "\(table.pack):\(track)"
    let told = changes.claim(within: line.atUs...line.atUs + longestUs) { $0.change == change && $0.track == full }
    if told == nil { fault(line, "the track \(track) was not told as \(change)") }
    return told.map { ($0.tUs, $0.payload) }
  }

  /// When a parameter began to move to a value, and for how long it does.
  mutating func parameter(_ name: String, to value: Double, _ line: PlayerLine) -> (us: Int64, overUs: Int64)? {
    let full = "\(table.pack):\(name)"
    let told = parameters.claim(within: line.atUs...line.atUs + longestUs) {
      $0.parameter == full && abs($0.value - value) < 1e-9
    }
    if told == nil { fault(line, "\(name) did not move to \(value)") }
    return told.map { ($0.tUs, $0.payload.overUs) }
  }

  /// When the song of a chapter begins, which was started at this moment.
  mutating func run(_ change: RhythmChanged.Change, _ line: PlayerLine, within us: Int64) -> RhythmChanged? {
    let told = runs.claim(within: line.atUs - frameUs...line.atUs + us) { $0.change == change }
    if told == nil { fault(line, "no chapter was told as \(change)") }
    return told?.payload
  }

  // MARK: - What is to be heard and felt

  /// A sound, unless its switch is off at this moment.
  mutating func hear(_ sound: String, at us: Int64, decidedAtUs: Int64? = nil) {
    if isSoundOn { sounds.append((sound, us, decidedAtUs, soundTurns.count)) }
  }

  /// A sound that is yet to come, unless its switch is off at its own instant.
  mutating func hearLater(_ sound: String, at us: Int64) { planned.append((sound, us, nil, soundTurns.count)) }

  /// The player did at this moment what the daemon may answer with a cue.
  mutating func act(_ line: PlayerLine) { actsUs.append(line.atUs) }

  /// When the player did what the daemon answers with a cue at this instant; a fault where nothing was done right before.
  mutating func takeAct(answeredAtUs us: Int64, _ line: PlayerLine) -> Int64? {
    let act = actsUs.lastIndex { $0 <= us && us <= $0 + longestUs }.map { actsUs.remove(at: $0) }
    if act == nil { fault(line, "the answer at \(us) us is to nothing that was done within \(longestUs) us before") }
    return act
  }

  /// Lets time come to an instant: what was planned for before it is heard, or skipped.
  private mutating func come(to us: Int64) {
    sounds += planned.filter { $0.us <= us }
    planned.removeAll { $0.us <= us }
  }

  /// What was planned does not come.
  mutating func callOffSounds() { planned = [] }

  /// A touch, unless its switch is off. Its number, by which it can be ended.
  @discardableResult
  mutating func feel(_ touch: Touch) -> Int? {
    guard isTouchOn else { return nil }
    touches.append(touch)
    touches[touches.count - 1].turnsBefore = touchTurns.count
    return touches.count - 1
  }

  /// Ends a touch before its time, at `us` at the end of a fade.
  mutating func endTouch(_ number: Int?, at us: Int64, fadeUs: Int64 = 0) {
    guard let number, us < touches[number].untilUs else { return }
    (touches[number].untilUs, touches[number].fadeUs) = (us, fadeUs)
  }

  /// What drives a touch moves on.
  mutating func drive(_ number: Int?, _ points: [(us: Int64, value: Double)]) {
    if let number { touches[number].driven?.path += points }
  }

  /// What plays is cut, fades, or takes over.
  mutating func endMusic(at us: Int64, fadeUs: Int64) {
    guard let last = music.indices.last, music[last].untilUs == nil else { return }
    (music[last].untilUs, music[last].fadeOutUs) = (us, fadeUs)
  }

  // MARK: - What is the same in every game

  /// Pauses and switches, by their words; false for what is the game's own.
  mutating func expectCommon(_ line: PlayerLine) -> Bool {
    come(to: line.atUs)
    switch line.what {
    case "paused":
      guard let told = paused.claim(within: line.atUs...line.atUs + longestUs + Self.rampUs, where: { _ in true })
      else {
        fault(line, "the engine did not pause")
        return true
      }
      pauses.append((told.tUs, 0))
    case "went on": wentOn(line, from: line.atUs - frameUs - longestUs)
    // A pause ends with the program that holds it; what else does is the game's to say.
    case "killed":
      if pauses.last?.movedUs == 0 { wentOn(line, from: line.atUs) }
      return false
    case "sound switch": if switched(line, \.sound) != nil { isSoundOn = line.isOn ?? true }
    case "touch switch": if switched(line, \.haptics) != nil { isTouchOn = line.isOn ?? true }
    case "music switch":
      guard let us = switched(line, \.music), let isOn = line.isOn else { return true }
      if musicStands {
        holdMusic(!isOn, line)
        return true
      }
      if !isOn { musicOffUs = us }
      if isOn, let offUs = musicOffUs {
        silences.append(offUs..<us)
        musicOffUs = nil
      }
    default: return false
    }
    return true
  }

  private mutating func wentOn(_ line: PlayerLine, from us: Int64) {
    guard let last = pauses.indices.last,
      let told = resumed.claim(within: us...line.atUs + longestUs + Self.rampUs, where: { _ in true })
    else { return fault(line, "the engine did not go on") }
    pauses[last].movedUs = told.payload.movedUs
  }

  /// The music is turned down in 20 ms and stands from there on; where there is none nothing is told, and it stands at once.
  private mutating func holdMusic(_ isHeld: Bool, _ line: PlayerLine) {
    let change = isHeld ? MusicChanged.Change.paused : .resumed
    let told = changes.claim(within: line.atUs...line.atUs + longestUs) {
      // Not a track that is played while the music is held, which is told as paused, too.
      $0.change == change && $0.fadeUs == 20_000
    }
    let us = told?.tUs ?? line.atUs + 1_000
    if isHeld, let last = holds.last, last.toUs == us {
      // Of what goes on and is held at one instant nothing is heard: it stood all along.
      (musicOffUs, musicRampUs) = (last.offUs, last.rampUs)
      holds.removeLast()
    } else if isHeld {
      (musicOffUs, musicRampUs) = (us, told == nil ? 0 : 20_000)
    } else if let offUs = musicOffUs {
      holds.append((offUs, musicRampUs, us))
      musicOffUs = nil
    }
  }

  /// Ends all that is felt at an instant.
  mutating func endTouches(at us: Int64) {
    for index in touches.indices where touches[index].us < us {
      touches[index].untilUs = min(touches[index].untilUs, us)
    }
  }

  /// When the switch moved.
  private mutating func switched(_ line: PlayerLine, _ part: KeyPath<Settings, Bool>) -> Int64? {
    let told = settings.claim(within: line.atUs...line.atUs + longestUs) {
      $0.settings[keyPath: part] == line.isOn
    }
    guard let us = told?.tUs else {
      fault(line, "the switch did not move")
      return nil
    }
    // The switch of the sounds acts from the first frame that can still be told of, as they do themselves: what was asked for
    // before it stands.
    if part == \.sound { soundTurns.append((us + (isLive ? 0 : Self.reachUs), line.isOn ?? true)) }
    if part == \.haptics {
      touchTurns.append((us, line.isOn ?? true))
      // Loops end.
      if line.isOn == false {
        for index in touches.indices where touches[index].loopUs != nil {
          touches[index].untilUs = min(touches[index].untilUs, max(us, touches[index].us))
        }
      }
    }
    return us
  }

  /// Skips what its switch is off for at its own instant; of one instant what was asked for first comes first.
  private mutating func skip() {
    func isOn(_ turns: [(behindUs: Int64, isOn: Bool)], at us: Int64, _ before: Int) -> Bool {
      turns.indices.last { $0 < before || us > turns[$0].behindUs }.map { turns[$0].isOn } ?? true
    }
    sounds.removeAll { !isOn(soundTurns, at: $0.us, $0.turnsBefore) }
    for index in touches.indices where !isOn(touchTurns, at: touches[index].us, touches[index].turnsBefore) {
      touches[index].untilUs = touches[index].us
    }
  }

  /// What was told and belongs to no moment.
  mutating func close() {
    come(to: .max)
    skip()
    let ever = Int64.max / 64
    if let musicOffUs, musicStands {
      holds.append((musicOffUs, musicRampUs, ever))
    } else if let musicOffUs {
      silences.append(musicOffUs..<ever)
    }
    for event in fired.unclaimed { faults.append("\(event.tUs) us: \(event.payload.cue) came at no moment") }
    for event in paused.unclaimed { faults.append("\(event.tUs) us: the engine paused at no moment") }
    for event in settings.unclaimed { faults.append("\(event.tUs) us: a switch moved at no moment") }
  }
}
