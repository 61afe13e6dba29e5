// SPDX-License-Identifier: Apache-2.0

import Problems
import Wire

/// What goes wrong while the daemon runs: told once, and shown for as long as it is remembered.
extension Host {
  /// What went wrong since the last call, for the log.
  public func takeProblems() -> [Problem] {
    defer { untoldProblems = [] }
    return untoldProblems
  }

  /// What went wrong while running, newest last, bounded; for `engine.status`.
  var currentProblems: [Problem] { failures + haptics.problems + settingsFailures + journalFailures }

  /// Tells a problem once, as long as it is remembered.
  func fail(_ problem: Problem) {
    guard !failures.contains(problem) else { return }
    failures.append(problem)
    if failures.count > 16 { failures.removeFirst() }
    announce(problem)
  }

  /// Whether a file that was asked for is not whole: the recording, the haptic log or the journal; or the settings, or what is
  /// remembered of the sound device, were left behind.
  public var hasIncompleteFile: Bool {
    hasRecordingGaps || hasRecordingEnded || haptics.log?.failure != nil || !journalFailures.isEmpty || hasLeftSettings
      || hasLeftDeviceMemory
  }

  /// What the recorder's writer was too slow for is silence in the file: not what was played. Told once.
  func noticeOverrun(_ frames: Int64) {
    guard frames > 0, !hasRecordingGaps, !hasRecordingEnded else { return }
    hasRecordingGaps = true
    fail(
      Problem(
        .recordingFailed, file: configuration.recordPath ?? "",
        "the recording has gaps: its disk was too slow for a while",
        remedy: "record to a faster one"))
  }

  /// Tells of what fails while it is used, and is remembered elsewhere for as long as it does: haptic outputs, settings.
  func noticeLasting() {
    let failed = haptics.failures + settingsFailures + journalFailures
    guard failed != toldLasting else { return }
    for failure in failed where !toldLasting.contains(failure) { announce(failure) }
    toldLasting = failed
  }

  var journalFailures: [Problem] {
    guard let path = configuration.journalPath, let failure = journal?.failure else { return [] }
    return [
      Problem(.journalFailed, file: path, "the journal \(path) ends here: \(failure.reason)", remedy: failure.remedy)
    ]
  }

  private var settingsFailures: [Problem] { settingsStore?.failure.map { [$0] } ?? [] }

  private func announce(_ problem: Problem) {
    untoldProblems.append(problem)
    tell(OutgoingNotification(EngineProblem(problem: problem), tUs: now.microseconds))
  }

  func noticeRecording(_ failure: Problem?) {
    guard let failure, !hasRecordingEnded else { return }
    hasRecordingEnded = true
    fail(failure)
  }
}
