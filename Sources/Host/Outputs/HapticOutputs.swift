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
  private struct Pad {
    /// As it was found first.
    let pad: HapticPad
    var device: EvdevHapticDevice?
    var problem: Problem?
    var gain = 1.0
    /// By which the trace knows it.
    var number: UInt8 = 0

    /// Whether it is one of those: by its name, or by where it is plugged in, or was at first while it is not.
    func isIn(_ selection: HapticSelection) -> Bool {
      selection.contains(name: pad.name, path: device?.path ?? pad.path)
    }
  }

  let log: LogHapticDevice?
  /// What the log did, for a journal.
  let steps: FeltSteps?
  private let null = NullHapticDevice()
  /// That of a pad which the stepped clock has none of.
  private let steppedLead: Interval
  private var logGain = 1.0
  /// What the trace calls outputs, by their numbers there: the log is 0.
  private(set) var traceNames: [UInt8: String] = [:]
  private var pads: [Pad] = []
  private let selection: HapticSelection
  private let claims = PadClaims()
  private var watch: FolderWatch?
  private var present: Set<String> = []
  private var missing: [String] = []
  private var isLive = false
  /// Whether a pad that has gone was left behind, as it did not answer.
  private var hasLeftBehind = false
  private var clock = EngineClock()
  private var told: [EngineStatus.HapticOutput] = []
  /// After a change pads are looked at again: access is granted late, and devices look for themselves.
  private var looksAgainAt: [Instant] = []

  /// Opens the log and the pads that are there.
  init(_ configuration: HostConfiguration) throws(HostError) {
    let wanted = configuration.haptics.map(HapticSelection.init) ?? .all
    guard let wanted else {
      throw HostError("--haptics names no pad: give all, none, or names and paths with commas between")
    }
    selection = configuration.clock == .live ? wanted : .none
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
      scan { _ in HapticMixer() }
    }
    told = status
  }

  /// The outputs that take commands; never none.
  private var devices: [any HapticDevice] {
    let all: [any HapticDevice] = (log.map { [$0] } ?? []) + pads.compactMap(\.device)
    return all.isEmpty ? [null] : all
  }

  /// Whether there is a pad that can be felt now.
  var isFelt: Bool { pads.contains { $0.device?.path != nil } }

  /// The longest lead of those that can be felt now.
  var lead: Interval {
    pads.compactMap { $0.device }.filter { $0.path != nil }.map(\.lead).max() ?? steppedLead
  }

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
    for slot in pads {
      if let told = slot.isIn(meant) ? command : unfelt { slot.device?.send([told]) }
    }
  }

  /// Has those that have taken nothing for too long join in anew, with `playing` of those that are meant for them; whether the
  /// log is one.
  func rejoin(at now: Instant, playing: (_ isMeant: (String) -> Bool) -> HapticMixer) -> Bool {
    for slot in pads {
      guard let device = slot.device, device.isOverfull(at: now) else { continue }
      device.rejoin(playing { HapticSelection($0).map(slot.isIn) ?? true })
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
    if let missing = named.missing(where: { name in pads.contains { $0.isIn(name) } }).first {
      if missing == log?.name {
        throw RPCError(
          .unknownName, "\(excerpt(missing)) is the haptic log, which is no pad: whatever is felt is written to it",
          hint: "leave it out of device")
      }
      throw Engine.unknownOutput(missing, among: pads.map(\.pad.name))
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
    scan(playing: playing)
    let status = status
    if status == told { return nil }
    told = status
    return status
  }

  /// Records that outputs had no room for.
  var lostTrace: Int { (log?.trace?.ring.lost ?? 0) + pads.reduce(0) { $0 + ($1.device?.trace?.ring.lost ?? 0) } }

  /// Takes what the outputs recorded of themselves.
  func drainTrace(_ body: (TraceRecord) -> Void) {
    log?.trace?.ring.drain(body)
    for pad in pads {
      pad.device?.trace?.ring.drain { record in
        var record = record
        record.event.setDevice(pad.number)
        body(record)
      }
    }
  }

  /// When `run` wants to be called.
  var nextLook: Instant? { looksAgainAt.first }

  private func scan(playing: (_ isMeant: (String) -> Bool) -> HapticMixer) {
    let all = HapticPad.all()
    let found = all.filter(selection.contains)
    present = Set(all.map(\.path))
    missing = selection.missing(among: all)
    for pad in pads { pad.device?.look() }
    pads.removeAll { $0.device == nil && !present.contains($0.pad.path) }
    forgetVirtualPads()
    // A device whose pad is away takes it back by itself.
    var away = pads.filter { $0.device != nil && !($0.device?.path.map(present.contains) ?? false) }.map(\.pad)
    for pad in found where !claims.taken.contains(pad.path) {
      if let index = away.firstIndex(where: { $0.isSame(as: pad) }) {
        away.remove(at: index)
      } else {
        open(pad, playing: playing { HapticSelection($0)?.contains(pad) ?? true })
      }
    }
  }

  /// A pad that a program made is not looked for: nobody plugs it in again. Its thread ends at once, and gives its place to the next; one
  /// that hangs keeps it and ends by itself, for control waits for no device.
  private func forgetVirtualPads() {
    let gone = pads.indices.filter { index in
      guard pads[index].pad.isVirtual, let device = pads[index].device else { return false }
      return !(device.path.map(present.contains) ?? false)
    }
    for index in gone { pads[index].device?.requestStop() }
    let deadline = Instant(nanoseconds: rt_now_ns()) + .milliseconds(5)
    for index in gone.reversed() {
      if pads[index].device?.stop(by: deadline) == false { hasLeftBehind = true }
      pads.remove(at: index)
    }
  }

  private func open(_ pad: HapticPad, playing: HapticMixer) {
    var slot = Pad(pad: pad)
    // After some hundreds of pads the numbers of the first are given anew.
    slot.number = (pads.map(\.number).max() ?? 0) &+ 1
    traceNames[slot.number] = pad.name.isEmpty ? pad.path : pad.name
    do throws(Problem) {
      let device = try EvdevHapticDevice(
        pad, playing: playing, claims: claims, clock: clock, now: Instant(nanoseconds: rt_now_ns()))
      slot.device = device
      if isLive { device.start() }
    } catch {
      slot.problem = error
    }
    if let index = pads.firstIndex(where: { $0.device == nil && $0.pad.path == pad.path }) {
      pads[index] = slot
    } else {
      pads.append(slot)
    }
  }

  /// Sets the gain of the output of that name or path; nil when there is none.
  func setGain(_ gain: Double, of device: String) -> EngineStatus.HapticOutput? {
    if let log, log.name == device {
      setLogGain(gain)
    } else if let index = pads.firstIndex(where: { $0.device?.path == device || $0.pad.name == device }) {
      pads[index].gain = gain
      pads[index].device?.send([.gain(gain)])
    } else {
      return nil
    }
    return status.first { $0.name == device || $0.path == device }
  }

  /// The same of the log.
  func setLogGain(_ gain: Double) {
    logGain = gain
    log?.send([.gain(gain)])
  }

  /// The outputs whose gain can be set: not what stands for none.
  var names: [String] { (log.map { [$0.name] } ?? []) + pads.map(\.pad.name) }

  /// Every output, as clients are told.
  var status: [EngineStatus.HapticOutput] {
    var outputs: [EngineStatus.HapticOutput] = []
    if let log {
      outputs.append(
        EngineStatus.HapticOutput(
          name: log.name, kind: .log, leadUs: 0, path: log.name, state: log.failure == nil ? .ready : .failed,
          gain: logGain, problem: log.failure))
    }
    outputs += pads.map(status)
    if outputs.isEmpty { outputs = [EngineStatus.HapticOutput(name: null.name, kind: .null, leadUs: 0)] }
    return outputs
  }

  private func status(_ slot: Pad) -> EngineStatus.HapticOutput {
    let path = slot.device == nil ? slot.pad.path : slot.device?.path.flatMap { present.contains($0) ? $0 : nil }
    let state: EngineStatus.HapticOutput.State =
      if slot.device == nil {
        slot.pad.isPermitted ? .failed : .denied
      } else if path == nil {
        .unplugged
      } else {
        slot.device?.failure == nil ? .ready : .failed
      }
    return EngineStatus.HapticOutput(
      name: slot.pad.name, kind: .evdev,
      leadUs: (slot.device?.lead ?? PadProfile(slot.pad).lead).microsecondsRoundedUp, path: path,
      capabilities: HapticPad.Effect.allCases.filter(slot.pad.effects.contains).map { "\($0)" }, state: state,
      gain: slot.gain, problem: state == .ready || state == .unplugged ? nil : slot.problem ?? slot.device?.failure)
  }

  /// Whether what is felt is written to a file.
  var isLogging: Bool { log != nil }

  /// Why devices that were opened no longer do what they are told.
  var failures: [Problem] { ([log?.failure] + pads.map { $0.device?.failure }).compactMap(\.self) }

  /// What is not as it should be.
  var problems: [Problem] {
    let named = missing.map {
      Problem(.padMissing, device: $0, "no pad is called \($0)", remedy: "it is used as soon as it is plugged in")
    }
    return named + status.compactMap(\.problem)
  }

  /// One line, for the log.
  var summary: String {
    if log == nil, pads.isEmpty { return "no pad" }
    return status.map { $0.state == .ready ? $0.name : "\($0.name) (\($0.state.rawValue))" }.joined(separator: ", ")
  }
}
