import Mixing
import Timing

extension Engine {
  /// The fade of everything that sounds when the daemon ends.
  public static let shutdownFade = Interval.milliseconds(50)

  /// Fades all sound and ends all haptics; the instant by which it is silent.
  public mutating func shutDown(_ output: OutputState) -> Instant {
    plans.removeAll { _ in true }
    chapter = nil
    haptics.audio.sounds = []
    let fade = Fade(frames: Int32(Self.shutdownFade.frames(rate: configuration.rate)), law: .linear)
    perform([.command(.stopAll(nil, at: output.reachableFrame, fade: fade))])
    command(.stopAll(at: output.now))
    return output.earliestSound + Self.shutdownFade
  }
}
