// SPDX-License-Identifier: Apache-2.0

import CRealTime
import Engine
import HapticOutput
import Haptics
import JSON
import Problems
import RealTime
import Timing
import Tracing
import Wire

/// Everything that is felt: the log where one is asked for, and the pads, as they come and go.
final class HapticOutputs {
  let log: LogHapticDevice?
  /// What the log did, for a journal.
  let steps: FeltSteps?
  private let null = NullHapticDevice()
  /// That of a pad which the stepped clock has none of.
  private let steppedLead: Interval
  private var logGain = 1.0
  /// What the trace calls outputs, by their numbers there: the log is 0.
  private(set) var traceNames: [UInt8: String] = [:]
  /// Decides which pads are used.
  private var roster: PadRoster
  /// Those of the roster's slots that were opened, by their numbers.
  private var opened: [UInt8: EvdevHapticDevice] = [:]
  private let claims = PadClaims()
  private var watch: FolderWatch?
  /// Whether no pad is to be used.
  private let wantsNone: Bool
  private var isLive = false
  /// Whether a pad that has gone was left behind, as it did not answer.
  private var hasLeftBehind = false
  private var clock = EngineClock()
  private var told: [EngineStatus.HapticOutput] = []
  /// Pads that are plugged in and cannot be used.
  private var heldUp: [Problem] = []
  /// After a change pads are looked at again: access is granted late, and devices look for themselves.
  private var looksAgainAt: [Instant] = []

  /// Opens the log and the pads that are there.
  init(_ configuration: HostConfiguration) throws(HostError) {
    let wanted = configuration.haptics.map(HapticSelection.init) ?? .all
    guard let wanted else {
      throw HostError("--haptics names no pad: give all, none, or names and paths with commas between")
    }
    wantsNone = wanted == .none
    let selection = configuration.clock == .live ? wanted : .none
    roster = PadRoster(selection)
    steppedLead = configuration.clock == .live ? .zero : configuration.steppedHapticLead
    let steps = configuration.journalPath == nil && configuration.replayed == nil ? nil : FeltSteps()
    self.steps = steps
    do throws(Problem) {
      if let path = configuration.hapticLogPath {
        log = try LogHapticDevice(path: path, steps: steps)
      } else if configuration.replayed?.hasHapticLog == true {
        log = try .repeating(steps: steps)
      } else {
        log = nil
      }
    } catch {
      throw HostError("\(error)")
    }
    traceNames[0] = log?.name
    if selection != .none {
      watch = .pads()
      scan(at: Instant(nanoseconds: rt_now_ns())) { _ in HapticMixer() }
    }
    told = status
  }

  /// The pads that were opened, in the order in which they came.
  private var pads: [EvdevHapticDevice] { roster.slots.compactMap { opened[$0.number] } }

  /// The outputs that take commands; never none.
  private var devices: [any HapticDevice] {
    let all: [any HapticDevice] = (log.map { [$0] } ?? []) + pads
    return all.isEmpty ? [null] : all
  }

  /// Whether there is a pad that can be felt now.
  var isFelt: Bool { opened.values.contains { $0.path != nil } }

  /// The longest lead of those that can be felt now.
  var lead: Interval { opened.values.lazy.filter { $0.path != nil }.map(\.lead).max() ?? steppedLead }

  /// To be watched for reading.
  var wakeDescriptors: [Int32] { watch.map { $0.descriptor >= 0 ? [$0.descriptor] : [] } ?? [] }

  func start() {
    isLive = true
    for device in devices { device.start() }
  }

  /// Has all be silent and end; returns at once.
  func requestStop() { for device in devices { device.requestStop() } }

  /// Waits for the end of all, of pads as long as `pads` and of the log as long as `files`; whether none was left behind.
  func stop(pads: Instant, files: Instant) -> Bool {
    var haveAllEnded = !hasLeftBehind
    for device in devices where !device.stop(by: device === log ? files : pads) { haveAllEnded = false }
    return haveAllEnded
  }

  /// Hands a command to the log and to the pads that `names` means; nil means all. The others are told what is `unfelt` of it.
  func send(_ command: HapticCommand, to names: String? = nil) {
    log?.send([command])
    let meant = names.flatMap(HapticSelection.init) ?? .all
    let unfelt = command.unfelt
    for slot in roster.slots {
      if let told = isPad(of: slot, in: meant) ? command : unfelt { opened[slot.number]?.send([told]) }
    }
  }

  /// Whether it is one of those: by its name, or by where it is plugged in, or was at first while it is not.
  private func isPad(of slot: PadRoster.Slot, in selection: HapticSelection) -> Bool {
    selection.contains(name: slot.pad.name, path: opened[slot.number]?.path ?? slot.pad.path)
  }

  /// Has those that have taken nothing for too long join in anew, with `playing` of those that are meant for them; whether the
  /// log is one.
  func rejoin(at now: Instant, playing: (_ isMeant: (String) -> Bool) -> HapticMixer) -> Bool {
    for slot in roster.slots {
      guard let device = opened[slot.number], device.isOverfull(at: now) else { continue }
      device.rejoin(playing { HapticSelection($0).map { isPad(of: slot, in: $0) } ?? true })
      device.send([.gain(slot.gain)])
    }
    guard let log, log.isOverfull(at: now) else { return false }
    log.rejoin(playing { _ in true })
    log.send([.gain(logGain)])
    return true
  }

  /// The log was told so, in a run that is done again.
  func repeatRejoin(playing: HapticMixer) {
    log?.repeatRejoin(playing)
    log?.send([.gain(logGain)])
  }

  /// Refuses names of pads that are not plugged in.
  func check(_ names: String) throws(RPCError) {
    guard let named = HapticSelection(names) else {
      throw RPCError(
        .invalidParams, "device names no pad", hint: "give all, none, or names and paths with commas between")
    }
    if let missing = named.missing(where: { name in roster.slots.contains { isPad(of: $0, in: name) } }).first {
      if missing == log?.name {
        throw RPCError(
          .unknownName, "\(excerpt(missing)) is the haptic log, which is no pad: whatever is felt is written to it",
          hint: "leave it out of device")
      }
      throw Engine.unknownOutput(missing, among: roster.slots.map(\.pad.name))
    }
  }

  /// Goes by that time of the engine's; returns at once.
  func follow(_ clock: EngineClock) {
    self.clock = clock
    for device in devices { device.follow(clock) }
  }

  func advance(to instant: Instant) { for device in devices { device.advance(to: instant) } }

  /// Looks for pads where it is time to; what there is now, if that has changed since it was last told. The watch is asked
  /// where `isWoken`.
  func run(
    at now: Instant, isWoken: Bool, playing: (_ isMeant: (String) -> Bool) -> HapticMixer
  ) -> [EngineStatus.HapticOutput]? {
    guard watch != nil else { return nil }
    if isWoken, watch?.takeChange() == true {
      // The new one is made before the old one closes, so that the descriptor is seen to be another.
      if watch?.isOutdated == true { watch = .pads() }
      looksAgainAt = [now, now + .milliseconds(100), now + .milliseconds(1_100)]
    }
    guard let due = looksAgainAt.first, due <= now else { return nil }
    looksAgainAt.removeAll { $0 <= now }
    scan(at: now, playing: playing)
    let status = status
    if status == told { return nil }
    told = status
    return status
  }

  /// Records that outputs had no room for.
  var lostTrace: Int { (log?.trace?.ring.lost ?? 0) + pads.reduce(0) { $0 + ($1.trace?.ring.lost ?? 0) } }

  /// Takes what the outputs recorded of themselves.
  func drainTrace(_ body: (TraceRecord) -> Void) {
    log?.trace?.ring.drain(body)
    for slot in roster.slots {
      opened[slot.number]?.trace?.ring.drain { record in
        var record = record
        record.event.setDevice(slot.number)
        body(record)
      }
    }
  }

  /// When `run` wants to be called.
  var nextLook: Instant? { looksAgainAt.first }

  private func scan(at now: Instant, playing: (_ isMeant: (String) -> Bool) -> HapticMixer) {
    let all = HapticPad.all()
    for device in pads { device.look() }
    carryOut(roster.look(all, places: opened.compactMapValues(\.path)), playing)
    carryOut(roster.open(besides: claims.taken, at: now), playing)
    let unused = unused
    // What holds a pad up lets go of it without a word.
    if looksAgainAt.isEmpty, !unused.isEmpty { looksAgainAt = [now + .seconds(5)] }
    heldUp = unused.filter { now - $0.since >= Self.patience }.map { .heldUp($0.pad) }
  }

  /// For so long a pad that is not used is nobody's fault: a device looks for its pad every second.
  private static let patience = Interval.seconds(1)

  /// The pads that are plugged in and not used, but for those of which it is told why.
  private var unused: [PadRoster.PassedOver] {
    let told = roster.slots.compactMap { standing($0).path }
    return roster.passedOver.filter { !told.contains($0.pad.path) }
  }

  private func carryOut(_ actions: [PadRoster.Action], _ playing: (_ isMeant: (String) -> Bool) -> HapticMixer) {
    end(actions.compactMap { if case .end(let number) = $0 { opened.removeValue(forKey: number) } else { nil } })
    for case .open(let pad, let number, let gain) in actions {
      traceNames[number] = pad.name.isEmpty ? pad.path : pad.name
      do throws(Problem) {
        let device = try EvdevHapticDevice(
          pad, playing: playing { HapticSelection($0)?.contains(pad) ?? true }, claims: claims, clock: clock,
          now: Instant(nanoseconds: rt_now_ns()))
        device.send([.gain(gain)])
        if isLive { device.start() }
        opened[number] = device
        roster.opened(number)
      } catch {
        roster.failed(number, error)
      }
    }
  }

  /// Each thread ends at once, and gives its place to the next; one that hangs keeps it and ends by itself, for control waits for no
  /// device.
  private func end(_ devices: [EvdevHapticDevice]) {
    for device in devices { device.requestStop() }
    let deadline = Instant(nanoseconds: rt_now_ns()) + .milliseconds(5)
    for device in devices where !device.stop(by: deadline) { hasLeftBehind = true }
  }

  /// Sets the gain of the output of that name or path; nil when there is none.
  func setGain(_ gain: Double, of device: String) -> EngineStatus.HapticOutput? {
    if let log, log.name == device {
      setLogGain(gain)
      return status.first
    }
    guard let number = roster.slot(called: device, standing)?.number else { return nil }
    roster.setGain(gain, of: number)
    opened[number]?.send([.gain(gain)])
    return roster.slots.first { $0.number == number }.map(status)
  }

  /// The same of the log.
  func setLogGain(_ gain: Double) {
    logGain = gain
    log?.send([.gain(gain)])
  }

  /// The outputs whose gain can be set: not what stands for none.
  var names: [String] { (log.map { [$0.name] } ?? []) + roster.slots.map(\.pad.name) }

  /// Every output, as clients are told.
  var status: [EngineStatus.HapticOutput] {
    var outputs: [EngineStatus.HapticOutput] = []
    if let log {
      outputs.append(
        EngineStatus.HapticOutput(
          name: log.name, kind: .log, leadUs: 0, path: log.name, state: log.failure == nil ? .ready : .failed,
          gain: logGain, problem: log.failure))
    }
    outputs += roster.slots.map(status)
    if outputs.isEmpty { outputs = [EngineStatus.HapticOutput(name: null.name, kind: .null, leadUs: 0)] }
    return outputs
  }

  private func standing(_ slot: PadRoster.Slot) -> PadRoster.Standing {
    let device = opened[slot.number]
    return roster.standing(of: slot, at: device?.path, device?.failure)
  }

  private func status(_ slot: PadRoster.Slot) -> EngineStatus.HapticOutput {
    let standing = standing(slot)
    return EngineStatus.HapticOutput(
      name: slot.pad.name, kind: .evdev,
      leadUs: (opened[slot.number]?.lead ?? PadProfile(slot.pad).lead).microsecondsRoundedUp, path: standing.path,
      capabilities: HapticPad.Effect.allCases.filter(slot.pad.effects.contains).map { "\($0)" },
      state: EngineStatus.HapticOutput.State(standing.state), gain: slot.gain, problem: standing.problem)
  }

  /// Whether what is felt is written to a file.
  var isLogging: Bool { log != nil }

  /// Why devices that were opened no longer do what they are told, and pads are not used.
  var failures: [Problem] { ([log?.failure] + pads.map(\.failure)).compactMap(\.self) + heldUp }

  /// What is not as it should be.
  var problems: [Problem] {
    let named = roster.missing.map {
      Problem(.padMissing, device: $0, "no pad is called \($0)", remedy: "it is used as soon as it is plugged in")
    }
    return named + status.compactMap(\.problem) + heldUp
  }

  /// One line, for the log.
  var summary: String {
    if log == nil, roster.slots.isEmpty { return wantsNone ? "no pad, as asked for" : "no pad" }
    return status.map { $0.state == .ready ? $0.name : "\($0.name) (\($0.state.rawValue))" }.joined(separator: ", ")
  }
}

extension EngineStatus.HapticOutput.State {
  fileprivate init(_ state: PadRoster.Standing.State) {
    self =
      switch state {
      case .ready: .ready
      case .unplugged: .unplugged
      case .denied: .denied
      case .failed: .failed
      }
  }
}
