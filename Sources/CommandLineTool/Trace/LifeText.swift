// SPDX-License-Identifier: Apache-2.0

import CommandTable
import Outcomes
import Wire

/// A life as a table with a bar for each stage, on one axis of time from its first instant on, and a sentence of who was
/// late. Where the table is wider than `width` each stage has lines of its own in place of a row.
/// Where nothing sounds (`isSilent`) nothing is said to be heard.
func lifeLines(
  _ life: TraceExplain.Result, width: Int, isSilent: Bool = false, style: Style = .plain
) -> [String] {
  let zero = life.stages.map(\.fromUs).min() ?? life.scheduledUs
  let end = max(life.stages.map { $0.toUs ?? $0.fromUs }.max() ?? zero, life.askedUs ?? zero)
  var rows = [["stage", "at", "took", "late"]]
  for stage in life.stages {
    let took = (stage.toUs ?? stage.fromUs) - stage.fromUs
    rows.append([
      stageText(stage, of: life, isSilent: isSilent),
      stage.toUs.map { milliseconds($0 - zero, places: 2) } ?? "not yet",
      took > 0 ? milliseconds(took, places: 2) : "", stage.lateUs > 0 ? milliseconds(stage.lateUs, places: 2) : "",
    ])
  }
  let widths = (0..<4).map { column in rows.map { $0[column].count }.max() ?? 0 }
  let head = widths.reduce(0, +) + 8
  let room = min(48, max(0, width - head - 1))
  let sentences = lateTexts(life).flatMap { hanging($0, indent: 0, width: width) }
  var lines = hanging(lifeHead(life, zero: zero), indent: 0, width: width)
  if head - 2 > width {
    return lines + zip(rows.dropFirst(), life.stages).flatMap { stacked($0, $1, width: width, style) } + sentences
  }
  for (index, row) in rows.enumerated() {
    var text = row[0].padded(widths[0])
    for column in 1..<4 { text += "  " + row[column].rightAligned(widths[column]) }
    let isLate = index > 0 && life.stages[index - 1].lateUs > remarkablyLateUs
    text = style.paint(text, index == 0 ? .dim : isLate ? .warning : .normal)
    if room >= 8 {
      text += "  " + (index == 0 ? axis(zero, end, width: room) : span(life.stages[index - 1], zero, end, width: room))
    }
    lines.append(trimmed(text))
  }
  return lines + sentences
}

/// A stage without a table: its name, and below it when it was over, what it took and how late it was.
private func stacked(_ row: [String], _ stage: TraceStage, width: Int, _ style: Style) -> [String] {
  let told = [stage.toUs == nil ? row[1] : "at \(row[1])", row[2].isEmpty ? "" : "took \(row[2])"]
  let late = row[3].isEmpty ? [] : ["\(row[3]) late"]
  let text = (told.filter { !$0.isEmpty } + late).joined(separator: ", ")
  let ink: Ink = stage.lateUs > remarkablyLateUs ? .warning : .normal
  return (wrapped(row[0], width: width) + wrapped(text, width: width - 2).map { "  " + $0 }).map {
    style.paint($0, ink)
  }
}

/// From how much on a stage stands out, and somebody is looked for.
private let remarkablyLateUs: Int64 = 1_000

/// "cue 12: line 3 of client 1, as soon as possible".
private func lifeHead(_ life: TraceExplain.Result, zero: Int64) -> String {
  var text = "\(kindText(life.kind)) \(life.id)"
  if let client = life.client, let line = life.line { text += ": line \(line) of client \(client)" }
  guard let asked = life.askedUs else { return text + ", as soon as possible" }
  let distance = milliseconds(abs(asked - zero), places: 2)
  return text + (asked < zero ? ", for \(distance) before it came" : ", for \(distance)")
}

private func kindText(_ kind: TraceKind) -> String {
  switch kind {
  case .cue, .sound, .tap, .beat: kind.rawValue
  case .haptics: "haptic player"
  case .music: "music, plan"
  case .musicBeat: "beat of the music"
  }
}

/// "written to Pad, player 3".
private func stageText(_ stage: TraceStage, of life: TraceExplain.Result, isSilent: Bool = false) -> String {
  let several = Set(life.stages.compactMap(partText)).count > 1
  let part = several ? partText(stage).map { " (\($0))" } ?? "" : ""
  switch stage.stage {
  case .handedOver: return "handed over" + part
  case .written: return "written to \((stage.device ?? "a device").cut(to: 24))" + part
  case .calledOff: return "called off" + part
  case .heard where isSilent: return "unheard" + part
  case .told: return "told client \(stage.client ?? 0)"
  default: return stage.stage.rawValue + part
  }
}

/// "sound 1": a sound and a player may have the same number.
private func partText(_ stage: TraceStage) -> String? {
  guard let part = stage.part else { return nil }
  return switch stage.partKind {
  case .sound: "sound \(part)"
  case .music: "track \(part)"
  case .haptics: "player \(part)"
  default: String(part)
  }
}

/// "0 ms ... 12 ms" over the width of the bars.
private func axis(_ zero: Int64, _ end: Int64, width: Int) -> String {
  let last = milliseconds(end - zero)
  return "0" + last.rightAligned(width - 1)
}

/// Where on the axis a stage lies: `━` while it went on, `●` where it was over, `?` where it is not.
private func span(_ stage: TraceStage, _ zero: Int64, _ end: Int64, width: Int) -> String {
  func column(_ instant: Int64) -> Int {
    let share = Double(instant - zero) / Double(max(1, end - zero))
    return min(width - 1, max(0, Int((share * Double(width - 1)).rounded())))
  }
  var bar = Array(repeating: Character(" "), count: width)
  let last = stage.toUs.map(column) ?? width - 1
  for place in min(column(stage.fromUs), last)...last { bar[place] = "━" }
  bar[last] = stage.toUs == nil ? "?" : "●"
  return String(bar)
}

/// Who was late, a sentence for each.
func lateTexts(_ life: TraceExplain.Result) -> [String] {
  var texts = life.late.enumerated().map { index, blame in
    (index == 0 ? "Late: " : "And: ") + culpritText(blame) + ", \(milliseconds(blame.lateUs))."
  }
  if texts.isEmpty { texts = [unblamedText(life)] }
  if life.incomplete == true {
    texts.append("Some of its records are overwritten, or were lost: what is missing here is not known.")
  }
  return texts
}

/// What is said where nobody is to blame, of what was late all the same.
private func unblamedText(_ life: TraceExplain.Result) -> String {
  let nobody = "Nobody was late by more than 1 ms."
  guard let worst = life.stages.max(by: { $0.lateUs < $1.lateUs }), worst.lateUs > remarkablyLateUs else {
    return nobody
  }
  let late = milliseconds(worst.lateUs)
  if life.kind == .tap, worst.stage == .received {
    return "The tap came \(late) after its stamp, and counts at its stamp; a client is late beyond 10 ms. "
      + "Nobody else was late by more than 1 ms."
  }
  let reached: Set<TraceStage.Kind> = [.planned, .heard, .lost, .written, .told]
  let isReached = life.stages.contains { reached.contains($0.stage) && $0.lateUs > remarkablyLateUs }
  return "Stage \(stageText(worst, of: life)) was \(late) late, "
    + (isReached
      ? "of which nobody was to blame for more than 1 ms." : "but what followed was on time: nobody is to blame.")
}

private func culpritText(_ blame: TraceBlame) -> String {
  let device = blame.device ?? "the haptic output"
  let client = blame.client.map { "client \($0)" } ?? "the client"
  return switch blame.who {
  case .clientAskedLate: "\(client) asked too late"
  case .clientDoesNotRead: "\(client) does not read what it is told"
  case .daemonStoodStill: "the whole daemon stood still"
  case .controlBusy: "the daemon's control thread was at work"
  case .controlDescheduled: "the daemon's control thread was not let run, or waited for the system"
  case .errandsBusy: "a pattern given inline took long to compile"
  case .decoding: "the track's file was decoded too slowly"
  case .audioBusy: "rendering took longer than its period"
  case .audioDescheduled: "the audio thread was not let run"
  case .soundDevice: "the sound device lost frames by itself"
  case .hapticDevice: "\(device) took long to answer"
  case .hapticDescheduled: "the thread of \(device) was not let run"
  case .beatsDescheduled: "the thread that sends beats was not let run"
  case .unknown: "nobody knows who: the records of then are overwritten"
  }
}
