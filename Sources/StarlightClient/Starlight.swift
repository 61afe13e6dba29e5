// SPDX-License-Identifier: Apache-2.0

import Wire

/// A game's connection to the daemon. It looks for the daemon, sets the connection up, and does so anew whenever the daemon
/// comes back; it ends when it is let go of.
///
/// Nothing here waits for the socket in the caller's thread: lines are handed to a thread of the client's own, in a bounded
/// outbox, and what finds no room is refused to the caller at once.
///
///     let starlight = try Starlight(pack: "lighthouse")
///     for await event in starlight.events() {
///       switch event {
///       case .connected: try await starlight.request(MusicPlay.self, .init(track: "calm"))
///       case .told(.musicBeat(let beat), tUs: let instant): flash(beat.bar, at: instant)
///       default: break
///       }
///     }
public final class Starlight: Sendable {
  private let thread: LinkThread

  /// Looks for the daemon from now on, at `path` or where daemons are to be expected. `pack` is the one that bare names are of,
  /// the daemon's own where it is nil; `name` is for the daemon's log. Throws `noResources` alone: whether the daemon is there
  /// is told by `events`.
  public init(pack: String? = nil, name: String = "game", path: String? = nil) throws(ClientError) {
    thread = try LinkThread.start(
      Link(name: name, pack: pack),
      paths: path.map { [$0] } ?? SocketPath.candidates(environment: environment()))
  }

  deinit { close() }

  // MARK: - Asking

  /// Asks and waits for the answer, for `timeoutUs` microseconds at most; other tasks go on meanwhile.
  ///
  /// What the daemon refuses is thrown as `rpc`, with its kind and a remedy. After `unanswered`, `timedOut` and `cancelled` it may
  /// have been done all the same, and after `close()` too (`closed`); after `notConnected` and `outboxFull` it was not sent.
  @discardableResult public func request<Method: WireMethod>(
    _ method: Method.Type, _ params: Method.Params, timeoutUs: Int64 = 10_000_000
  ) async throws(ClientError) -> Method.Result {
    try Self.mayAsk(Method.name)
    return try await answer(method, params, timeoutUs)
  }

  /// The same of a method that takes nothing.
  @discardableResult public func request<Method: WireMethod>(
    _ method: Method.Type, timeoutUs: Int64 = 10_000_000
  ) async throws(ClientError) -> Method.Result where Method.Params == Empty {
    try await request(method, Empty(), timeoutUs: timeoutUs)
  }

  /// Sends without waiting for anything, for use in a frame: a cue, a tap, a parameter. Gives a ticket; where the daemon refuses
  /// what was sent, `Event.refused` names it. Throws `notConnected` and `outboxFull`, and then nothing was sent.
  @discardableResult public func send<Method: WireMethod>(
    _ method: Method.Type, _ params: Method.Params
  ) throws(ClientError) -> Int64 {
    try Self.mayAsk(Method.name)
    return try post(Method.name, Self.encoded(method, params), .refusal(method: Method.name))
  }

  /// Asks without waiting, for use in a frame that needs the answer in a later one: the number of a cue, the run of a chapter. Gives
  /// a ticket; `Event.answered` brings the answer in its place among what is told, or `Event.refused` why there is none. Throws as
  /// `send` does.
  @discardableResult public func ask<Method: WireMethod>(
    _ method: Method.Type, _ params: Method.Params
  ) throws(ClientError) -> Int64 {
    try Self.mayAsk(Method.name)
    return try post(Method.name, Self.encoded(method, params), .readers(method: Method.name))
  }

  /// How many requests wait for their answers, of `send` and `ask` too: a daemon that stands still answers none.
  public var openRequests: Int { thread.link.withLock { $0.openRequests } }

  /// Makes a pack the one that bare names are of, now and whenever the daemon comes back; the daemon's own where it is nil. Throws
  /// as `request` does, and then the pack is the one it was.
  public func use(pack: String?) async throws(ClientError) {
    _ = try await answer(SessionUse.self, .init(pack: pack), 10_000_000, use: Link.Use(pack: pack))
  }

  // MARK: - Standing still

  /// Has the engine stand still (`engine.pause`), now, and whenever the daemon comes back until `letGo()`: the hold goes with the
  /// connection, and is asked for anew before anything that the game asks. For use in a frame; without a daemon it is kept in mind.
  public func hold() { stand(true) }

  /// Lets go of that (`engine.resume`), and of the daemon's own hold where the system slept.
  public func letGo() { stand(false) }

  private func stand(_ isHeld: Bool) {
    thread.link.withLock { $0.hold(isHeld) }
    thread.wake()
  }

  // MARK: - Hearing

  /// Begins to listen to these topics and to whether the daemon is there. What is not read waits, `capacity` events at most;
  /// then the oldest give way, and `Event.lost` says so in their place.
  public func events(of topics: Set<Topic> = Set(Topic.allCases), capacity: Int = 1_024) -> Events {
    let buffer = EventBuffer(topics: topics, capacity: capacity)
    thread.link.withLock { $0.join(buffer) }
    thread.wake()
    return Events(reader: Reader(self, buffer))
  }

  func leave(_ buffer: EventBuffer) {
    thread.link.withLock { $0.leave(buffer) }
    thread.wake()
  }

  /// The connection of now, as it began; nil while there is none.
  public var session: Session? { thread.link.withLock { $0.session } }

  /// Which reading of the pack bare names are of now; nil without a connection, and where no pack is loaded.
  public var generation: Int? { thread.link.withLock { $0.generation } }

  /// How the daemon's clock stands to this program's; nil without a connection, and where the daemon's clock is stepped.
  public var clock: ClockMap? { thread.link.withLock { $0.clock } }

  /// The daemon's instant now, in microseconds, for taps and plans. Without a connection it is this program's CLOCK_MONOTONIC,
  /// which on one machine is the same. A stepped clock is where this client left it, or read it last: by `clock.step`,
  /// `clock.now` and as the connection began.
  public var nowUs: Int64 {
    let now = ClockMap.localUs
    return thread.link.withLock { $0.daemonUs(atLocalUs: now) }
  }

  /// Ends the connection, all readers, and what waits for an answer (`closed`). Letting go of the client and its readers does
  /// the same.
  public func close() {
    let waiting = thread.link.withLock { $0.end() }
    Link.Pending.fail(waiting, ClientError(.closed, "the client was closed"))
    thread.wake()
  }

  // MARK: - Within

  private func answer<Method: WireMethod>(
    _ method: Method.Type, _ params: Method.Params, _ timeoutUs: Int64, use: Link.Use? = nil
  ) async throws(ClientError) -> Method.Result {
    let bytes = try Self.encoded(method, params)
    let deadline = deadlineNs(afterUs: timeoutUs)
    let ticket = Ticket()
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { (continuation: CheckedContinuation<Result<[UInt8], ClientError>, Never>) in
        do throws(ClientError) {
          let id = try post(
            Method.name, bytes, .answer(continuation, method: Method.name, deadlineNs: deadline, use: use))
          // The handler may have run before there was anything to give up.
          if ticket.set(id) { giveUp(id) }
        } catch {
          continuation.resume(returning: .failure(error))
        }
      }
    } onCancel: {
      if let id = ticket.cancel() { giveUp(id) }
    }
    switch result {
    case .success(let bytes):
      let answer = try decoded(method, bytes)
      let nowUs = (answer as? ClockStep.Result)?.nowUs ?? (answer as? ClockNow.Result)?.nowUs
      if let nowUs { thread.link.withLock { $0.heard(ofNowUs: nowUs) } }
      return answer
    case .failure(let error) where error.kind == .timedOut: throw ClientError.timedOut(timeoutUs)
    case .failure(let error): throw error
    }
  }

  private func post(_ name: String, _ params: [UInt8], _ waiting: Link.Pending) throws(ClientError) -> Int64 {
    let (id, isFirst) = try thread.link.withLock { link throws(ClientError) -> (Int64, Bool) in
      // Where lines wait to be taken the thread is awake already, or about to be woken.
      let isFirst = !link.hasOutbox
      return (try link.ask(method: name, params: params, waiting), isFirst)
    }
    if isFirst { thread.wake() }
    return id
  }

  private func giveUp(_ id: Int64) {
    guard let waiting = thread.link.withLock({ $0.giveUp(id) }) else { return }
    Link.Pending.fail([waiting], ClientError(.cancelled, "the task that asked was cancelled"))
  }

  private static func encoded<Method: WireMethod>(
    _: Method.Type, _ params: Method.Params
  ) throws(ClientError) -> [UInt8] {
    do {
      return try encodeJSON(params)
    } catch {
      throw ClientError(.protocolViolation, "the params of \(Method.name) cannot be written as JSON: \(error)")
    }
  }

  /// What the client asks anew by itself must not be asked behind its back.
  private static func mayAsk(_ name: String) throws(ClientError) {
    let own =
      switch name {
      case SessionHello.name: "the session has its answer: Event.connected"
      case SessionUse.name: "use(pack:) asks for it"
      case EnginePause.name: "hold() asks for it"
      case EngineResume.name: "letGo() asks for it"
      case EventsSubscribe.name, EventsUnsubscribe.name: "events(of:) subscribes as long as it is listened to"
      default: String?.none
      }
    if let own {
      throw ClientError(
        .reserved, "\(name) is the client's own, which asks it anew when the daemon comes back", remedy: own)
    }
  }
}
