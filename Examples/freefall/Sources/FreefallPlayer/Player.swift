// SPDX-License-Identifier: Apache-2.0

import FreefallFrontEnd
import FreefallRules
import Glibc
import SeededNumbers
import StarlightClient

/// Somebody before the screen: looks at every frame, taps and presses what is there, and remembers what was seen.
struct Player {
  var frontEnd: FrontEnd<Seeded>
  private(set) var sight: Sight
  /// The player's own time: the daemon's, going on where a stepped one begins anew.
  private(set) var nowUs: Int64
  private var laterUs: Int64 = 0
  private let clock: Clock
  private let log: PlayLog
  private var nextFrameUs: Int64
  private let firstFrameUs: Int64
  private var frames: Int64 = 0
  /// What is to be done besides, at its own instant whatever is played then; in order.
  private var deeds: [(atUs: Int64, deed: Deed)] = []

  enum Deed {
    case press(Button)
    case kill
    case loseDaemon
    case sleep
  }

  /// Draws beside the game, now and then slowly; where it is nil each picture is seen at once. Whoever plays knows the levels by heart,
  /// and taps without waiting for one.
  var drawing: Drawing<Game>?
  /// Who turns all switches at every moment.
  var restless: Restless?

  /// Sits down before a game whose daemon is there, and where time has come to `nowUs`.
  init(_ frontEnd: FrontEnd<Seeded>, clock: Clock, nowUs: Int64, log: PlayLog) throws {
    self.frontEnd = frontEnd
    self.clock = clock
    self.log = log
    self.nowUs = nowUs
    sight = Sight(frontEnd.game)
    firstFrameUs = nowUs
    nextFrameUs = nowUs
    if log.before.last(where: { $0.what == "daemon" })?.name != clock.daemon {
      try log.write(PlayLog.Line("daemon", atUs: nowUs, name: clock.daemon))
    }
    try log.write(PlayLog.Line(sight.place.what, atUs: nowUs, name: sight.place.name))
  }

  /// The game's instant at this look.
  var gameUs: Int64 { mutating get { frontEnd.gameUs(atUs: nowUs + laterUs) } }

  /// Plans a deed; of two for one instant the first planned comes first.
  mutating func plan(_ deed: Deed, atUs us: Int64) {
    deeds.insert((us, deed), at: deeds.firstIndex { $0.atUs > us } ?? deeds.endIndex)
  }

  /// Lets time pass, frame by frame.
  mutating func wait(until us: Int64) async throws {
    while true {
      // What is seen in a frame may bring on a deed.
      while let first = deeds.first, first.atUs <= min(us, nextFrameUs) {
        deeds.removeFirst()
        try await draw(until: first.atUs)
        try await carryOut(first.deed)
      }
      guard nextFrameUs <= us else { return try await draw(until: us) }
      try await draw(until: nextFrameUs)
    }
  }

  /// Lets time pass until something is seen; false where that does not come in time.
  mutating func wait(forUs us: Int64, until isSeen: (Sight) -> Bool) async throws -> Bool {
    let end = nowUs + us
    while !isSeen(sight) {
      guard nowUs < end else { return false }
      try await wait(until: nextFrameUs)
    }
    return true
  }

  /// Presses a button; whether anything happened that can be seen.
  @discardableResult mutating func press(_ button: Button) async throws -> Bool {
    try await reach(nowUs)
    frontEnd.press(button, atUs: nowUs + laterUs)
    let isDone = Sight(frontEnd.game, after: sight) != sight
    // A switch is seen to turn as its button is pressed, and has a say in how that sounds.
    try look(andSay: PlayLog.Line(isDone ? "button" : "nothing", atUs: nowUs + laterUs, name: "\(button)"))
    return isDone
  }

  /// The same, after a breath.
  mutating func press(_ button: Button, after us: Int64) async throws {
    try await wait(until: nowUs + us)
    try await press(button)
  }

  /// Taps the field at `x` points from the left.
  mutating func tap(x: Double = 200) throws {
    frontEnd.tap(at: Point(x: x, y: 400), atUs: nowUs + laterUs)
    try look()
  }

  /// Is called away for a while: everything stands until the player is back, and a little longer.
  mutating func beCalledAway(forUs us: Int64) async throws {
    try await reach(nowUs)
    try log.write(PlayLog.Line("paused", atUs: nowUs + laterUs))
    // While all stands no switch can be turned.
    try await turnSwitches()
    frontEnd.hold(atUs: nowUs + laterUs)
    try await comeBack(afterUs: us)
  }

  /// The system sleeps, and the player is back a while after it is awake.
  private mutating func sleep() async throws {
    try log.write(PlayLog.Line("paused", atUs: nowUs + laterUs))
    say("let the system sleep")
    try await comeBack(afterUs: 3_000_000)
  }

  private mutating func comeBack(afterUs us: Int64) async throws {
    try await draw(until: nowUs + us)
    guard frontEnd.stands else { throw PlayProblem("the game does not stand still") }
    frontEnd.release(atUs: nowUs + laterUs)
    while frontEnd.stands { try await draw(until: nextFrameUs) }
    try log.write(PlayLog.Line("went on", atUs: nowUs + laterUs))
    try await turnSwitches()
  }

  /// Where this is who turns all switches at every moment.
  private mutating func turnSwitches() async throws {
    guard restless != nil else { return }
    for name in Switches.Name.allCases { try await press(.toggle(name)) }
  }

  /// Gets up: what is to be stored is, however busy the disk.
  mutating func finish() throws {
    let isStored = frontEnd.finish(within: .seconds(60))
    try writeNotices()
    guard isStored else { throw PlayProblem("progress is not stored: the log's notices say why") }
  }

  // MARK: - Within

  private mutating func draw(until us: Int64) async throws {
    while nextFrameUs <= us {
      try await reach(nextFrameUs)
      frames += 1
      // On a live clock frames that were missed are not looked at.
      while firstFrameUs + frames * 1_000_000 / 60 <= nowUs { frames += 1 }
      nextFrameUs = firstFrameUs + frames * 1_000_000 / 60
    }
    if nowUs < us { try await reach(us) }
  }

  private mutating func reach(_ us: Int64) async throws {
    if us > nowUs { nowUs = try await clock.come(to: us + laterUs) - laterUs }
    frontEnd.advance(toUs: nowUs + laterUs)
    drawing?.show(frontEnd.game)
    try look()
  }

  private mutating func look(andSay line: PlayLog.Line? = nil) throws {
    let seen = Sight(frontEnd.game, after: sight)
    var lines = seen.changes(since: sight, atUs: nowUs + laterUs)
    if let line { lines.insert(line, at: lines.firstIndex { !$0.what.hasSuffix(" switch") } ?? lines.endIndex) }
    for line in lines { try log.write(line) }
    if let restless, lines.contains(where: restless.isMoment) {
      for name in Switches.Name.allCases { plan(.press(.toggle(name)), atUs: nowUs) }
    }
    sight = seen
    try writeNotices()
  }

  private mutating func writeNotices() throws {
    for notice in frontEnd.takeNotices() { try log.write(PlayLog.Line("notice", atUs: nowUs + laterUs, name: notice)) }
  }

  private mutating func carryOut(_ deed: Deed) async throws {
    switch deed {
    case .press(let button): try await press(button)
    case .kill:
      // All that was asked is with the daemon, and all that was to be stored on the disk: a person cannot tell that it is so some
      // milliseconds later, but a play that is to come out alike each time can.
      try await clock.settle()
      try finish()
      try log.write(PlayLog.Line("killed", atUs: nowUs + laterUs))
      log.finish()
      kill(getpid(), SIGKILL)
    case .sleep: try await sleep()
    case .loseDaemon:
      try await clock.settle()
      try log.write(PlayLog.Line("daemon lost", atUs: nowUs + laterUs))
      say("kill the daemon")
      try await clock.otherDaemon(than: clock.daemon)
      let daemonUs = clock.nowUs
      if clock.isStepped { laterUs = daemonUs - nowUs } else { nowUs = daemonUs - laterUs }
      try log.write(PlayLog.Line("daemon", atUs: daemonUs, name: clock.daemon))
      try log.write(PlayLog.Line(sight.place.what, atUs: daemonUs, name: sight.place.name))
      try await reach(nowUs)
    }
  }
}

/// A line for whoever runs the player, at once.
func say(_ line: String, to descriptor: Int32 = STDOUT_FILENO) {
  let bytes = Array((line + "\n").utf8)
  _ = write(descriptor, bytes, bytes.count)
}
