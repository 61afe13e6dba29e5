// SPDX-License-Identifier: Apache-2.0

import AudioOutput
import CRealTime
import Files
import HapticOutput
import Problems
import Timing

/// The end of a host: sound first, then what is felt, then the files. Whatever hangs is left behind, so it always comes.
extension Host {
  /// Stops and joins every thread and closes the outputs; what went wrong and was not taken by `takeProblems` yet.
  ///
  /// Devices and files that do not answer are left behind, and told: `hasLeftBehind`. All files together are waited for by
  /// `filePatience`, a sound device for as long, anything else for a quarter of a second. What comes to an end late, because something
  /// else had to end before it, has a moment of its own (`UnansweredFile.leastPatience`). On a stepped clock there is nobody else who
  /// writes files, and they are waited for.
  @discardableResult public func stop() -> [Problem] {
    let begun = Instant(nanoseconds: rt_now_ns())
    let (files, others) = (begun + configuration.filePatience, begun + hapticPatience)
    // All at once, so that what hangs is waited for together.
    haptics.requestStop()
    settingsStore?.requestStop()
    controls.requestStop()
    loader?.requestStop()
    switch driver {
    case .live(let audio):
      for failure in audio.stop(recordingBy: files, decodingBy: others) {
        if failure.kind == .recordingFailed { noticeRecording(failure) } else { fail(failure) }
        hasLeftDeviceMemory = hasLeftDeviceMemory || [.fillNotKept, .leadNotKept].contains(failure.kind)
      }
      noticeOverrun(audio.output.statistics.recorderOverrunFrames)
      note(hasEnded: !audio.hasLeftBehind)
    case .stepped(let audio):
      audio.recording?.finish()
      noticeRecording(audio.recording?.failure)
    }
    note(hasEnded: haptics.stop(pads: others, files: files))
    note(hasEnded: controls.stop(by: others))
    note(hasEnded: loader?.stop(by: others) ?? true)
    hasLeftSettings = settingsStore?.stop(by: files) == false
    note(hasEnded: !hasLeftSettings)
    // Behind all that it is told.
    let moment = Instant(nanoseconds: rt_now_ns()) + .milliseconds(UnansweredFile.leastPatience)
    note(hasEnded: endJournal(by: max(files, moment)))
    // What the last writing came to, of the haptic log and the journal too.
    noticeLasting()
    return takeProblems()
  }

  private func note(hasEnded: Bool) { if !hasEnded { hasLeftBehind = true } }
}
