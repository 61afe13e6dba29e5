// SPDX-License-Identifier: Apache-2.0

/// Who can be late. A thread that used the processor for at least half of the time was busy; otherwise the system did not let
/// it run.
public enum Culprit: String, Codable, Sendable, CaseIterable {
  /// The client asked for an instant that could not be met any more, or sent its tap long after it.
  case clientAskedLate
  /// The client does not read what is sent to it.
  case clientDoesNotRead
  /// The whole daemon stood still, as when it is stopped or its machine freezes.
  case daemonStoodStill
  /// The control thread was at work, on this or on other things.
  case controlBusy
  /// The control thread was not let run.
  case controlDescheduled
  /// The computing that the line had left to another thread took long.
  case errandsBusy
  /// The track's file was decoded too slowly: its disk, or the thread that decodes.
  case decoding
  /// Rendering took longer than its period.
  case audioBusy
  /// The audio thread was not let run.
  case audioDescheduled
  /// The sound device lost frames by itself, or was lost.
  case soundDevice
  /// A haptic output took long to answer.
  case hapticDevice
  /// The thread of a haptic output was not let run.
  case hapticDescheduled
  /// The thread that sends beats was not let run.
  case beatsDescheduled
  /// Nobody knows: the records of that time are overwritten.
  case unknown
}
