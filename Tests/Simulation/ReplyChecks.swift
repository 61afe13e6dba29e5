// SPDX-License-Identifier: Apache-2.0

import Wire

/// What every reply has to be, and what those of each method have to say.
struct ReplyChecks {
  let pack: SimulatedPack
  var nowUs: Int64
  /// Refusals by kind, for the report.
  private(set) var refusals: [String: Int] = [:]
  private(set) var answers = 0
  /// Whether the daemon stood still once: what was due meanwhile is late.
  var hasStalled = false

  init(pack: SimulatedPack, nowUs: Int64) {
    self.pack = pack
    self.nowUs = nowUs
  }

  /// A reply to `sent`; promises go to the ledger.
  mutating func take(
    _ result: Result<ArraySlice<UInt8>, RPCError>, to sent: SimulatedClient.Sent, _ ledger: inout Ledger
  ) throws {
    switch result {
    case .failure(let error): try take(error, to: sent)
    case .success(let bytes):
      answers += 1
      try ensure(!sent.isRefused, "\(sent.method) was granted beyond all bounds")
      let most = sent.method == "rpc.discover" ? 262_144 : 16_384
      try ensure(bytes.count <= most, "the reply to \(sent.method) has \(bytes.count) bytes")
      if !sent.isGarbled { try take(bytes, to: sent, &ledger) }
    }
  }

  private mutating func take(_ error: RPCError, to sent: SimulatedClient.Sent) throws {
    refusals[error.data.kind, default: 0] += 1
    // A garbled line may be none of any method.
    var listed = allMethods.first { $0.name == sent.method }?.kindsOfErrors ?? [.unknownMethod]
    // What is out of bounds is refused before its method is looked for.
    if sent.isRefused { listed += RPCError.Kind.ofNoMethod }
    try ensure(
      sent.isGarbled || listed.contains { $0.rawValue == error.data.kind },
      "\(sent.method): a kind of error that it does not list: \(error)")
    try ensure(
      !error.message.isEmpty && !error.data.kind.isEmpty, "\(sent.method): an error that says nothing: \(error)")
    try ensure(
      error.message.utf8.count <= 512, "\(sent.method): an error of \(error.message.utf8.count) bytes")
    try ensure(error.data.kind != RPCError.Kind.internal.rawValue, "\(sent.method): an internal error: \(error)")
    try ensure(
      !sent.isOfStall || error.data.kind != RPCError.Kind.tooLate.rawValue,
      "a tap of when the daemon stood still came too late: \(error)")
    try ensure(error.data.hint?.isEmpty == false, "\(sent.method): an error without a hint: \(error)")
  }

  private mutating func take(_ bytes: ArraySlice<UInt8>, to sent: SimulatedClient.Sent, _ ledger: inout Ledger) throws {
    switch sent.method {
    case SoundPlay.name:
      let result = try decodeJSON(SoundPlay.Result.self, from: bytes)
      try ensure(result.durationUs > 0, "a sound of \(result.durationUs) us")
      try checkInstant(result.scheduledUs, result.lateUs, sent)
      try ledger.promise(result, endsByItself: sent.endsByItself, nowUs: nowUs)
    case HapticsPlay.name, HapticsTransient.name, HapticsContinuous.name:
      let result = try decodeJSON(HapticsPlay.Result.self, from: bytes)
      try checkInstant(result.scheduledUs, result.lateUs, sent)
      try ledger.promise(result, nowUs: nowUs)
    case RhythmStart.name:
      let result = try decodeJSON(RhythmStart.Result.self, from: bytes)
      guard let known = pack.chapters.first(where: { $0.name == result.chapter }) else {
        throw SimulationFailure("there is no chapter \(result.chapter)")
      }
      try ledger.promise(result, known)
    case MusicPlay.name, MusicSeek.name:
      let result = try decodeJSON(MusicPlay.Result.self, from: bytes)
      try checkInstant(result.scheduledUs, result.lateUs, sent)
      try ledger.music.promise(result.plan, at: result.scheduledUs, begins: true)
    case MusicStop.name, MusicPause.name, MusicResume.name, MusicGain.name:
      let result = try decodeJSON(MusicScheduled.self, from: bytes)
      try checkInstant(result.scheduledUs, result.lateUs, sent)
      try ledger.music.promise(result.plan, at: result.scheduledUs, begins: false)
    case SoundSet.name:
      let result = try decodeJSON(Scheduled.self, from: bytes)
      try checkInstant(result.scheduledUs, result.lateUs, sent)
      if let sound = sent.retunedSound { ledger.retune(sound) }
    case ParameterSet.name:
      let result = try decodeJSON(Scheduled.self, from: bytes)
      try checkInstant(result.scheduledUs, result.lateUs, sent)
      ledger.parameters.promise(at: result.scheduledUs)
    case CueFire.name:
      let result = try decodeJSON(CueFire.Result.self, from: bytes)
      try checkInstant(result.scheduledUs, result.lateUs, sent)
      try ledger.cues.promise(result)
    case CueStop.name:
      let result = try decodeJSON(CueStop.Result.self, from: bytes)
      try ledger.cues.stop(sent.stoppedCue, result, fadeUs: sent.fadeUs, nowUs: nowUs)
    case SoundStop.name:
      let result = try decodeJSON(Scheduled.self, from: bytes)
      try checkInstant(result.scheduledUs, result.lateUs, sent)
      ledger.stops.note(sent.stoppedSound.map { .sound($0) } ?? .all, at: result.scheduledUs, fadeUs: sent.fadeUs)
    case HapticsStop.name, HapticsSendParameters.name, HapticsScheduleCurve.name:
      let result = try decodeJSON(Scheduled.self, from: bytes)
      try checkInstant(result.scheduledUs, result.lateUs, sent)
    case HapticsPause.name, HapticsResume.name, HapticsSeek.name, HapticsSet.name:
      let result = try decodeJSON(PlayerScheduled.self, from: bytes)
      try checkInstant(result.scheduledUs, result.lateUs, sent)
    case RhythmTap.name: try check(try decodeJSON(RhythmTap.Result.self, from: bytes), sent)
    case EngineStatus.name: try check(try decodeJSON(EngineStatus.Result.self, from: bytes))
    case ClockStep.name: nowUs = try decodeJSON(ClockStep.Result.self, from: bytes).nowUs
    default: break
    }
  }

  /// Not before now; when it was asked for, or later by what is told.
  private func checkInstant(_ scheduledUs: Int64, _ lateUs: Int64, _ sent: SimulatedClient.Sent) throws {
    try ensure(scheduledUs >= nowUs, "\(sent) is scheduled for \(scheduledUs), before now, \(nowUs)")
    try ensure(lateUs >= 0, "\(sent) is late by \(lateUs)")
    guard let asked = sent.atUs else { return }
    let (difference, overflow) = scheduledUs.subtractingReportingOverflow(asked)
    try ensure(
      overflow || abs(difference - lateUs) <= 1,
      "\(sent) is scheduled for \(scheduledUs), late by \(lateUs)")
  }

  /// A tap without a stamp is one of when its line came, whatever was served before it.
  private func check(_ tap: RhythmTap.Result, _ sent: SimulatedClient.Sent) throws {
    guard let came = sent.cameUs, tap.stamp == .arrival else { return }
    try ensure(tap.tapUs == came, "a tap that came at \(came) was judged at \(tap.tapUs)")
  }

  private func check(_ status: EngineStatus.Result) throws {
    let audio = status.audio
    try ensure(audio.peak.isFinite, "a peak of \(audio.peak)")
    try ensure(hasStalled || audio.lateStarts == 0, "\(audio.lateStarts) starts were late")
    try ensure(audio.xruns == 0, "\(audio.xruns) underruns without a device")
    try ensure(status.nowUs == nowUs, "now is \(status.nowUs), not \(nowUs)")
    try ensure((status.music.state == .stopped) == (status.music.track == nil), "\(status.music)")
    let score = status.rhythm.score
    try ensure(score.hits >= 0 && score.misses >= 0 && score.remaining >= 0, "\(score)")
  }
}
