// SPDX-License-Identifier: Apache-2.0

import Engine
import Mixing
import Timing
import Wire

/// Who pauses the engine, and the engine's time that comes of it.
///
/// The engine itself knows nothing of pauses: its instants and its frames stand still with it. Here the output's frames
/// become the engine's, which leave out those that were stood through.
struct EnginePausing {
  /// Each client that pauses it.
  private var clients: Set<ClientID> = []
  /// Whether it is held for the system's sleep, and whether that is over and the front end is waited for.
  private var sleep = Sleep.none
  /// The engine's time.
  private(set) var clock = EngineClock()
  /// Frames of the output that pauses took which are over.
  private(set) var stood: Int64 = 0
  private var standing: Standing?
  /// The engine's frame before which it stood last.
  private(set) var lastFrame: Int64 = 0

  private enum Sleep {
    case none, held, over
  }

  /// A pause that lasts.
  private struct Standing {
    /// The engine's frame before which it stands.
    var frame: Int64
    /// When that would have been heard, on the clock.
    var heardAt: Instant
    /// The engine's timeline as measured then: it stands as well.
    var timeline: AudioTimeline
  }

  /// Pauses that clients may have under way at once.
  static let mostUnderWay = 4

  /// Whether somebody wants it paused.
  var isWanted: Bool { !clients.isEmpty || sleep != .none }

  func isHeld(by client: ClientID) -> Bool { clients.contains(client) }

  /// As clients read it; nil while it runs.
  var state: PauseState? {
    clock.lasting.map {
      PauseState(atUs: $0.stoppedAt.microseconds, clients: clients.count, sleep: sleep != .none)
    }
  }

  /// Which of the engine's frames is heard at which of its instants.
  func timeline(_ output: AudioTimeline) -> AudioTimeline {
    if let standing { return standing.timeline }
    return AudioTimeline(
      frame: output.frame - stood, instant: output.instant - clock.moved,
      nanosecondsPerFrame: output.nanosecondsPerFrame, errorBound: output.errorBound)
  }

  /// The first of the engine's frames that can still be reached, of which `frame` would be, were it to go on: while it stands the
  /// mixer, which has mixed up to `mixed`, passes none behind those that it looks ahead. Told too late it may have: then it stands further on.
  func reachable(_ frame: Int64, mixed: Int64, lookahead: Int) -> Int64 {
    guard let standing else { return frame }
    let last = standing.frame + Int64(lookahead)
    return mixed <= last ? min(frame, last) : frame
  }

  // MARK: - Holders

  mutating func take(by client: ClientID) { clients.insert(client) }

  /// Whether that client held it.
  mutating func letGo(by client: ClientID) -> Bool { clients.remove(client) != nil }

  mutating func takeForSleep() { sleep = .held }

  /// The system is awake: it is held until `letGoOfSleep`.
  mutating func wakeUp() { if sleep == .held { sleep = .over } }

  /// Whether it was held for a sleep that is over.
  mutating func letGoOfSleep() -> Bool {
    guard sleep == .over else { return false }
    sleep = .none
    return true
  }

  // MARK: - Time

  /// Lets the engine stand as soon as what sounds can fade out and devices can be told; the frame before which it does.
  ///
  /// It stands half a frame before that frame is heard, so that an instant and the frame nearest to it lie on one side.
  mutating func stand(_ turn: Turn, rate: Int) -> Int64 {
    let felt = turn.timeline.frame(at: turn.earliestHaptic) + 1
    let fadeOut = Int64(Fade.declick(rate: rate).frames)
    // The mixer begins to fade out once it has gone on from where it stood last, or is to stand first.
    let frame = max(turn.reachableFrame + fadeOut, felt, lastFrame + fadeOut)
    lastFrame = frame
    let heardAt = turn.timeline.instant(ofFrame: frame)
    standing = Standing(frame: frame, heardAt: clock.told(heardAt), timeline: turn.timeline)
    let half = Interval(nanoseconds: 500_000_000 / Int64(rate))
    clock.hold(at: (heardAt - half).roundedUpToMicrosecond)
    return frame
  }

  /// Lets it go on with the first frame of the output at or after `earliest` that leaves a whole number of microseconds
  /// between; how many frames will have been stood through then in all, nil where it does not stand.
  mutating func goOn(notBefore earliest: Int64, _ output: AudioTimeline, rate: Int) -> Int64? {
    guard let standing else { return nil }
    let step = Int64(rate / greatestCommonDivisor(rate, 1_000_000))
    let first = standing.frame + stood
    let frames = (max(earliest - first, 0) + step - 1) / step * step
    let length = output.instant(ofFrame: first + frames) - standing.heardAt
    clock.release(after: .microseconds((length + Interval(nanoseconds: 500)).microseconds))
    stood += frames
    self.standing = nil
    return stood
  }
}
