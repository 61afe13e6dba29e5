// SPDX-License-Identifier: Apache-2.0

import Haptics

/// What an audition plays through: a daemon, or this program by itself.
protocol AuditionPlayer: AnyObject {
  /// Becomes readable when there may be something to tell; to be waited for.
  var descriptors: [Int32] { get }
  /// Whether anything can be felt or heard by it.
  var canPlay: Bool { get }
  /// What is to be known of how it is played, one sentence each; what `silence` says is in it.
  var notes: [String] { get }
  var audibility: Audibility { get }
  /// Why nothing of what plays is felt or heard, with the cure; nil where something is.
  var silence: ToolFailure? { get }
  /// Plays a pattern in place of what plays; gives the instant, in microseconds, at which it begins to be felt.
  func start(_ pattern: AuditionedPattern) throws(ToolFailure) -> Int64
  func stop() throws(ToolFailure)
  /// How it has ended, if it has by now.
  func endSoFar() throws(ToolFailure) -> PlayedPattern.End?
  /// When it ends by the clock, in microseconds; nil when `descriptors` tell, or when it repeats.
  var endUs: Int64? { get }
  /// Lets go of everything; what is heard fades out.
  func end()
}

extension AuditionPlayer {
  /// What is said of `reason`, in one place for every way of playing.
  /// `remedy` is what mends that alone.
  func silence(because reason: String, remedy: String? = nil) -> ToolFailure {
    if case .deaf(let deafness) = audibility {
      return ToolFailure(
        "nothing is felt or heard: \(reason), and \(deafness.reason)",
        hint: hint([remedy, deafness.remedy, "plug a pad in, or name a sound device with --sound PCM"]))
    }
    return ToolFailure(
      "nothing is felt or heard: \(reason)",
      hint: hint([remedy, "add --listen to hear it, or plug a pad in; --draw asks for the picture alone"]))
  }

  /// Each on a line of its own.
  private func hint(_ remedies: [String?]) -> String { remedies.compactMap(\.self).joined(separator: "\n") }

  /// Opens what a pattern is heard by, where the manner asks for that.
  func openListener(_ pattern: HapticPattern, _ manner: AuditionManner, isFelt: Bool) -> (HapticListener?, Audibility) {
    guard manner.hearing == .always || (manner.hearing == .whereUnfelt && !isFelt) else { return (nil, .unasked) }
    do throws(Deafness) {
      let listener = try HapticListener(pattern, device: manner.sound, speed: manner.rate)
      return (listener, .heard(listener.note))
    } catch {
      return (nil, .deaf(error))
    }
  }
}

extension ToolFailure {
  /// As notes under a picture: the reason, and the remedy.
  var notes: [String] { [message] + (hint?.split(separator: "\n").map(String.init) ?? []) }
}

struct AuditionedPattern {
  let source: PatternSource
  let document: AHAPDocument
  let pattern: HapticPattern

  init(_ source: PatternSource, _ document: AHAPDocument) {
    self.source = source
    self.document = document
    pattern = HapticPattern(document)
  }

  var title: String { source.title }
}

/// How it is played, as the command line asks for.
struct AuditionManner {
  /// Pattern time per time.
  var rate: Double
  var loops: Bool
  /// The pads, as `--device` names them.
  var pads: String
  /// Why no pad plays it, where that is what was asked for.
  var padlessness: String? { pads == "none" ? "--device none leaves out every pad" : nil }
  /// Whether it is heard: always, never, or where it cannot be felt.
  var hearing: Hearing
  /// The PCM to hear it by.
  var sound: String?

  enum Hearing {
    case always, never, whereUnfelt
  }
}
