// SPDX-License-Identifier: Apache-2.0

import Outcomes
import Timing

extension Life {
  /// The life of what has that number among those of `subject`, or of the latest where these are left out; nil where no
  /// record of it is left. `rate` is the output's frames a second, and `now` when it is asked.
  public static func explained(
    _ subject: TraceKind? = nil, _ id: Int64? = nil, in kept: KeptRecords, rate: Int, now: Instant
  ) -> Life? {
    guard let root = LifeRoot.find(subject, id, in: kept, now: now) else { return nil }
    let records = LifeRecords(of: root, in: kept)
    var life = Life(
      subject: root.subject, id: root.id, client: root.client, line: root.line,
      asked: root.asked, scheduled: root.scheduled + records.paused, stages: [], blames: [])
    life.isIncomplete = root.line != 0 && records.line == nil
    life.tellLine(records, root)
    life.tellSound(records, rate: rate, now: now)
    life.tellTouch(records, now: now)
    life.tellTelling(records, now: now)
    life.tellUnbegun(records, root)
    life.stages.sort { ($0.over ?? .distantFuture, $0.kind.order) < ($1.over ?? .distantFuture, $1.kind.order) }
    life.blames.sort { $0.late > $1.late }
    return life
  }

  mutating func blame(
    _ culprit: Culprit, _ late: Interval, device: UInt8? = nil, client: UInt32? = nil,
    beyond tolerance: Interval = Life.tolerance
  ) {
    guard late > tolerance else { return }
    let blame = Blame(culprit, late, device: device, client: client)
    // One that was late twice on the way is named once, for the longer: they may be of the same time.
    let known = blames.firstIndex { ($0.culprit, $0.device, $0.client) == (culprit, device, client) }
    if let known { blames[known].late = max(blames[known].late, late) } else { blames.append(blame) }
  }

  /// The way of the line to the plan.
  private mutating func tellLine(_ records: LifeRecords, _ root: LifeRoot) {
    guard let line = records.line else { return }
    let isTap = subject == .tap
    let stamped = isTap ? asked.map { line.arrived - $0 } ?? .zero : .zero
    stages.append(Stage(.received, over: line.arrived, late: root.asked.map { line.arrived - $0 } ?? .zero))
    stages.append(Stage(.waited, begun: line.arrived, over: line.begun, late: line.begun - line.arrived))
    stages.append(Stage(.decoded, begun: line.begun, over: line.decoded))
    let missed = isTap ? .zero : root.asked.map { root.scheduled - $0 } ?? .zero
    stages.append(Stage(.planned, begun: line.decoded, over: line.planned, late: missed))
    stages.append(Stage(.answered, begun: line.planned, over: line.done))

    // What was asked for in time, and planned for when it was asked for, waited for nobody.
    if asked != nil, !isTap, missed <= Life.tolerance { return }
    var ours = Interval.zero
    if let errand = records.errand, errand.done <= line.begun {
      blame(.errandsBusy, errand.done - errand.begun)
      ours += errand.done - errand.begun
    }
    let waited = line.begun - line.arrived - ours
    let others = records.others.filter { $0.done > line.arrived && $0.begun < line.begun }.reduce(Interval.zero) {
      $0 + $1.processor
    }
    let waitedFor = records.whole(Self.controls(others, of: waited), from: line.arrived, to: line.begun)
    blame(records.known(waitedFor, from: line.arrived), waited)
    // A tap is answered, all else is served when it is handed over.
    let handed = (records.starts.map(\.at) + records.players.map(\.at)).filter { $0 <= line.done }.max()
    let served = isTap ? line.done : handed ?? line.planned
    let serving = served - line.begun
    let used = min(line.processor, serving)
    let servedBy = records.whole(Self.controls(used, of: serving), from: line.begun, to: served)
    blame(servedBy == .controlBusy ? servedBy : records.known(servedBy, from: line.begun), serving)
    ours += max(waited, .zero) + serving
    // Whoever was late before the line was read kept it lying in the socket.
    let late = isTap ? stamped : missed - ours
    let tolerance = isTap ? Life.tapTolerance : Life.tolerance
    guard late > tolerance else { return }
    if records.known(.clientAskedLate, from: line.arrived - Self.goingOn) == .unknown {
      return blame(.unknown, late, beyond: tolerance)
    }
    guard let asked = root.asked, let held = heldUp(until: line.arrived, records) else {
      return blame(.clientAskedLate, late, client: client, beyond: tolerance)
    }
    blame(held.culprit, min(late, held.length), beyond: .zero)
    blame(.clientAskedLate, held.since - asked, client: client, beyond: tolerance)
  }

  /// What kept control from reading what had come, up to when it was read at `arrived`: since when, and for how long it may
  /// have. What was over before then kept nothing: control has listened since.
  private func heldUp(
    until arrived: Instant, _ records: LifeRecords
  ) -> (culprit: Culprit, length: Interval, since: Instant)? {
    let moment = Interval.milliseconds(3)
    let reading = records.turns.last { turn in
      abs((turn.woken - arrived).nanoseconds) <= moment.nanoseconds && turn.due < arrived && turn.late > Life.tolerance
    }
    let span = min(reading?.due ?? arrived, arrived - Self.goingOn)...arrived + moment
    let audio = records.periods.filter { span.contains($0.woken) && $0.due < arrived }.max { $0.late < $1.late }
    if let audio, audio.late > Life.tolerance { return (.daemonStoodStill, audio.late, audio.due) }
    if let reading { return (.controlDescheduled, reading.late, reading.due) }
    // The turn before the one that read it.
    guard let before = records.turns.last(where: { $0.done <= arrived }), records.isNear(before.done, arrived),
      before.length > Life.tolerance
    else { return nil }
    return (Self.controls(before.processor, of: before.length), before.length, before.woken)
  }

  /// How much later than the audio thread control may go on after both stood still.
  private static var goingOn: Interval { .milliseconds(40) }

  /// Control, which used so much of the processor in so long.
  static func controls(_ used: Interval, of length: Interval) -> Culprit {
    used.nanoseconds * 2 >= length.nanoseconds ? .controlBusy : .controlDescheduled
  }
}
