// SPDX-License-Identifier: Apache-2.0

import AudioOutput
import Haptics
import Mixing
import Timing

/// Lets a pattern be heard through a sound device of this program's own.
final class HapticListener {
  private let output: AudioOutput
  private let controller: MixerController
  private let samples: UnsafeMutableBufferPointer<Float>
  private static let rate = 48_000

  /// Opens `device` (nil: the default); throws where nothing can be heard by it, and nothing is kept open then.
  init(_ pattern: HapticPattern, device: String?, speed: Double) throws(Deafness) {
    controller = MixerController(MixerConfiguration(rate: Self.rate))
    output = AudioOutput(
      AudioOutputConfiguration(device: device, rate: Self.rate, locksMemory: false), mixer: controller.mixer)
    let rendered = AudiblePattern.samples(pattern, rate: Self.rate, speed: speed)
    samples = .allocate(capacity: rendered.count)
    _ = samples.initialize(from: rendered)
    guard !rendered.isEmpty else { throw Deafness(reason: "there is nothing in it to be heard") }
    guard (try? output.start()) != nil, output.description.kind == .alsa else { throw Deafness(of: device) }
  }

  deinit {
    output.stop()
    samples.deallocate()
  }

  /// How it is heard, for people.
  var note: String {
    "heard through \(output.description.card ?? output.description.device): intensity as loudness, sharpness as pitch"
  }

  /// Starts at an instant, or as soon as possible; gives the instant at which the first frame is heard.
  func start(at instant: Instant?, loops: Bool) -> Instant {
    let earliest = controller.mixedFrame
    let frame = max(earliest, instant.map { output.timeline.frame(at: $0) } ?? earliest)
    let frames = samples.count / 2
    guard let base = samples.baseAddress else { return output.timeline.instant(ofFrame: frame) }
    let source = ResidentSource(samples: .float(base), frames: frames, loop: loops ? 0..<frames : nil)
    _ = controller.submit([
      .start(VoiceStart(id: VoiceID(rawValue: 1), source: .resident(source), bus: .haptic, at: frame))
    ])
    return output.timeline.instant(ofFrame: frame)
  }

  /// Fades out and waits until that is heard.
  func fadeOut() {
    _ = controller.submit([.stopAll(nil, at: 0, fade: .milliseconds(20, rate: Self.rate))])
    _ = waitReadable([], microseconds: 60_000)
  }
}

/// Why a pattern that was to be heard is not.
struct Deafness: Error, Equatable {
  let reason: String
  /// What to do about that, where it is known.
  var remedy: String?
}

extension Deafness {
  /// Of a device that could not be opened; one that was named is asked for its own reason.
  init(of device: String?) {
    guard let device else {
      self.init(reason: "no sound device can be opened here")
      return
    }
    switch DeviceAttempt.opening(device, seconds: 2) {
    case .failed(let problem): self.init(reason: problem.cause, remedy: problem.remedy)
    case .opened, .blocked, .notTried: self.init(reason: "the sound device \(device) did not answer in time")
    }
  }
}

/// Whether what plays is heard, and how; it stays true of what was played last.
enum Audibility: Equatable {
  /// It was not to be heard.
  case unasked
  /// It is heard: how, for people.
  case heard(String)
  /// It was to be heard, and is not.
  case deaf(Deafness)

  /// What people are told of it; nil where there is nothing to tell.
  var note: String? {
    switch self {
    case .unasked: nil
    case .heard(let note): note
    case .deaf(let deafness): "it is not heard: \(deafness.reason)" + (deafness.remedy.map { "; " + $0 } ?? "")
    }
  }

  var isHeard: Bool { if case .heard = self { true } else { false } }
}
