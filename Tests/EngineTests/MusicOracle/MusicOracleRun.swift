// SPDX-License-Identifier: Apache-2.0

import Mixing
import MusicOracle
import Outcomes
import SeededNumbers
import Timing
import Wire

@testable import Engine

/// Random verbs of music at random instants, as a daemon gets them: each answer, all that is told, the status at every turn
/// and every sample against the model.
struct MusicOracleRun {
  struct Disagreement: Error, CustomStringConvertible {
    var description: String
  }

  static let me = Cause(client: ClientID(rawValue: 1), user: 1, line: 1)

  private let fixture = MusicOracleFixture()
  private var random: SeededRandom
  private var engine: Engine
  private var model: MusicModel
  private let tracks: [MusicModel.Track]
  private let period: Int
  private var nowUs: Int64 = 1_000_000
  private var musicIsOn = true
  private var isOff = false
  private var chapterWasOn = false
  /// While a chapter is there: from when to when the music is its own.
  private var chapterSpan: Range<Int64>?
  /// Frames from which the bus goes to a gain in 20 ms.
  private var busGains: [(frame: Int64, gain: Double)] = [(Int64.min / 2, 1)]
  /// Up to when the engine has told what happened.
  private var advancedTo = Instant(microseconds: 0)
  private var told: [MusicModel.Told] = []
  private var calledOff: [MusicCancelled] = []
  private var calledOffAt: [Int64] = []
  private var expectedCancellations: [(verb: MusicModel.Verb, reason: CancelReason, at: Int64)] = []
  private var plans: [Int64] = []
  /// Cues that were fired and not stopped, with their zeros.
  private var cues: [(id: Int64, zero: Instant)] = []
  /// Steps of cues that were called off, and whether their cue was told by then.
  private var lost: [(cue: Int64, isTold: Bool)] = []
  private(set) var log: [String] = []
  private var beats = BeatHearing()
  /// Whether something was asked for since the engine was last listened to.
  private var isFresh = false { didSet { if isFresh { asked.append(nowUs) } } }
  /// When anything was asked.
  private var asked: [Int64] = []
  /// What the model could not say, because it hangs on a rounding.
  private(set) var isUncertain = false

  /// Whether it is about what is asked while a pause turns the music down, or holds it.
  private let holds: Bool
  /// Whether it is about more tracks that fade out at once than there are voices for.
  private let crowds: Bool
  /// How many verbs of a crowd were refused as no stream was free for them, and the most tracks that faded out at once.
  private(set) var (refused, mostFading) = (0, 0)

  init(seed: UInt64) throws {
    random = SeededRandom(seed: seed)
    holds = seed % 7 == 3
    crowds = seed % 7 == 0
    let packs = ["game", "night"]
    let standing = Set(packs.indices.filter { seed >> $0 & 1 == 0 }.map { packs[$0] })
    tracks = MusicOracleFixture.tracks.map { track in
      var track = track
      track.stands = standing.contains(track.pack)
      return track
    }
    period = [64, 240, 512][Int(seed / 2 % 3)]
    engine = try MusicOracleFixture.engine(standing: standing)
    engine.tellsBeats = true
    model = MusicModel(timeline: engine.turn.timeline)
    // The first period is mixed with all that the limiter looks ahead.
    fixture.render(upTo: 1)
  }

  mutating func run(verbs: Int) throws {
    // A crowd has to gather first.
    let verbs = crowds ? 2 * verbs : verbs
    var asked = 0
    while asked < verbs {
      try pass(to: nowUs + stepLength())
      for _ in 0..<(random.oneIn(4) ? 1 + random.next(below: 3) : 1) {
        if !random.oneIn(4) { beginTurn() }
        try ask()
        asked += 1
        try carryOut()
        try check()
        if isUncertain { return }
      }
    }
    try end()
  }

  // MARK: - Time

  private mutating func stepLength() -> Int64 {
    if holds { return random.integer(0...60_000) }
    if crowds { return random.integer(0...6_000) }
    return switch random.next(below: 10) {
    case 0: 0
    case 1: random.integer(0...30)
    case 2..<6: random.integer(0...12_000)
    case 6..<9: random.integer(0...120_000)
    default: random.integer(0...700_000)
    }
  }

  private mutating func beginTurn() {
    let timeline = model.timeline
    let now = Instant(microseconds: nowUs)
    // The device holds a little more than what is heard.
    let mixed = max(
      fixture.controller.mixedFrame, timeline.frame(at: now) + Int64(period) + Int64(random.next(below: period)))
    fixture.render(upTo: mixed - 96)
    engine.turn = Turn(
      now: now, timeline: timeline, mixedFrame: fixture.controller.mixedFrame, period: period, hapticLead: .zero)
    fixture.takeEvents(into: &engine)
  }

  private mutating func pass(to targetUs: Int64) throws {
    repeat {
      var next = min(targetUs, nowUs + 25_000)
      if let deadline = engine.nextDeadline, deadline.microseconds > nowUs {
        next = min(next, deadline.microseconds + 1)
      }
      nowUs = max(next + (random.oneIn(5) ? random.integer(0...3_000) : 0), nowUs)
      beginTurn()
      engine.advance()
      advancedTo = engine.turn.now
      noteSwitch()
      try carryOut()
      try check()
      if isUncertain { return }
    } while nowUs < targetUs
  }

  private mutating func carryOut() throws {
    engine.followBeats()
    defer { isFresh = false }
    for action in engine.takeActions() {
      switch action {
      case .audio(let steps):
        // While the engine thinks, the device goes on by no more than its period.
        if random.oneIn(2) {
          let room = engine.turn.reachableFrame - fixture.controller.mixedFrame
          if room > 0 {
            fixture.render(upTo: fixture.controller.outputFrame + Int64(random.next(below: Int(room) + 1)))
          }
        }
        guard fixture.submit(steps) else { throw Disagreement(description: "the mixer has no room") }
      case .notify(let notification, _):
        try hear(notification.line(seq: 1))
        try beats.take(notification, nowUs: nowUs, isFresh: isFresh)
      case .haptics: break
      }
    }
  }

  private mutating func hear(_ line: [UInt8]) throws {
    guard case .notification(let method, _, let tUs, let params)? = ServerMessage(line: line) else { return }
    switch method {
    case MusicChanged.name:
      let change = try decodeJSON(MusicChanged.self, from: params)
      if let last = told.last, tUs < last.at.microseconds {
        throw Disagreement(description: "\(change) of \(tUs) is told after that of \(last.at.microseconds)")
      }
      if tUs > nowUs { throw Disagreement(description: "\(change) of \(tUs) is told at \(nowUs)") }
      told.append(
        .init(
          at: Instant(microseconds: tUs), change: change.change, track: change.track ?? "", from: change.from,
          fade: change.fadeUs, fadeOut: change.fadeOutUs, position: change.positionUs))
    case MusicCancelled.name:
      calledOff.append(try decodeJSON(MusicCancelled.self, from: params))
      calledOffAt.append(tUs)
    default: break
    }
  }

  // MARK: - Asking

  private func frames(_ us: Int64) -> Int64 { Interval.microseconds(us).frames(rate: 48_000) }

  private func us(_ frames: Int64) -> Int64 { Interval.frames(frames, rate: 48_000).microseconds }

  private var earliestUs: Int64 { (engine.turn.earliestSound + Interval(nanoseconds: 999)).microseconds }

  /// Nothing, soon, on either side of what is carried out ahead, at or beside what is planned, or past.
  private mutating func instant() -> Int64? {
    if crowds { return random.oneIn(6) ? nowUs + random.integer(20_000...60_000) : nil }
    switch random.next(below: 10) {
    case 0..<3: return nil
    case 3: return nowUs - random.integer(0...200_000)
    case 4: return nowUs + random.integer(0...30_000)
    case 5: return nowUs + 100_000 + random.integer(-3...3)
    case 6: return nowUs + random.integer(0...400_000)
    default:
      guard !model.verbs.isEmpty else { return nowUs + random.integer(0...200_000) }
      let other = random.pick(Array(model.verbs.suffix(8))).at.microseconds
      return other
        + random.pick([0, 0, 0, 1, -1, 7, -7, 30, -30, 4_000, 5_000, -5_000, 5_021, 60_000, -60_000, 100_000])
    }
  }

  private mutating func length() -> Int64 {
    if holds { return random.pick([5_000, 60_000, 150_000]) }
    if crowds { return random.pick([150_000, 400_000]) }
    return random.pick([0, 5_000, 5_000, 7_300, 20_000, 60_000, 150_000])
  }

  /// The frames of a fade: 5 ms at least.
  private func fade(_ us: Int64, _ isEqualPower: Bool) -> MusicModel.Length {
    .init(frames: max(frames(us), 240), isEqualPower: isEqualPower)
  }

  /// When it is heard, and how late that is.
  private func scheduled(_ atUs: Int64?, _ earliest: Int64) -> (at: Int64, late: Int64) {
    guard let atUs else { return (earliest, 0) }
    return atUs >= earliest ? (atUs, 0) : (earliest, earliest - atUs)
  }

  private func earliest(_ track: MusicModel.Track, _ position: Int64) -> Int64 {
    let head = MusicOracleFixture.heads[track.name] ?? 0
    if position + 9_600 <= head || head >= track.frames { return earliestUs }
    return (engine.turn.earliestSound + .milliseconds(60) + Interval(nanoseconds: 999)).microseconds
  }

  private func current(at us: Int64) -> (track: MusicModel.Track, course: MusicCourse)? {
    let fold = model.fold(upTo: Instant(microseconds: us))
    return fold.current.map { (fold.courses[$0].track, fold.courses[$0]) }
  }

  /// Whether so much is planned around an instant that more is refused.
  private func isCrowded(_ us: Int64, _ action: MusicModel.Action) -> Bool {
    let horizon = max(Interval.milliseconds(100), engine.turn.earliestSound - engine.turn.now + .milliseconds(20))
    let near = model.verbs.filter {
      $0.at > advancedTo && abs(($0.at - Instant(microseconds: us)).nanoseconds) <= horizon.nanoseconds
    }
    return near.count >= 64 || action.begins && near.count { $0.action.begins } >= 8
  }

  private mutating func ask() throws {
    if holds { return try askWhileHeld() }
    if crowds { return random.oneIn(8) ? try stop() : try play() }
    switch random.next(below: 26) {
    case 0..<7: try play()
    case 7..<10: try seek()
    case 10..<12: try stop()
    case 12..<14: try pause()
    case 14..<16: try resume()
    case 16..<17: try gain()
    case 17..<19: try cancel()
    case 19..<21: try turnSwitch()
    case 21...22: try cue()
    case 23: try stopCue()
    default: try chapter()
    }
  }

  private mutating func askWhileHeld() throws {
    switch random.next(below: 12) {
    case 0..<2: try play()
    case 2..<6: try pause()
    case 6..<9: try seek()
    case 9..<11: try stop()
    default: try resume()
    }
  }

  private mutating func word() -> Quantise {
    random.pick([.beat, .beat, .bar, Quantise(rawValue: "early"), Quantise(rawValue: "drop")])
  }

  /// When what waits for a word is heard that is possible from `earliest` on, and how much later than the first from
  /// `askedUs` on. Where none comes it has to be refused: then, and where the model cannot say, nothing.
  private mutating func waits(
    _ word: Quantise?, _ askedUs: Int64?, from earliest: Int64, _ what: String,
    ask: (inout Engine) throws(RPCError) -> Void
  ) throws -> (at: Int64, late: Int64)? {
    guard let word else { return nil }
    let timeline = model.timeline
    func frame(_ us: Int64) -> Int64 { timeline.frame(at: Instant(microseconds: us)) }
    // Every track comes to each of its landmarks within its length.
    let last = max(model.verbs.map(\.at.microseconds).max() ?? 0, earliest)
    let fold = model.fold(upTo: Instant(microseconds: last))
    if fold.isUncertain { return nil }
    let heard = BeatOracle.expected(model, before: frame(last + 2_100_000)).filter { $0.isNamed(word) }
    func first(from us: Int64) -> Int64? { heard.first { frame($0.tUs) >= frame(us) }?.tUs }
    guard let next = first(from: earliest) else {
      log.append("\(nowUs) \(what), and none comes")
      do throws(RPCError) { try ask(&engine) } catch {
        guard ["unavailable", "unknownName"].contains(error.data.kind) else {
          throw Disagreement(description: "\(what) is refused: \(error); no \(word.rawValue) comes")
        }
        return nil
      }
      throw Disagreement(description: "\(what) was taken, and no \(word.rawValue) comes")
    }
    let at = max(next, earliest)
    guard let askedUs, askedUs < earliest else { return (at, 0) }
    // What was heard before now is known as far as it goes on.
    let leaders = BeatOracle.leaders(model, before: frame(nowUs) + 1)
    let isKnown = leaders.contains { $0.frames.contains(frame(askedUs)) && $0.frames.contains(frame(nowUs)) }
    if askedUs < nowUs, !isKnown {
      log.append("\(nowUs) \(what) is not asked: what was heard is forgotten")
      return nil
    }
    let wanted = first(from: askedUs) ?? next
    return (at, wanted == next ? 0 : at - max(wanted, askedUs))
  }

  /// Why a verb that moves the music is refused, if nothing else is wrong with it.
  private func obstacle(_ us: Int64, _ action: MusicModel.Action) -> String? {
    if action.name != .gain, engine.chapter != nil, chapterSpan?.contains(us) == true { return "heldByChapter" }
    return isCrowded(us, action) ? "busy" : nil
  }

  /// Asks, or finds out why not: refused is what the model says cannot be.
  private mutating func asked<Result>(
    _ what: String, unless obstacle: String?, _ ask: (inout Engine) throws(RPCError) -> Result
  ) throws -> Result? {
    log.append("\(nowUs) \(what) \(obstacle ?? "")")
    isFresh = true
    let result: Result
    do throws(RPCError) {
      result = try ask(&engine)
    } catch {
      // How many streams the mixer has let go of by now the model does not know.
      if crowds, obstacle == nil, error.data.kind == "busy", error.message.contains("tracks are open") {
        refused += 1
        return nil
      }
      guard error.data.kind == obstacle else {
        throw Disagreement(description: "\(what) is refused: \(error); expected \(obstacle ?? "nothing")")
      }
      return nil
    }
    if let obstacle { throw Disagreement(description: "\(what) was taken and is \(obstacle)") }
    return result
  }

  private func expect<Value: Equatable>(_ what: String, _ got: Value, _ expected: Value) throws {
    if got != expected { throw Disagreement(description: "\(what) is \(got), expected \(expected)") }
  }

  private mutating func play() throws {
    let track = random.pick(tracks)
    var params = MusicPlay.Params(track: track.key)
    params.atUs = instant()
    switch random.next(below: 6) {
    case 0, 1: break
    case 2: params.fadeInUs = length()
    case 3:
      params.fadeOutUs = length()
      if random.oneIn(2) { params.fadeInUs = length() }
    default: params.crossfadeUs = length()
    }
    if random.oneIn(crowds ? 6 : 2) { params.from = .continue }
    if random.oneIn(4) { params.fadeCurve = .linear }
    if random.oneIn(4) { params.loop = random.oneIn(2) }
    if random.oneIn(3) { params.gain = random.pick([0, 0.25, 0.5, 1]) }
    if random.oneIn(3) { params.positionUs = random.integer(0...us(track.frames) - 1) }
    let position = frames(params.positionUs ?? 0)
    var (at, late) = scheduled(params.atUs, earliest(track, position))
    if random.oneIn(3) {
      params.quantise = word()
      guard
        let waited = try waits(
          params.quantise, params.atUs, from: at, "play \(params)",
          ask: {
            engine throws(RPCError) in _ = try engine.playMusic(params, by: Self.me)
          })
      else { return }
      (at, late) = waited
    }
    let loops = params.loop ?? (track.name != "other")
    let curved = params.fadeCurve != .linear
    let action = MusicModel.Action.play(
      track, position: position, late: frames(late), loops: loops, gain: params.gain ?? 1,
      continues: params.from == .continue, fade(params.fadeInUs ?? params.crossfadeUs ?? 80_000, curved),
      out: params.fadeInUs == nil && params.fadeOutUs == nil ? nil : fade(params.fadeOutUs ?? 80_000, curved),
      fadesInAlone: params.fadeInUs ?? params.crossfadeUs ?? 0 > 0)
    let what = "play \(track.name) at \(at) \(params)"
    let result = try asked(what, unless: obstacle(at, action)) { engine throws(RPCError) in
      try engine.playMusic(params, by: Self.me)
    }
    guard let result else { return }
    let fold = model.fold(upTo: Instant(microseconds: at))
    let frame = model.timeline.frame(at: Instant(microseconds: at))
    var heard = fold.entrance(track, position, loops, late: frames(late), at: frame)
    if params.from == .continue {
      let places =
        [fold.current].compactMap(\.self)
        + fold.leaving.reversed().filter { fold.courses[$0].sounds(at: frame) && !fold.courses[$0].isCut }
      if let place = places.first(where: { fold.courses[$0].track.name == track.name }) {
        heard = fold.courses[place].position(at: frame)
      }
      if fold.isUncertain { isUncertain = true }
    }
    try expect("\(what): scheduledUs", result.scheduledUs, at)
    try expect("\(what): lateUs", result.lateUs, late)
    if !isUncertain { try expect("\(what): positionUs", result.positionUs, us(heard)) }
    model.ask(action, at: Instant(microseconds: at), .client, plan: result.plan)
    plans.append(result.plan)
  }

  private mutating func seek() throws {
    var params = MusicSeek.Params(positionUs: random.integer(0...2_100_000))
    params.atUs = instant()
    params.crossfadeUs = length()
    let what = "seek \(params)"
    var obstacle: String?
    var at = scheduled(params.atUs, earliestUs).at
    var late: Int64 = 0
    let position = frames(params.positionUs)
    var track: (track: MusicModel.Track, course: MusicCourse)?
    if let sought = current(at: at) {
      if params.positionUs >= us(sought.track.frames) {
        obstacle = "invalidParams"
      } else {
        (at, late) = scheduled(params.atUs, earliest(sought.track, position))
        track = current(at: at)
        if track == nil { obstacle = "notRunning" }
        if let track, params.positionUs >= us(track.track.frames) { obstacle = "invalidParams" }
      }
    } else {
      obstacle = "notRunning"
    }
    let action = MusicModel.Action.seek(position, late: frames(late), fade(params.crossfadeUs ?? 0, true))
    if obstacle == nil { obstacle = self.obstacle(at, action) }
    let result = try asked(what, unless: obstacle) { engine throws(RPCError) in
      try engine.seekMusic(params, by: Self.me)
    }
    guard let result, let track else { return }
    let instant = Instant(microseconds: at)
    let fold = model.fold(upTo: instant)
    let heard = fold.current.map {
      fold.sought($0, position, late: frames(late), at: model.timeline.frame(at: instant))
    }
    try expect("\(what): scheduledUs", result.scheduledUs, at)
    try expect("\(what): lateUs", result.lateUs, late)
    try expect("\(what): positionUs", result.positionUs, heard.map(us) ?? -1)
    try expect("\(what): track", result.track, track.track.key)
    model.ask(action, at: Instant(microseconds: at), .client, plan: result.plan)
    plans.append(result.plan)
  }

  private mutating func stop() throws {
    let params = FadeParams(atUs: random.oneIn(2) ? instant() : nil, fadeUs: length())
    let (at, late) = scheduled(params.atUs, earliestUs)
    let action = MusicModel.Action.stop(fade(params.fadeUs ?? 0, true))
    let what = "stop at \(at) \(params)"
    let result = try asked(what, unless: obstacle(at, action)) { engine throws(RPCError) in
      try engine.stopMusic(params, by: Self.me)
    }
    guard let result else { return }
    try expect("\(what): scheduledUs", result.scheduledUs, at)
    try expect("\(what): lateUs", result.lateUs, late)
    model.ask(action, at: Instant(microseconds: at), .client, plan: result.plan)
    plans.append(result.plan)
    guard params.atUs == nil else { return }
    for verb in model.verbs where verb.at > Instant(microseconds: at) {
      if verb.purpose == .chapter || verb.purpose == .daemon { continue }
      callOff(verb, .stopped)
    }
  }

  private mutating func callOff(_ verb: MusicModel.Verb, _ reason: CancelReason) {
    if case .cue(let id) = verb.purpose, let cue = cues.first(where: { $0.id == id }) {
      lost.append((id, cue.zero <= advancedTo))
    }
    model.remove(verb.order)
    expectedCancellations.append((verb, reason, nowUs))
  }

  private mutating func change(
    _ what: String, _ action: MusicModel.Action, _ atUs: Int64?,
    _ ask: (inout Engine) throws(RPCError) -> MusicScheduled
  ) throws {
    let (at, late) = scheduled(atUs, earliestUs)
    let obstacle = current(at: at) == nil ? "notRunning" : obstacle(at, action)
    guard let result = try asked("\(what) at \(at)", unless: obstacle, ask) else { return }
    try expect("\(what): scheduledUs", result.scheduledUs, at)
    try expect("\(what): lateUs", result.lateUs, late)
    model.ask(action, at: Instant(microseconds: at), .client, plan: result.plan)
    plans.append(result.plan)
  }

  private mutating func pause() throws {
    let params = FadeParams(atUs: instant(), fadeUs: length())
    try change("pause \(params)", .pause(.client, fade(params.fadeUs ?? 0, false)), params.atUs) {
      engine throws(RPCError) in
      try engine.pauseMusic(params, by: Self.me)
    }
  }

  private mutating func resume() throws {
    let params = FadeParams(atUs: instant(), fadeUs: length())
    try change("resume \(params)", .resume(.client, fade(params.fadeUs ?? 0, false)), params.atUs) {
      engine throws(RPCError) in
      try engine.resumeMusic(params, by: Self.me)
    }
  }

  private mutating func gain() throws {
    let params = MusicGain.Params(gain: random.pick([0, 0.25, 0.5, 1]), atUs: instant(), fadeUs: length())
    try change("gain \(params)", .gain(params.gain ?? 0, fade(params.fadeUs ?? 0, false)), params.atUs) {
      engine throws(RPCError) in
      try engine.changeMusicGain(params, by: Self.me)
    }
  }

  private mutating func cancel() throws {
    guard !plans.isEmpty else { return }
    let plan = random.pick(Array(plans.suffix(6)))
    let verb = model.verbs.first { $0.plan == plan }
    let isThere =
      verb.map {
        $0.at > Instant(microseconds: nowUs) && model.timeline.frame(at: $0.at) >= engine.turn.reachableFrame
      } ?? false
    let done = try asked("cancel \(plan)", unless: isThere ? nil : "notRunning") { engine throws(RPCError) in
      try engine.cancelMusic(MusicCancel.Params(plan: plan), by: .daemon)
    }
    if done != nil, let verb { callOff(verb, .cancelled) }
  }

  /// The daemon holds the music while its switch is off, where the pack of what plays says so, but for chapters.
  private mutating func noteSwitch() {
    if (engine.chapter != nil) != chapterWasOn {
      chapterWasOn.toggle()
      noteBus()
    }
    let wanted = !musicIsOn && engine.chapter == nil
    guard wanted != isOff else { return }
    isOff = wanted
    isFresh = true
    let length = MusicModel.Length(frames: 960, isEqualPower: false)
    model.ask(
      wanted ? .pause(.switch, length) : .resume(.switch, length),
      at: Instant(microseconds: earliestUs), .daemon)
  }

  private mutating func noteBus() { busGains.append((engine.turn.reachableFrame, musicIsOn ? 1 : 0)) }

  private mutating func turnSwitch() throws {
    let on = random.oneIn(3) || !musicIsOn
    _ = try asked("switch \(on)", unless: nil) { engine throws(RPCError) in
      try engine.changeSettings(SettingsSet.Params(music: on), by: Self.me)
    }
    if on != musicIsOn {
      musicIsOn = on
      noteBus()
    }
    noteSwitch()
  }

  private mutating func cue() throws {
    let name = random.pick(["turn", "back"])
    var params = CueFire.Params(cue: name)
    params.atUs = instant()
    var (zero, late) = scheduled(params.atUs, earliestUs)
    if random.oneIn(3) {
      params.quantise = word()
      guard
        let waited = try waits(
          params.quantise, params.atUs, from: zero, "cue \(params)",
          ask: {
            engine throws(RPCError) in _ = try engine.fireCue(params, by: Self.me)
          })
      else { return }
      (zero, late) = waited
    }
    let result = try asked("cue \(params)", unless: nil) { engine throws(RPCError) in
      try engine.fireCue(params, by: Self.me)
    }
    guard let result, let id = result.id else { return }
    try expect("cue \(params): scheduledUs", result.scheduledUs, zero)
    try expect("cue \(params): lateUs", result.lateUs, late)
    cues.append((id, Instant(microseconds: zero)))
    var steps: [(at: Int64, action: MusicModel.Action)] = []
    if name == "turn" {
      let other = tracks[1]
      steps = [
        (
          zero + 30_000,
          .play(
            other, position: 0, late: 0, loops: false, gain: 1, continues: false, fade(100_000, true),
            fadesInAlone: true)
        )
      ]
    } else {
      let main = tracks[0]
      steps = [
        (zero, .stop(fade(50_000, true))),
        (
          zero + 150_000,
          .play(
            main, position: 0, late: 0, loops: true, gain: 1, continues: true, fade(20_000, true),
            fadesInAlone: true)
        ),
      ]
    }
    var skipped = 0
    for step in steps {
      if obstacle(step.at, step.action) != nil {
        skipped += 1
      } else {
        model.ask(step.action, at: Instant(microseconds: step.at), .cue(id))
      }
    }
    try expect("skipped of cue \(params)", result.skipped.count, skipped)
  }

  private mutating func stopCue() throws {
    guard !cues.isEmpty else { return }
    let place = cues.count - 1 - random.next(below: min(4, cues.count))
    let (id, zero) = cues[place]
    let verbs = model.verbs.filter { $0.purpose == .cue(id) }
    let untold = verbs.filter { $0.at > advancedTo }
    // The cue itself is told when it has come, whenever that is asked for; one that is over is remembered.
    let isOver = zero <= engine.turn.now && untold.isEmpty
    let what = "stop of cue \(id)\(isOver ? ", which is over" : "")"
    let result = try asked(what, unless: nil) { engine throws(RPCError) in
      try engine.stopCue(CueStop.Params(id: id), by: Self.me)
    }
    guard let result else { return }
    cues.remove(at: place)
    // What came to nothing before its cue was told is told with it, as skipped.
    let lost = lost.count { $0.cue == id && $0.isTold == (zero <= engine.turn.now) }
    let now = Instant(microseconds: nowUs)
    let reachable = verbs.filter {
      $0.at > now && model.timeline.frame(at: $0.at) >= engine.turn.reachableFrame
    }
    for verb in reachable { callOff(verb, .cancelled) }
    let fold = model.fold(upTo: now)
    let undone = verbs.filter { verb in
      verb.at <= advancedTo && fold.cancelled.contains { $0.verb.order == verb.order }
    }
    try expect("\(what): calledOff", result.calledOff.count, reachable.count + undone.count + lost)
    try expect("\(what): tooLate", result.tooLate.count, verbs.count - reachable.count - undone.count)
  }

  private mutating func chapter() throws {
    if engine.chapter == nil {
      var params = RhythmStart.Params(chapter: "night:tap")
      params.atUs = instant()
      let track = tracks[2]
      let action = MusicModel.Action.play(
        track, position: 0, late: 0, loops: true, gain: 1, continues: false, fade(80_000, true),
        fadesInAlone: false)
      // The reply tells when, by its own rules.
      log.append("\(nowUs) chapter \(params)")
      isFresh = true
      do throws(RPCError) {
        let result = try engine.startChapter(params, by: Self.me)
        model.ask(action, at: Instant(microseconds: result.startUs), .chapter)
        chapterSpan = result.startUs..<result.endUs
        for verb in model.verbs where verb.purpose != .chapter && verb.purpose != .daemon && verb.action.name != .gain {
          if chapterSpan?.contains(verb.at.microseconds) == true { callOff(verb, .chapter) }
        }
      } catch {
        if error.data.kind != "busy" { throw Disagreement(description: "the chapter is refused: \(error)") }
      }
      noteSwitch()
    } else if random.oneIn(2) {
      try endChapter()
    }
  }

  private mutating func endChapter() throws {
    _ = try asked("chapter ends", unless: nil) { engine throws(RPCError) in
      try engine.stopChapter(by: .daemon)
    }
    let now = Instant(microseconds: nowUs)
    let music = model.verbs.last { $0.purpose == .chapter && $0.action.begins }
    if let music, music.at > now, model.timeline.frame(at: music.at) >= engine.turn.reachableFrame {
      callOff(music, .chapterStopped)
    } else if let track = current(at: earliestUs)?.track, track.name == "far" {
      let stop = MusicModel.Action.stop(fade(500_000, true))
      model.ask(stop, at: Instant(microseconds: earliestUs), .chapter)
    }
    noteSwitch()
  }

  // MARK: - Checking

  private mutating func check() throws {
    let now = Instant(microseconds: nowUs)
    let frame = model.timeline.frame(at: now)
    let fold = model.fold(upTo: now)
    if fold.isUncertain {
      isUncertain = true
      return
    }
    let status = engine.musicStatus()
    let state: MusicState = fold.current == nil ? .stopped : fold.pauses.isEmpty ? .playing : .paused
    try expect("the state at \(nowUs)", status.state, state)
    try expect("the track at \(nowUs)", status.track, fold.current.map { fold.courses[$0].track.key })
    try expect("the position at \(nowUs)", status.positionUs, fold.position(at: frame).map(us))
    try expect(
      "what pauses at \(nowUs)", status.pausedBy, MusicStatus.PausedBy.allCases.filter(fold.pauses.contains))
    try expect("what fades at \(nowUs)", status.fading, fold.fading(at: frame))
    mostFading = max(mostFading, status.fading.count)
    let planned = model.verbs.filter { $0.at > now && $0.purpose != .daemon }.sorted {
      ($0.at, $0.order) < ($1.at, $1.order)
    }
    try expect(
      "what is planned at \(nowUs)", status.planned.map { "\($0.verb) \($0.atUs)" },
      planned.prefix(32).map { "\($0.action.name) \($0.at.microseconds)" })
    try expect("how much is planned at \(nowUs)", status.plannedCount, planned.count)
    try checkTold(fold)
  }

  private mutating func checkTold(_ fold: MusicFold) throws {
    // Told when it is heard and not later; what the mixer tells is a frame beside it.
    let due = fold.told.filter { $0.at <= engine.turn.now }
    let owed = due.count { $0.at <= advancedTo - .microseconds(21) }
    guard (owed...max(owed, due.count)).contains(told.count) else {
      throw Disagreement(
        description: "told: \(told.suffix(3).map(Self.words)), expected \(due.suffix(3).map(Self.words))")
    }
    for (told, due) in zip(told, due) {
      var expected = due
      expected.fade = due.fade.map(us)
      expected.fadeOut = due.fadeOut.map(us)
      expected.position = due.position.map(us)
      // The end of a track is told by the mixer, to the frame.
      expected.at =
        abs(told.at.microseconds - due.at.microseconds) <= (due.change == .ended ? 21 : 0)
        ? told.at : Instant(microseconds: due.at.microseconds)
      if told != expected {
        throw Disagreement(description: "told: \(Self.words(told)), expected \(Self.words(expected))")
      }
    }
  }

  private static func words(_ told: MusicModel.Told) -> String {
    "\(told.at.microseconds) \(told.change) \(told.track) from \(told.from ?? "-") fade \(told.fade ?? -1) out \(told.fadeOut ?? -1) position \(told.position ?? -1)"
  }

  private func checkCancelled(_ fold: MusicFold) throws {
    let expected =
      expectedCancellations.map { "\($0.verb.action.name) \($0.verb.at.microseconds) \($0.reason) at \($0.at)" }
      + fold.cancelled.map {
        "\($0.verb.action.name) \($0.verb.at.microseconds) \($0.reason) at \($0.verb.at.microseconds)"
      }
    let got = zip(calledOff, calledOffAt).map { "\($0.verb) \($0.plannedUs) \($0.reason) at \($1)" }
    try expect("what is called off", got.sorted(), expected.sorted())
    let plans = expectedCancellations.compactMap(\.verb.plan) + fold.cancelled.compactMap(\.verb.plan)
    try expect("the plans called off", Set(plans).subtracting(calledOff.map(\.plan)), [])
  }

  // MARK: - The end

  private mutating func end() throws {
    // What waits for the music may be far.
    try pass(to: max(nowUs, cues.map(\.zero.microseconds).max() ?? 0) + 1_500_000)
    if isUncertain { return }
    beginTurn()
    if !musicIsOn { try turnSwitch() }
    if !musicIsOn { throw Disagreement(description: "the switch stays off") }
    try carryOut()
    beginTurn()
    if engine.chapter != nil { try endChapter() }
    try carryOut()
    let params = FadeParams(fadeUs: 5_000)
    log.append("\(nowUs) the end")
    isFresh = true
    let result = try engine.stopMusic(params, by: Self.me)
    let at = Instant(microseconds: result.scheduledUs)
    model.ask(.stop(fade(5_000, true)), at: at, .client, plan: result.plan)
    for verb in model.verbs where verb.at > at { callOff(verb, .stopped) }
    try carryOut()
    try pass(to: nowUs + 500_000)
    if isUncertain { return }
    let fold = model.fold(upTo: Instant(microseconds: nowUs))
    try expect("how much is told", told.count, fold.told.count)
    try checkCancelled(fold)
    let left = engine.holdings.filter { $0.value != 0 }
    try expect("what is left", left, [:])
    try expect("voices that are left", fixture.controller.readStatistics().activeVoices, 0)
    try checkSamples(fold)
    try checkBeats()
  }

  private mutating func checkBeats() throws {
    beats.pass(to: nowUs)
    if let fault = beats.fault { throw Disagreement(description: fault) }
    try expect("beats that were told and neither came nor were recalled", beats.left, [])
    let expected = BeatOracle.expected(model, before: model.timeline.frame(at: Instant(microseconds: nowUs)))
    for (index, (heard, expected)) in zip(beats.heard, expected).enumerated() {
      // What a verb makes a whole frame later or sooner once it was told ahead comes as it was told: for less than 1 ms nothing is recalled.
      let isMoved =
        [20, 21].contains(abs(heard.tUs - expected.tUs))
        && asked.contains { beats.toldAhead[index]...heard.tUs ~= $0 }
      try expect(
        "a beat", heard, isMoved ? .init(tUs: heard.tUs, track: expected.track, what: expected.what) : expected)
    }
    try expect("how many beats", beats.heard.count, expected.count)
  }

  private func busGain(at frame: Int64) -> Double {
    var level = 1.0
    for (index, turn) in busGains.enumerated() {
      let end = index + 1 < busGains.count ? busGains[index + 1].frame : .max
      let way = min(1, Double(max(0, min(frame, end) - turn.frame)) / 960)
      level += (turn.gain - level) * way
      if frame <= end { return level }
    }
    return level
  }

  private func checkSamples(_ fold: MusicFold) throws {
    var places = Set(stride(from: Int64(0), to: Int64(fixture.heard.count), by: 83))
    for mark in fold.marks { for near in -2...2 where mark + Int64(near) >= 0 { places.insert(mark + Int64(near)) } }
    for frame in places.sorted() where frame < fixture.heard.count {
      var sum = 0.0
      for course in fold.courses where course.runs[0].start <= frame && course.sounds(at: frame) {
        guard course.runs.contains(where: { $0.start <= frame && frame < $0.end }) else { continue }
        sum += MusicOracleFixture.sample(course.track, course.position(at: frame)) * course.heard(at: frame)
      }
      sum *= busGain(at: frame)
      let heard = Double(fixture.heard[Int(frame)])
      if abs(heard - sum) > 1e-5 {
        throw Disagreement(
          description:
            "frame \(frame) (\(model.timeline.instant(ofFrame: frame).microseconds) us) is \(heard), expected \(sum)"
        )
      }
    }
  }
}
