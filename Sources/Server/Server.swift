// SPDX-License-Identifier: Apache-2.0

import CRealTime
import Engine
import Glibc
import Host
import RealTime
import Suggestions
import Timing
import Wire

/// The control thread: one event loop for clients, the engine, signals and systemd.
public final class Server {
  let configuration: ServerConfiguration
  let host: any ServedHost
  let log: Log
  var loop: EventLoop
  var listener: ListeningSocket?
  var router: Router<Host.RequestContext>
  var connections: [ClientID: Connection] = [:]
  var lastClient: UInt64 = 0
  let places: Places
  var shares = FairShare()
  var meter: CostMeter
  var passing: PassingCost
  /// The processor time of this thread when lines were served last.
  var servedUpTo: Int64 = 0
  /// Whether clients came or went since that was told.
  var hasCountChanged = false
  var stalls: StallWatch
  /// Sends what is due at an instant; nothing on the stepped clock, where control does it in its turn.
  let beats: BeatsSender?
  /// Does what is too dear for control; nothing on the stepped clock, where what happens must not hang on who is quicker.
  let errands: ErrandRunner?
  let closer = DescriptorCloser()
  /// Whether the kernel keeps from clients' sockets what takes long to close.
  let refusesDescriptors: Bool
  /// On the stepped clock: what waits for its instant.
  var held = TimedQueue()
  /// What stands while the engine is paused.
  var standing = StandingNotifications()
  let sleepWatch: SleepWatch
  var sleepInterest: SleepInterest?
  /// Tokens of what the kernel refuses to watch, and the clock has looked at instead.
  var unwatched: Set<UInt64> = []
  /// Whether one of the host's descriptors has something to read.
  var hasHostWoken = true
  /// Whether the bus has something to read, or room again; at first what was sent is to be looked after.
  var hasSleepSpoken = true
  /// Whether the engine stands after a sleep until a client resumes it.
  var isAwaitingWelcome = false
  let bootID = readBootID()
  /// Of this server and no other, before it or after.
  let instanceID = String(UInt64.random(in: 0 ... .max), radix: 16)
  /// When to accept again, after descriptors ran out.
  var acceptPause = AcceptPause()
  var service: ServiceManager
  /// Where what clients sent is read to, before it is each client's.
  let room = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: Server.readAtOnce)
  private let signals: Int32
  private let wake: Int32
  private var watchedHostDescriptors: [Int32] = []
  /// When the fade is over and the daemon ends.
  var endAt: Instant?
  var endNow = false
  var spareMemory = SpareMemory()
  /// Of control's turn: when it was to wake at the latest, the distant past for no time in particular, when it did, and the
  /// processor time of its thread then.
  var turnDue = Instant.distantPast
  var turnWoken = Instant.distantPast
  var turnBeganWith: Int64 = 0
  var processorTime = ProcessorTime(rt_thread_processor_ns(), at: rt_now_ns())
  /// Whether it woke for nothing.
  var isTurnInterrupted = false
  /// When it does what it does besides lines.
  var rest = TurnRest()
  /// How clients are looked at.
  var looking = Looking()
  /// Whether clients were heard by what was read and served.
  var hearing = Hearing()
  /// What somebody is still to be told of.
  var told = ToldLog()
  /// Who clients are, and were.
  var peers = KnownPeers()
  /// Who owes for what is being told.
  var payers = TellingPayers()
  /// Who had others told more than those read.
  var unread = UnreadDebts()
  /// The number of the first entry of what is told that nobody owes for there.
  var unreadUpTo = 0
  /// The line that is being served.
  var servedCause: Cause?

  /// Keeps SIGTERM, SIGINT and SIGHUP for the server and ignores SIGPIPE and SIGXFSZ.
  ///
  /// Call it first of all in the process: threads started before it would still die of these signals.
  public static func holdSignals() { rt_signals_hold() }

  /// Serves `host` at `socket`, from `run` on.
  public convenience init(
    _ configuration: ServerConfiguration, socket: consuming ListeningSocket, host: Host,
    log: @escaping Log
  ) throws(ServerError) {
    try self.init(configuration, socket: socket, served: host, log: log)
  }

  init(
    _ configuration: ServerConfiguration, socket: consuming ListeningSocket, served host: any ServedHost,
    log: @escaping Log
  ) throws(ServerError) {
    self.configuration = configuration
    self.host = host
    self.log = log
    if configuration.takesSignals { Self.holdSignals() }
    loop = try EventLoop()
    places = Places(limits: configuration.limits, owner: geteuid())
    meter = CostMeter(isCounting: host.clockKind == .stepped)
    passing = PassingCost(isCounting: host.clockKind == .stepped)
    servedUpTo = rt_thread_processor_ns()
    stalls = StallWatch(at: Instant(nanoseconds: rt_now_ns()))
    service = ServiceManager()
    refusesDescriptors = configuration.refusesDescriptors && PassedDescriptors.refuse(on: socket.descriptor)
    listener = consume socket
    signals = configuration.takesSignals ? rt_signal_open() : -1
    wake = rt_waiter_event()
    beats = host.clockKind == .live ? BeatsSender(control: wake) : nil
    sleepWatch = SleepWatch(log: log, isLive: host.clockKind == .live)
    errands = host.clockKind == .live || configuration.leavesErrands ? ErrandRunner(control: wake) : nil
    router = Router(limits: configuration.limits) { name, known in
      let near = nearest(to: name, among: known)
      return (near, didYouMean(oneOf: near))
    }
    host.register(on: &router)
    registerOwnMethods()
    host.trace.gather { [unowned self] in gatherTold() }
    if host.clockKind == .live { host.heardClients(upTo: host.now) }
    guard wake >= 0, signals >= 0 || !configuration.takesSignals else {
      throw ServerError("nothing can wake the server: \(errorText(EMFILE))")
    }
    if case let code = watchOwn(), code != 0 { throw ServerError("the server cannot be woken: \(errorText(code))") }
    watchSleep()
    try startBeats()
    do {
      try errands?.start()
    } catch {
      throw ServerError("cannot start the thread for errands: \(errorText(error.code))")
    }
  }

  deinit {
    stopThreads()
    for connection in connections.values { part(with: connection.channel.descriptor) }
    room.deallocate()
    if signals >= 0 { close(signals) }
    if wake >= 0 { close(wake) }
  }

  /// Serves until SIGTERM, SIGINT, a terminal that closes or `requestEnd`; gives the process's exit code: 1 where a recording,
  /// a haptic log or a journal was asked for and is not whole, or the settings, or what is remembered of the sound device, were left to
  /// a disk that hangs.
  public func run() -> Int32 {
    tellStatus()
    service.ready()
    if let path = socketPath { log(.info, "listening at \(path); \(host.summary)") }
    for problem in host.problems { log(.warning, problem.description) }
    // `host.problems`, just logged, holds those found during the start: taken here, so that none is logged twice.
    _ = host.takeProblems()
    while turn(waiting: true) {}
    return host.hasIncompleteFile ? 1 : 0
  }

  /// Where the server listens, as long as it does.
  public var socketPath: String? { listening?.path }

  /// What of the socket is asked for, as long as there is one.
  var listening: (descriptor: Int32, path: String, policy: PeerPolicy)? {
    switch listener {
    case .some(let listener): (listener.descriptor, listener.path, listener.policy)
    case .none: nil
    }
  }

  /// Fades out, then ends; asked twice, ends at once.
  public func requestEnd() {
    guard endAt == nil else {
      endNow = true
      return
    }
    service.stopping()
    // Whoever looks for a daemon from here on finds none.
    if let listening { loop.forget(listening.descriptor) }
    listener = nil
    endAt = host.beginShutdown()
  }

  func handle(_ event: EventLoop.Event) {
    switch event.token {
    case Token.listener: acceptClients()
    case Token.wake: drain(wake)
    case Token.sleep: hasSleepSpoken = true  // the next round looks
    case Token.host: hasHostWoken = true  // the next round calls it
    case Token.signals:
      var isAsked = false
      while case let signal = rt_signal_take(signals, &isAsked), signal != 0 {
        // Of a terminal that closes nobody asks for anything any more.
        if signal == SIGHUP, isAsked {
          log(.notice, "SIGHUP: reading the packs again")
          host.reloadPacks()
          continue
        }
        let name = [SIGINT: "SIGINT", SIGHUP: "SIGHUP"][signal] ?? "SIGTERM"
        log(.notice, "\(name): fading out")
        requestEnd()
      }
    default: break  // clients', which were taken in before
    }
  }

  /// Watches what nothing works without; 0, or an error number.
  private func watchOwn() -> Int32 {
    if signals >= 0, case let code = loop.watch(signals, token: Token.signals), code != 0 { return code }
    if case let code = loop.watch(wake, token: Token.wake), code != 0 { return code }
    return watchListener(isOpen: true)
  }

  func watchHost() {
    let descriptors = host.wakeDescriptors
    guard descriptors != watchedHostDescriptors || unwatched.contains(Token.host) else { return }
    for gone in watchedHostDescriptors where !descriptors.contains(gone) { loop.forget(gone) }
    watchedHostDescriptors = descriptors
    watchOrLook(descriptors, token: Token.host)
  }

  private func startBeats() throws(ServerError) {
    guard let beats else { return }
    do {
      if case .timeSharing(let refusal) = try beats.start(priority: configuration.beatsPriority) {
        let reason = refusal.map { ": " + errorText($0) } ?? ""
        log(.notice, "beats are sent without real-time priority\(reason); raise LimitRTPRIO (ulimit -r) for it")
      }
    } catch {
      throw ServerError("cannot start the thread that sends beats: \(errorText(error.code))")
    }
  }

  private func stopThreads() {
    beats?.stop()
    errands?.stop()
    sleepWatch.stop()
  }

  func end() {
    announce()
    stopThreads()
    for connection in Array(connections.values) { disconnect(connection) }
    for problem in host.stop() { log(.warning, problem.description) }
    log(.info, "ended")
  }

  /// Tells systemd who and what is there.
  func tellStatus() {
    guard endAt == nil, service.isListening else { return }
    let count = connections.count
    service.tell(status: "\(count) client\(count == 1 ? "" : "s"); \(host.summary)")
  }
}

/// What the event loop's tokens mean.
enum Token {
  static let listener: UInt64 = 0
  static let signals: UInt64 = 1
  static let wake: UInt64 = 2
  static let host: UInt64 = 3
  static let sleep: UInt64 = 4
  static let firstClient: UInt64 = 16
}

/// Empties an eventfd.
private func drain(_ descriptor: Int32) {
  var count: UInt64 = 0
  _ = read(descriptor, &count, MemoryLayout<UInt64>.size)
}

/// The kernel's boot id: instants of another boot mean nothing.
private func readBootID() -> String {
  guard let file = fopen("/proc/sys/kernel/random/boot_id", "r") else { return "" }
  defer { fclose(file) }
  var bytes = [UInt8](repeating: 0, count: 64)
  let count = fread(&bytes, 1, bytes.count, file)
  return String(decoding: bytes[..<count].prefix { $0 > 0x20 }, as: UTF8.self)
}
