// SPDX-License-Identifier: Apache-2.0

import ControlInput
import Engine
import Glibc
import JSON
import Problems
import RealTime
import Suggestions
import Timing
import Wire

/// The controls that clients have bound, and the devices that are listened to for them: only while a chapter runs.
final class ControlInputs {
  /// A control was pressed.
  struct Press {
    var binding: ControlBinding
    var device: String
    /// The kernel's stamp.
    var at: Instant
  }

  /// What was read of all devices.
  struct Heard {
    /// In the order of their stamps.
    var presses: [Press] = []
    /// Up to where all was read; nil where nothing waits any more.
    var upTo: Instant?
    /// Bindings that presses may be missing of, each with the device's path.
    var lost: [(binding: ControlBinding, path: String)] = []
  }

  /// The most devices that are listened to at once.
  static let mostDevices = 16

  private(set) var bindings = ControlBindings()
  private let system: (any ControlSystem)?
  private let opener: ControlOpener?
  private let allowsKeyboards: Bool
  private var sources: [ControlSource] = []
  private var devices: [HeardDevice] = []
  private var lastNumber = 0
  private var isJudging = false
  private var watch: FolderWatch?
  private var looksAgainAt: [Instant] = []
  /// The last look that was asked for, and the last before devices were looked for otherwise: what comes of that may be older.
  private var lastLook = 0
  private var outdatedLook = 0
  /// What was told of each binding.
  private var told: [Int64: [ControlDevice]] = [:]
  /// Streams that nobody reads any more. They are closed a turn later, when nobody watches their descriptors either.
  private var parting: [any ControlStream] = []
  private var parted: [any ControlStream] = []

  /// `control` is woken when a device was opened; nil where there is nobody to be woken.
  init(_ system: (any ControlSystem)?, control: Int32?, allowsKeyboards: Bool) {
    self.system = system
    self.allowsKeyboards = allowsKeyboards
    opener = system.map { ControlOpener($0, control: control) }
  }

  /// Has the thread that opens devices end; returns at once.
  func requestStop() {
    devices = []
    opener?.requestStop()
  }

  /// Waits for that, but not beyond `deadline`; false where a driver does not answer and was left behind.
  func stop(by deadline: Instant) -> Bool { opener?.stop(by: deadline) ?? true }

  /// To be watched for reading.
  var wakeDescriptors: [Int32] {
    ([watch?.descriptor] + devices.map { $0.stream?.descriptor }).compactMap(\.self).filter { $0 >= 0 }
  }

  /// Whether any device is read.
  var isListening: Bool { !devices.isEmpty }

  /// When `run` wants to be called, at `now`.
  func nextLook(at now: Instant) -> Instant? {
    parting.isEmpty && parted.isEmpty ? looksAgainAt.first : now
  }

  // MARK: - Binding

  /// `rhythm.bind`.
  func bind(_ params: RhythmBind.Params, for client: ClientID) throws(RPCError) -> RhythmBind.Result {
    guard let system else {
      throw RPCError(
        .unavailable, "a stepped clock listens to no device",
        hint: "tap by \(method: "rhythm.tap"), or start starlightd without --clock stepped")
    }
    guard let control = Control(named: params.control) else {
      throw RPCError(
        .unknownName, "no control is called \(excerpt(params.control))",
        hint:
          "names are those of linux/input-event-codes.h: BTN_SOUTH, ABS_Z; of an axis with a middle ABS_X+ or ABS_X-")
    }
    // The reply tells of them, so they are looked for here.
    sources = system.sources()
    outdatedLook = lastLook
    let devices = try selection(params.device, control, params.control)
    guard
      let binding = bindings.bind(
        control, of: devices, to: params.lane, grabs: params.grab ?? RhythmBind.ranges.grab.fallback,
        for: client.rawValue)
    else {
      throw RPCError(
        .busy, "this client has \(ControlBindings.mostOfClient) controls bound, the most there are",
        hint: "\(method: "rhythm.unbind") ends one")
    }
    if watch == nil { watch = .pads() }
    follow()
    let status = status(of: binding)
    told[binding.id] = status
    return RhythmBind.Result(binding: binding.id, devices: status)
  }

  /// `rhythm.unbind`.
  func unbind(_ id: Int64?, of client: ClientID) throws(RPCError) -> RhythmUnbind.Result {
    let ended = bindings.unbind(id, of: client.rawValue)
    if let id, ended == 0 {
      throw RPCError(
        .notRunning, "this client has no binding \(id)", hint: "\(method: "rhythm.bind") answers its number")
    }
    forgetEnded()
    return RhythmUnbind.Result(ended: ended)
  }

  /// A client has gone.
  func clientLeft(_ client: ClientID) {
    if bindings.unbind(of: client.rawValue) > 0 { forgetEnded() }
  }

  private func forgetEnded() {
    let left = Set(bindings.all.map(\.id))
    told = told.filter { left.contains($0.key) }
    // The watch is closed by `run`, behind which the server follows: a client that came in between would get its number.
    if left.isEmpty { looksAgainAt = [] }
    follow()
  }

  /// Which devices are meant; refuses what cannot be.
  private func selection(
    _ named: String?, _ control: Control, _ name: String
  ) throws(RPCError) -> ControlSelection {
    guard let named else {
      let pads = sources.filter(\.isPad)
      if let pad = pads.first, !pads.contains(where: { $0.has(control) }) { throw lacking(name, pad) }
      return .everyPad
    }
    let selection: ControlSelection
    if named.hasPrefix("/"), let source = sources.first(where: { $0.path == named }) {
      selection = .device(source.identity, path: named)
    } else {
      selection = .named(named)
    }
    let meant = sources.filter { selection.contains($0, among: sources) }
    guard let first = meant.first else { throw unknown(named) }
    guard let readable = meant.first(where: isReadable) else {
      throw RPCError(
        .notPermitted, "\(first.name) is no game pad, and this daemon reads no other device",
        hint: "start it with --allow-keyboards, and it reads the controls that are bound, while a chapter runs")
    }
    guard let able = meant.first(where: { isReadable($0) && $0.has(control) }) else { throw lacking(name, readable) }
    guard meant.contains(where: { isReadable($0) && $0.has(control) && $0.isPermitted }) else {
      let problem = Problem.listening(to: able, .denied)
      throw RPCError(.notPermitted, problem.reason, hint: problem.remedy)
    }
    return selection
  }

  private func unknown(_ device: String) -> RPCError {
    let near = nearest(to: device, among: sources.filter(isReadable).map(\.name))
    let isPath = device.hasPrefix("/")
    return RPCError(
      .unknownName,
      "no input device is \(isPath ? "at" : "called") \(excerpt(device))\(isPath ? "" : didYouMean(oneOf: near))",
      hint:
        "leave \(field: "device") out, and the reply names the game pads; /proc/bus/input/devices names every device",
      candidates: isPath ? [] : near)
  }

  private func lacking(_ control: String, _ source: ControlSource) -> RPCError {
    RPCError(
      .unavailable, "\(source.name) has no \(control)",
      hint: "`evtest \(source.path)` shows what it has and what is pressed")
  }

  private func isReadable(_ source: ControlSource) -> Bool { allowsKeyboards || source.isPad }

  // MARK: - Devices

  /// Looks for devices where it is time to, and opens and closes them as is wanted; what is to be told of bindings. The watch is
  /// asked where `isWoken`.
  func run(at now: Instant, isWoken: Bool, isJudging: Bool) -> [RhythmBindingChanged] {
    opener?.close(parted)
    (parted, parting) = (parting, [])
    if bindings.all.isEmpty { watch = nil }
    if bindings.all.isEmpty && devices.isEmpty { return [] }
    if isWoken, watch?.takeChange() == true {
      // The new one is made before the old one closes, so that the descriptor is seen to be another.
      if watch?.isOutdated == true { watch = .pads() }
      looksAgainAt = [now, now + .milliseconds(100), now + .milliseconds(1_100)]
    }
    var isChanged = self.isJudging != isJudging
    self.isJudging = isJudging
    if let due = looksAgainAt.first, due <= now {
      looksAgainAt.removeAll { $0 <= now }
      lastLook = opener?.look() ?? 0
    }
    if let found = opener?.takeFound() {
      if found.look <= outdatedLook {
        lastLook = opener?.look() ?? 0
      } else {
        sources = found.sources
        // Access may have been granted since.
        devices.removeAll { $0.problem != nil }
        isChanged = true
      }
    }
    if isChanged { follow() }
    takeOpened()
    return changes()
  }

  /// Listens to what is bound of each device, and to nothing else.
  private func follow() {
    let wanted = isJudging ? self.wanted : []
    for device in devices where !wanted.contains(where: { $0.isOf(device) }) { part(with: device) }
    for want in wanted {
      if let device = devices.first(where: want.isOf) {
        device.listen(to: want.controls)
      } else {
        lastNumber += 1
        devices.append(HeardDevice(want, number: lastNumber))
        opener?.open(lastNumber, want.source.path, keeping: want.controls, grabs: want.grabs)
      }
    }
    takeOpened()
  }

  private var wanted: [HeardDevice.Want] {
    let all = sources.filter { isReadable($0) && $0.isPermitted }.compactMap { source in
      let bound = bindings.listening(to: source, among: sources)
      return bound.isEmpty
        ? nil
        : HeardDevice.Want(source: source, controls: Set(bound.map(\.control)), grabs: bound.contains(where: \.grabs))
    }
    return Array(all.prefix(Self.mostDevices))
  }

  private func takeOpened() {
    for opened in opener?.takeOpened() ?? [] {
      guard let device = devices.first(where: { $0.number == opened.number }) else {
        if case .success(let stream) = opened.stream { parting.append(stream) }
        continue
      }
      switch opened.stream {
      case .success(let stream): device.begin(stream)
      case .failure(let error): device.problem = .listening(to: device.source, error)
      }
    }
  }

  private func part(with device: HeardDevice) {
    if let stream = device.stream { parting.append(stream) }
    devices.removeAll { $0 === device }
  }

  /// Reads what was pressed.
  func listen() -> Heard {
    var heard = Heard()
    for device in devices {
      guard let stream = device.stream else { continue }
      let bound = bindings.listening(to: device.source, among: sources)
      guard let events = stream.read() else {
        // It was unplugged: the watch tells when it is back.
        part(with: device)
        sources.removeAll { $0.path == device.source.path }
        continue
      }
      for event in events {
        switch device.reader.take(event) {
        case nil: break
        case .lost: heard.lost += bound.map { ($0, device.source.path) }
        case .pressed(let controls):
          heard.presses += bound.filter { controls.contains($0.control) }
            .map { Press(binding: $0, device: device.source.name, at: event.at) }
        }
      }
      if events.count >= mostControlEvents, let last = events.last {
        heard.upTo = min(heard.upTo ?? last.at, last.at)
      } else {
        device.findAxes()
      }
    }
    // Those of one device are in order, and of one instant stay so.
    heard.presses = heard.presses.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }
      .map(\.element)
    return heard
  }

  // MARK: - What is told

  /// What is there for a binding, as clients are told.
  func status(of binding: ControlBinding) -> [ControlDevice] {
    let meant = sources.filter {
      isReadable($0) && $0.has(binding.control) && binding.devices.contains($0, among: sources)
    }
    return meant.prefix(Self.mostDevices).map(status)
  }

  private func status(_ source: ControlSource) -> ControlDevice {
    guard source.isPermitted else {
      return ControlDevice(
        name: source.name, path: source.path, state: .denied, problem: .listening(to: source, .denied))
    }
    let device = devices.first { $0.source.path == source.path }
    let state: ControlDevice.State =
      if device?.problem != nil { .failed } else if device?.stream != nil { .listening } else if device != nil {
        .opening
      } else {
        .waiting
      }
    return ControlDevice(name: source.name, path: source.path, state: state, problem: device?.problem)
  }

  private func changes() -> [RhythmBindingChanged] {
    bindings.all.compactMap { binding in
      let status = status(of: binding)
      guard told[binding.id] != status else { return nil }
      told[binding.id] = status
      return RhythmBindingChanged(binding: binding.id, devices: status)
    }
  }
}

extension ControlErrno {
  /// This user may not read it.
  fileprivate static let denied = ControlErrno(code: EACCES)
}
