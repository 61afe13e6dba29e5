// SPDX-License-Identifier: Apache-2.0

import Outcomes
import Timing

extension Life {
  /// What is heard of it.
  mutating func tellSound(_ records: LifeRecords, rate: Int, now: Instant) {
    tellSilence(records, now: now)
    for start in records.starts {
      let place = records.place(of: start)
      let frame = place.frame
      stages.append(Stage(.handedOver, over: start.at, part: start.part))
      if start.isOff { continue }
      let period = start.isHeld ? nil : records.periods.last { $0.holds(frame) }
      var heard = place.heard
      if let period {
        stages.append(Stage(.rendered, begun: period.woken, over: period.done, late: period.late, part: start.part))
        heard = period.heard + .frames(frame - period.first, rate: rate)
      }
      // What was promised an instant of its own and handed over too late for that begins as soon as it can.
      let isOne = subject == .sound || subject == .music
      // What was to be heard among lost frames is in its place behind them, however late it was handed over.
      let told = min(start.heard, place.heard)
      let behindPromise = isOne && !start.isHeld ? max(told - scheduled, .zero) : .zero
      let late = heard - told + behindPromise
      let lost = records.lost.filter { $0.holds(frame) || $0.holds(start.frame) }
      if period == nil, !lost.isEmpty, !start.isHeld {
        stages.append(Stage(.lost, over: told, part: start.part))
      } else if period == nil, !start.isHeld, records.renderedTo > frame {
        // It was rendered; when, nobody knows any more.
        isIncomplete = true
        continue
      } else {
        stages.append(Stage(.heard, begun: heard, over: period == nil ? nil : heard, late: late, part: start.part))
      }
      blame(records.known(control(at: start.at, records), from: start.at), behindPromise)
      // A thread that woke late may have rendered it only after it should have been heard.
      let behind = period.map { $0.late > Life.tolerance ? $0.done - heard : .zero } ?? .zero
      let missing = max(late - behindPromise, behind, .frames(lost.map(\.frames).max() ?? 0, rate: rate))
      guard missing > Life.tolerance else { continue }
      let (culprit, length) = lostBy(start, missing, records, rate: rate)
      blame(records.known(culprit, from: start.at), length)
    }
  }

  /// A track that had nothing to play.
  private mutating func tellSilence(_ records: LifeRecords, now: Instant) {
    for silence in records.silences {
      let length = (silence.until ?? now) - silence.from
      let part = records.starts.first { $0.voice == silence.voice }?.part
      stages.append(Stage(.silent, begun: silence.from, over: silence.until, late: length, part: part))
      blame(.decoding, length)
    }
  }

  /// Who had what was handed over be lost or late.
  private func lostBy(
    _ start: LifeRecords.Start, _ missing: Interval, _ records: LifeRecords, rate: Int
  ) -> (Culprit, Interval) {
    let waking = records.periods.filter { records.canSpoil(start.heard, from: $0.due, to: $0.woken) }
    if let latest = waking.max(by: { $0.late < $1.late }), latest.late > Life.tolerance {
      return (records.whole(late: latest), latest.late)
    }
    let working = records.periods.filter { records.canSpoil(start.heard, from: $0.woken, to: $0.done) }
    if let longest = working.max(by: { $0.length < $1.length }),
      case let excess = longest.length - .frames(longest.frames, rate: rate), excess > .zero
    {
      let isRunning = records.wasAudioRunning(at: longest.done, excess: excess)
      return (isRunning ? .audioBusy : .audioDescheduled, longest.length)
    }
    let frames = [start.frame, records.place(of: start).frame]
    if records.lost.contains(where: { frames.contains(where: $0.holds) }) { return (.soundDevice, missing) }
    // It came too late for its frame.
    return (control(at: start.at, records), missing)
  }

  /// How control was late with what it did at `instant`.
  func control(at instant: Instant, _ records: LifeRecords) -> Culprit {
    guard let turn = records.turns.last(where: { $0.woken <= instant }), turn.done >= instant - .milliseconds(1) else {
      return .controlBusy
    }
    if turn.late > turn.length { return .controlDescheduled }
    return Self.controls(turn.processor, of: turn.length)
  }
}
