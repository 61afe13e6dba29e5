// SPDX-License-Identifier: Apache-2.0

import Glibc
import Wire

/// How much later than heard a cue is felt that is fired now, and a chapter's feedback, at the defaults, on a card whose timer
/// is exact and pads whose motors are told soon and late: never before, and no later than its lead allows. That what is told
/// of a sound is what is heard the closed loop shows.
enum SkewChecks {
  static let cues = 50
  /// What serving a line and waking up to write may take a processor of 500 million instructions a second.
  static let limitUs: Int64 = 1_500

  static func run(_ report: inout Report) throws {
    // A small fill and much memory: whoever had to wait for a page would be heard.
    let gathering = try PageGathering.every(milliseconds: 100)
    defer { gathering.finish() }
    for (name, vendor, product) in [("eccentric masses", 0x1209, 1), ("DualSense", 0x054c, 0x0ce6)] {
      report.part = name
      let pad = try PluggedPad(name, .rumble, vendor: UInt16(vendor), product: UInt16(product), log: "skew-\(product)")
      let daemon = try Daemon.atDefaults("skew-\(product)")
      usleep(700_000)
      guard let leadUs = try daemon.status().haptics.first(where: { $0.kind.isFelt })?.leadUs else {
        throw RigFailure("no pad is felt")
      }
      let prompt = PromptCues(count: cues)
      let fired = [("fired now", try prompt.fire(on: daemon)), ("feedback", try prompt.answer(on: daemon))]
      let xruns = try daemon.status().audio.xruns
      let account = try LossAccount(of: daemon, xruns: xruns)
      try daemon.finish()
      pad.unplug()
      let pulses = MotorHistory(pad.events).turning.map { $0.lowerBound + leadUs }
      for (what, fired) in fired { tell(what, fired, pulses, leadUs: leadUs, &report) }
      report.check("no xruns", xruns == 0, "\(xruns) \(account)")
    }
  }

  private static func tell(
    _ what: String, _ fired: [PromptCues.Fired], _ pulses: [Int64], leadUs: Int64, _ report: inout Report
  ) {
    let skews = fired.map(\.skewUs)
    // What of its lead is left when the sound is heard, and what it takes to be served.
    let isSoon = fired.allSatisfy { $0.touchUs - $0.sentUs <= max(leadUs, $0.soundUs - $0.sentUs) + limitUs }
    let isOrdered = fired.allSatisfy { $0.skewUs >= 0 && $0.touchUs - $0.soundUs == $0.skewUs }
    report.check(
      "\(what): felt after heard", isOrdered && isSoon,
      "of \(fired.count): \(Distribution(skews)), least \(milliseconds(skews.min() ?? 0)); told \(milliseconds(leadUs)) ahead"
    )
    let waits = fired.map { $0.soundUs - $0.sentUs }
    report.note("\(what): from command to sound", "\(Distribution(waits))")
    let late = fired.compactMap { one in pulses.map { $0 - one.touchUs }.min { abs($0) < abs($1) } }
    let distribution = Distribution(late)
    report.check(
      "\(what): felt as told", late.count == fired.count && abs(distribution.worst) < limitUs, "\(distribution)")
  }
}
