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

  /// Opens `device` (nil: the default); nil when there is none to hear anything by, and nothing is kept open then.
  init?(_ pattern: HapticPattern, device: String?, speed: Double) {
    controller = MixerController(MixerConfiguration(rate: Self.rate))
    output = AudioOutput(
      AudioOutputConfiguration(device: device, rate: Self.rate, locksMemory: false), mixer: controller.mixer)
    let rendered = AudiblePattern.samples(pattern, rate: Self.rate, speed: speed)
    samples = .allocate(capacity: rendered.count)
    _ = samples.initialize(from: rendered)
    guard !rendered.isEmpty, (try? output.start()) != nil, output.description.kind == .alsa else { return nil }
  }

  deinit {
    output.stop()
    samples.deallocate()
  }

  /// How it is heard, for people.
  var note: String {
    "heard through \(output.description.card ?? output.description.device): intensity as loudness, sharpness as pitch"
  }

  /// Said where it was to be heard and cannot be.
  static let absence = "no sound device can be opened here, so it is not heard either"

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
