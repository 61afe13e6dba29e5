// SPDX-License-Identifier: Apache-2.0

import CRealTime
import Glibc
import Haptics
import Problems
import Timing
import Tracing

/// A pad with force feedback. When it is unplugged the pattern's time runs on, and when it is back it rejoins there.
public final class EvdevHapticDevice: HapticDevice {
  /// The pad as it was found.
  public let pad: HapticPad
  /// What the pad calls itself; its path where it says nothing.
  public let name: String
  /// The profile's: half of what its actuators take to full speed.
  public let lead: Interval
  private let place: PadPlace
  /// Every write to the pad.
  public let trace: SharedTraceRing?
  private let driver: HapticDriver<RumblePad>

  /// Opens `pad`. A device that comes while others play is given what they do, `playing`, and joins in there. Devices
  /// that share `claims` never take each other's pad. `clock` is the engine's time, at `now` of the clock.
  public init(
    _ pad: HapticPad, playing: HapticMixer = HapticMixer(), claims: PadClaims = PadClaims(),
    clock: EngineClock = EngineClock(), now: Instant = .distantPast
  ) throws(Problem) {
    let profile = PadProfile(pad)
    let place = PadPlace(pad.path)
    self.pad = pad
    self.place = place
    name = pad.name.isEmpty ? pad.path : pad.name
    lead = profile.lead
    let ring = SharedTraceRing(capacity: 1_024)
    trace = ring
    let backend: RumblePad
    do {
      backend = try RumblePad(pad, profile, playing: playing, claims: claims, place: place, trace: ring)
    } catch {
      throw Problem.opening(pad, errno: error.code)
    }
    let thread = "haptic " + (pad.path.split(separator: "/").last ?? "pad")
    guard let driver = HapticDriver(backend, name: thread) else {
      throw Problem.opening(pad, errno: errno)
    }
    self.driver = driver
    driver.begin(clock, at: now)
  }

  deinit { stop() }

  /// The last failed write or the unplugging, with the pad's name; nil while all is well.
  public var failure: Problem? {
    driver.failure.map {
      Problem($0.kind, "\(name): \($0.reason)", remedy: $0.remedy, where: .init(device: name, file: path))
    }
  }
  /// Where it is plugged in now; nil while it is not.
  public var path: String? { place.path }
  /// Lets go of a pad that has gone, and looks at once for one that was lost.
  public func look() { driver.look() }
  /// Is still where the engine stands, and feels as before where it goes on.
  public func follow(_ clock: EngineClock) { driver.follow(clock) }
  /// Hands over commands, also while unplugged, so that it can rejoin in place.
  public func send(_ commands: [HapticCommand]) { driver.send(commands) }
  /// Whether the pad has not answered for so long that what waits for it is to be left out.
  public func isOverfull(at now: Instant) -> Bool { driver.isOverfull(at: now) }
  /// Leaves out what waits; the pad joins in with `playing` when it answers.
  public func rejoin(_ playing: HapticMixer) { driver.rejoin(playing) }
  /// Stepped only: writes all that is due up to and including `instant`.
  public func advance(to instant: Instant) { driver.advance(to: instant) }
  /// Live only: begins to follow the clock, on a thread of its own.
  public func start() { driver.start() }
  /// Has the thread end; returns at once.
  public func requestStop() { driver.requestStop() }
  /// Leaves the pad silent, ends the thread and closes the pad. May be called twice.
  public func stop(by deadline: Instant) -> Bool { driver.stop(by: deadline) }
}

/// The pad's schedule and, while it is plugged in, its port.
private struct RumblePad: HapticBackend, ~Copyable {
  /// How often a lost pad is looked for.
  private static let searchInterval = Interval.seconds(1)
  static let hanging = Problem(
    .deviceHangs, "it does not answer; once it does it joins in with what plays then",
    remedy: "plug it in again where it stays so")
  static let gap: Problem? = nil
  private static let unplugged = Problem(.padMissing, "unplugged", remedy: "it is looked for every second")

  private let pad: HapticPad
  private let profile: PadProfile
  private var schedule: RumbleSchedule
  private var port: RumblePort?
  private var nextSearch: Instant?
  private(set) var failure: Problem?
  private let claims: PadClaims
  private var claim: PadClaim?
  private let place: PadPlace
  private var walk = PauseWalk()
  private var lateStarts = LateStarts()
  private let trace: SharedTraceRing

  init(
    _ pad: HapticPad, _ profile: PadProfile, playing: HapticMixer, claims: PadClaims, place: PadPlace,
    trace: SharedTraceRing
  ) throws(RumblePort.Errno) {
    self.pad = pad
    self.profile = profile
    self.claims = claims
    self.place = place
    self.trace = trace
    schedule = RumbleSchedule(motors: profile.motors, timing: profile.timing, playing: playing)
    guard let claim = claims.take(pad.path) else { throw RumblePort.Errno(code: EBUSY) }
    self.claim = consume claim
    port = try Self.open(pad)
  }

  /// Opens the pad that was found, and not one that came to its path since. Numbers rise: which it is by now it was when it was opened.
  private static func open(_ pad: HapticPad) throws(RumblePort.Errno) -> RumblePort {
    let port = try RumblePort(path: pad.path)
    guard InputNode.number(at: pad.path) == pad.number else { throw RumblePort.Errno(code: ENODEV) }
    port.setFullGain()
    return port
  }

  var nextDue: Instant? {
    let due = earliest(schedule.nextDue.map(walk.clock.told), walk.nextDue).map { $0 - profile.lead }
    guard let nextSearch else { return due }
    return min(nextSearch, due ?? nextSearch)
  }

  var isAway: Bool { port == nil }

  mutating func step(_ commands: [HapticCommand], at now: Instant, isStepped: Bool) {
    // The schedule counts in instants felt, which the pad must be told of a lead before.
    let feltOnClock = now + profile.lead
    var actions: [RumbleAction] = []
    // When the first of them is felt.
    var first: Instant?
    let take = { (at: Instant, action: RumbleAction) in
      first = first ?? at
      actions.append(action)
    }
    while let step = walk.next(by: feltOnClock) {
      switch step {
      case .stand(let hold): schedule.stand(at: hold.last, take)
      case .goOn(let hold, _): schedule.goOn(at: hold.at, after: hold.moved ?? .zero, take)
      }
    }
    let felt = walk.clock.now(at: feltOnClock)
    lateStarts.note(commands, at: felt)
    schedule.apply(commands, at: felt, take)
    schedule.advance(to: felt, take)
    if let nextSearch, nextSearch <= now { search(at: now, felt: felt, &actions) }
    carryOut(actions, at: now, felt: first.map(walk.clock.told) ?? feltOnClock)
  }

  mutating func close(at now: Instant) {
    var actions: [RumbleAction] = []
    schedule.silence(at: walk.clock.now(at: now + profile.lead)) { actions.append($1) }
    carryOut(actions, at: now, felt: now + profile.lead)
    lose()
    nextSearch = nil
  }

  mutating func follow(_ clock: EngineClock, beginningAt start: Instant?) {
    walk.follow(clock, beginningAt: start.map { $0 + profile.lead })
  }

  mutating func rejoin(_ playing: HapticMixer, behind left: Int) {
    walk.rejoin(at: walk.clock.told(playing.now))
    schedule.rejoin(playing, isStanding: walk.isStanding)
  }

  mutating func look(at now: Instant) {
    if port?.isThere == false { lose(at: now) }
    if port == nil { nextSearch = now }
  }

  private mutating func carryOut(_ actions: [RumbleAction], at now: Instant, felt: Instant) {
    guard port != nil, let write = RumbleWrite.merging(actions) else { return }
    let due = felt - profile.lead
    // Before it is written: a pad may never answer.
    trace.ring.record(.writing(due: due, felt: felt, woken: now, device: 0))
    var isRefused = false
    do {
      try port?.carryOut(write, length: profile.timing.length)
      // Not `now`: a driver may keep a write waiting, and the pad counts from when it came.
      schedule.wrote(at: walk.clock.now(at: Instant(nanoseconds: rt_now_ns()) + profile.lead))
      failure = nil
    } catch {
      isRefused = true
      failure = Problem(.padFailed, String(cString: strerror(error.code)))
      schedule.failed()
      if error.isGone {
        lose(at: now)
      }
    }
    trace.ring.record(
      .wrote(
        due: due, felt: felt, woken: now, done: Instant(nanoseconds: rt_now_ns()), device: 0, isRefused: isRefused,
        spacing: profile.timing.interval, tookLate: lateStarts.take()))
  }

  private mutating func lose() {
    claim = nil
    place.move(to: nil)
    port = nil
  }

  private mutating func lose(at now: Instant) {
    lose()
    nextSearch = now + Self.searchInterval
    failure = Self.unplugged
  }

  private mutating func search(at now: Instant, felt: Instant, _ actions: inout [RumbleAction]) {
    nextSearch = now + Self.searchInterval
    failure = Self.unplugged
    for found in HapticPad.all() where port == nil && found.isSame(as: pad) {
      guard let claim = claims.take(found.path) else { continue }
      do {
        port = try Self.open(found)
        self.claim = consume claim
        place.move(to: found.path)
      } catch {
        note(refusal: error.code)
      }
    }
    if port == nil { return }
    nextSearch = nil
    failure = nil
    actions = []
    schedule.restart(at: felt) { actions.append($1) }
  }

  /// Why a pad that is back cannot be opened. Not where it has gone meanwhile; nor that it is denied, as it is until udev has granted it:
  /// whoever lists pads knows of that.
  private mutating func note(refusal code: Int32) {
    if [EACCES, EPERM, ENOENT, ENODEV, ENXIO].contains(code) { return }
    let refusal = Problem.opening(pad, errno: code)
    failure = Problem(.padFailed, "it cannot be opened: \(String(cString: strerror(code)))", remedy: refusal.remedy)
  }
}
