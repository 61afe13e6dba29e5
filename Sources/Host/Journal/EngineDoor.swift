// SPDX-License-Identifier: Apache-2.0

import Engine
import GamePacks
import HapticOutput
import Journal
import Mixing
import Timing
import Wire

/// What engine and mixer are told from more than one place, each noted in the journal before it is done.
extension Host {
  /// Lets the engine do what is due.
  func advanceEngine() {
    journal?.enter(.advance)
    engine.advance()
  }

  /// Hands over what waits for room in the mixer.
  func submitWaiting() {
    if queue.count == 0 { return }
    journal?.enter(.handOver)
    queue.submitWaiting()
  }

  /// Somebody is told of beats, or nobody is.
  func tellBeats(_ isWanted: Bool) {
    if engine.tellsBeats != isWanted { journal?.enter(.tellsBeats) { $0.add(isWanted) } }
    engine.tellsBeats = isWanted
  }

  /// What was tapped up to there is known; up to now where nothing is given.
  func listened(upTo instant: Instant?) {
    if engine.listenedTo == instant { return }
    journal?.enter(.listenedTo) { $0.add(optional: instant?.nanoseconds) }
    engine.listenedTo = instant
  }

  /// Has a tap of a bound control judged.
  func tap(bound lane: String?, at stamp: Instant) throws(RPCError) -> RhythmTap.Result {
    journal?.enter(.boundTap) { fields in
      fields.add(optional: lane)
      fields.add(stamp.nanoseconds)
    }
    return try telling(RhythmTap.name, at: stamp) { () throws(RPCError) in try engine.tap(bound: lane, at: stamp) }
  }

  /// Does what a method does; what it answers of a chapter is noted.
  func telling<Answer: Encodable>(
    _ method: String, at instant: Instant, _ answer: () throws(RPCError) -> Answer
  ) throws(RPCError) -> Answer {
    guard let journal else { return try answer() }
    return try journal.telling(method, at: instant, answer)
  }

  /// Has engine and outputs go by that time of the engine's.
  func follow(_ clock: EngineClock) {
    journal?.enter(.clock) { fields in
      fields.add(FeltStep.number(of: clock))
      let last = clock.hold(clock.count - 1)
      fields.add(optional: clock.lasting == nil ? last?.moved?.nanoseconds : last?.at.nanoseconds)
    }
    engine.clock = clock
    haptics.follow(clock)
  }

  /// Lets the mixer stand. There is room for twice as many pauses as may be pending.
  func stand(before frame: Int64) {
    journal?.enter(.pause) { fields in
      fields.add(true)
      fields.add(frame)
    }
    _ = controller.stand(before: frame)
  }

  /// Lets it go on.
  func goOn(afterStanding frames: Int64) {
    journal?.enter(.pause) { fields in
      fields.add(false)
      fields.add(frames)
    }
    _ = controller.goOn(afterStanding: frames)
  }

  /// Has what was read be the pack of its name from here on.
  func take(_ loaded: LoadedPack) -> PackGeneration {
    journal?.enter(.packTaken) { fields in
      fields.add(loaded.pack.path)
      fields.add(whole: loaded.print ?? PackPrint.print(of: loaded.pack))
    }
    let generation = engine.take(loaded.pack)
    bank.keep(loaded.sounds, of: generation)
    untaken.forget(pack: generation.name)
    return generation
  }

  /// Takes a pack out.
  func drop(pack name: String) {
    journal?.enter(.packDropped) { $0.add(name) }
    engine.drop(pack: name)
    bank.retire(pack: name)
    untaken.forget(pack: name)
  }

  /// Lets go of a reading of a pack that is held by those who hold too many.
  func outdate(generation number: Int) {
    journal?.enter(.packOutdated) { $0.add(number) }
    engine.outdate(generation: number)
    bank.noteOutdated(generation: number)
  }

  /// Has haptic outputs that take nothing any more join in anew with what plays, once they do.
  func rejoinOutputs() {
    let isLogMeant = haptics.rejoin(at: engine.turn.clockNow) { isMeant in engine.playingHaptics(where: isMeant) }
    if isLogMeant { journal?.enter(.logRejoined) }
  }

  // MARK: - The journal itself

  /// Writes what the run begins with.
  func beginJournal(_ file: JournalFile?, _ head: JournalHead?) {
    guard let file, let head else { return }
    journal = JournalDoor(file)
    journal?.enter(.head) { head.write(into: &$0) }
    journal?.flush(at: head.turn.clockNow)
    controller.witnessRoom = { [unowned self] in journal?.witness(room: $0) ?? $0 }
    controller.witnessPassed = { [unowned self] in journal?.witness(passed: $0) ?? $0 }
  }

  /// Notes how many events of the mixer are about to be taken in, with all that was noted elsewhere by now.
  func noteEvents(_ count: Int) {
    guard let journal else { return }
    journal.gather(controller, haptics.steps?.take() ?? [])
    if count > 0 { journal.enter(.events) { $0.add(count) } }
    journal.flush(at: engine.turn.clockNow)
  }

  /// Writes what is left, once no other thread does anything any more.
  /// False where its file was left behind, which is not waited for beyond `deadline`.
  func endJournal(by deadline: Instant) -> Bool {
    guard let journal, configuration.journalPath != nil else { return true }
    controller.finishNotes()
    journal.gather(controller, haptics.steps?.take() ?? [])
    return journal.finish(by: deadline)
  }
}
