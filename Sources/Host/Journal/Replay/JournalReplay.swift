// SPDX-License-Identifier: Apache-2.0

import Engine
import GamePacks
import HapticOutput
import Journal
import Mixing
import Timing
import Wire

/// A run that is done again from its journal, faster than it was, with nothing to be heard or felt.
public final class JournalReplay {
  /// How it is done again.
  public struct Configuration: Sendable {
    /// Where packs are looked for, in place of where they were.
    public var packFolders: [String]?
    /// A WAV file of what is heard again.
    public var recordPath: String?
    /// A file of what is felt again; the run must have had one.
    public var hapticLogPath: String?
    /// Other rules by which the taps of its chapters are judged besides.
    public var rejudging: Rejudging?

    /// As it was, written nowhere.
    public init() {}
  }

  let head: JournalHead
  private let host: Host
  private let tape: ReplayTape
  private let audio: ReplayedAudio
  private let rejudging: Rejudging?
  private var end: ReplayOutcome.End
  private var turn = JournalTurn()
  private var clock = EngineClock()
  private var clocks = [0: EngineClock()]
  private var feltSteps = 0
  private var otherFelt: Instant?

  /// Reads a journal and the packs that it was written with.
  public init(_ bytes: [UInt8], _ wanted: Configuration = Configuration()) throws(HostError) {
    var (head, parts) = try Self.read(bytes)
    rejudging = wanted.rejudging
    if rejudging != nil { head.rhythmSteps = RhythmSteps() }
    self.head = head
    end = parts.end
    if wanted.hapticLogPath != nil, !head.hasHapticLog {
      throw HostError("the run had no haptic log, so nothing is known of when it was written")
    }
    var configuration = HostConfiguration()
    configuration.clock = .stepped
    configuration.rate = head.rate
    configuration.packFolders = wanted.packFolders ?? head.packFolders
    configuration.usualPackFolders = wanted.packFolders == nil ? head.usualPackFolders : []
    configuration.activePack = head.activePack
    configuration.hapticLogPath = wanted.hapticLogPath
    configuration.replayed = head
    configuration.traceRecords = 1_024
    let (catalog, bank) = try PackLoader(rate: head.rate).load(
      PackFolders(named: configuration.packFolders, usual: configuration.usualPackFolders),
      active: configuration.activePack)
    try head.check(catalog)
    host = try Host(configuration, catalog, bank)
    let tape = ReplayTape(parts.border, isWhole: parts.end == .whole)
    self.tape = tape
    audio = ReplayedAudio(
      host.controller, host.feeder, calls: parts.calls, heard: parts.heard, isWhole: parts.end == .whole,
      recording: try wanted.recordPath.map { (path) throws(HostError) in
        try Host.recording(path, rate: head.rate)
      })
    let door = JournalDoor(
      .init(
        room: {
          guard var fields = tape.answer(.room, "the mixer's room") else { return 0 }
          return (try? fields.integer()) ?? 0
        },
        opened: {
          guard var fields = tape.answer(.opened, "a track") else { return false }
          return (try? fields.flag()) ?? false
        },
        passed: { tape.takes(.passed) },
        verdict: { tape.tell($0, $1) }))
    host.journal = door
    host.controller.witnessRoom = { door.witness(room: $0) }
    host.controller.witnessPassed = { door.witness(passed: $0) }
    host.controller.holdsBack = true
    var router = Router<Host.RequestContext>()
    host.register(on: &router)
  }

  /// Does all of it; what came of that.
  public func run() -> ReplayOutcome {
    while let record = tape.next() {
      do throws(JournalFault) {
        try doAgain(record)
      } catch {
        tape.end("\(error)")
      }
    }
    if tape.stop == nil, !audio.finish() { tape.end("the mixer takes more than it was told") }
    let problems = [audio.finishRecording()].compactMap(\.self) + host.stop()
    if let stop = tape.stop { end = .stopped(stop) }
    var outcome = ReplayOutcome(
      end: end, seconds: audio.compared, steps: feltSteps, verdicts: tape.verdicts, hasHapticLog: head.hasHapticLog,
      lastUs: host.engine.turn.clockNow.microseconds)
    if head.program != starlightVersion { outcome.otherVersion = head.program }
    outcome.unwritten = problems.filter { [.recordingFailed, .logFailed].contains($0.kind) }
    outcome.otherSecond = audio.otherSecond
    outcome.otherFeltUs = otherFelt?.microseconds
    outcome.otherVerdictUs = tape.otherVerdictUs
    if let rejudging { outcome.rejudged = head.rhythmSteps?.judged(by: rejudging) ?? [] }
    return outcome
  }

  private func doAgain(_ record: JournalRecord) throws(JournalFault) {
    var fields = JournalFieldReader(record)
    switch record.kind {
    case .turn: try turn.read(&fields, over: &host.engine.turn)
    case .call: try call(&fields)
    case .carryOut:
      _ = host.carriedOut()
      _ = host.takeTellings()
    case .clientLeft: host.engine.clientLeft(ClientID(rawValue: try fields.unsigned()))
    case .stalled:
      host.engine.stalled(
        from: Instant(nanoseconds: try fields.signed()), to: Instant(nanoseconds: try fields.signed()))
    case .advance: host.engine.advance()
    case .boundTap:
      let (lane, stamp) = (try fields.optionalText(), Instant(nanoseconds: try fields.signed()))
      _ = try? host.tap(bound: lane, at: stamp)
    case .listenedTo: host.engine.listenedTo = try fields.optionalSigned().map { Instant(nanoseconds: $0) }
    case .clock: try follow(&fields)
    case .pause:
      if try fields.flag() {
        host.stand(before: try fields.signed())
      } else {
        host.goOn(afterStanding: try fields.signed())
      }
    case .events: try takeEvents(try fields.integer())
    case .tellsBeats: host.engine.tellsBeats = try fields.flag()
    case .shutDown: _ = host.engine.shutDown()
    case .packTaken: takePack(try fields.text(), print: try fields.whole())
    case .packDropped: host.drop(pack: try fields.text())
    case .packOutdated: host.outdate(generation: try fields.integer())
    case .packsForgotten:
      host.engine.forgetPast()
      _ = host.bank.takeUnused()
    case .logGain: host.haptics.setLogGain(Double(bitPattern: try fields.whole()))
    case .logRejoined: host.haptics.repeatRejoin(playing: host.engine.playingHaptics { _ in true })
    case .handOver: host.queue.submitWaiting()
    case .felt: feel(try fields.feltStep())
    case .lost: tape.end("records were lost here, so what follows cannot be done again")
    case .truncated, .end: break
    case .room, .opened, .passed: tape.end("something was asked then that is not asked now")
    case .head, .mixer, .heard, .verdict: throw .record
    }
  }

  private func call(_ fields: inout JournalFieldReader) throws(JournalFault) {
    let method = try fields.text()
    let cause = Cause(
      client: ClientID(rawValue: try fields.unsigned()), user: UInt32(truncatingIfNeeded: try fields.unsigned()),
      line: try fields.unsigned())
    let context = Host.RequestContext(cause: cause, arrival: Instant(nanoseconds: try fields.signed()))
    let params = try fields.array()
    guard let again = host.repeats[method] else { return tape.end("there is no method \(method)") }
    do {
      try again(params, context)
    } catch {
      tape.end("the params of \(method) cannot be read")
    }
  }

  /// Pauses are noted by what became of the engine's clock.
  private func follow(_ fields: inout JournalFieldReader) throws(JournalFault) {
    let (number, value) = (try fields.integer(), try fields.optionalSigned())
    if number != FeltStep.number(of: clock), let value {
      if number % 2 == 1 {
        clock.hold(at: Instant(nanoseconds: value))
      } else {
        clock.release(after: Interval(nanoseconds: value))
      }
    }
    guard number == FeltStep.number(of: clock) else { return tape.end("a pause is not what it was") }
    clocks[number] = clock
    host.follow(clock)
  }

  private func takeEvents(_ count: Int) throws(JournalFault) {
    guard count >= 0 else { throw .record }
    while host.controller.eventCount < count {
      guard audio.advance() else {
        return audio.isAtEnd
          ? tape.runOut("the mixer tells less than it did") : tape.end("the mixer takes more than it was told")
      }
    }
    host.take((0..<count).compactMap { _ in host.controller.takeEvent() })
  }

  private func takePack(_ path: String, print: UInt64) {
    let loader = PackLoader(rate: head.rate, keptFiles: host.bank.keptFiles, soundRoom: host.bank.soundRoom)
    guard let loaded = loader.read(path).printed(true, while: { true }).loaded, loaded.print == print else {
      return tape.end("the pack in \(path) was read anew here, and is not what it was then")
    }
    _ = host.take(loaded)
  }

  private func feel(_ step: FeltStep) {
    feltSteps += 1
    guard let log = host.haptics.log,
      log.repeatStep(step, clock: step.clock.flatMap { clocks[$0] })
    else { return tape.end("the haptic log is told less than it was") }
    let written = (host.haptics.steps?.take() ?? []).map(\.written).joined()
    if written != step.written { otherFelt = otherFelt ?? step.at }
  }
}
