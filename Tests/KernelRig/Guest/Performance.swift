// SPDX-License-Identifier: Apache-2.0

import StarlightClient
import Wire

/// Something to be played at a time.
enum Part {
  case music(String, crossfadeUs: Int64 = 0)
  case sound(String)
  case cue(String)

  /// Asks for it, as soon as possible where no instant is given; answers the instant announced.
  func play(on connection: StarlightConnection, at instantUs: Int64?) throws -> Int64 {
    switch self {
    case .music(let track, let crossfadeUs):
      let params = MusicPlay.Params(track: track, atUs: instantUs, crossfadeUs: crossfadeUs)
      return try connection.call(MusicPlay.self, params).scheduledUs
    case .sound(let name):
      return try connection.call(SoundPlay.self, SoundPlay.Params(sound: name, atUs: instantUs)).scheduledUs
    case .cue(let name):
      let told = try connection.call(CueFire.self, CueFire.Params(cue: name, atUs: instantUs))
      guard let soundUs = told.soundAtUs else { throw RigFailure("a cue that is not heard: \(told.skipped)") }
      return soundUs
    }
  }

  /// Frames from its beginning to the first that differs from what was: a fade begins at nothing.
  var onset: Int {
    if case .music(_, let crossfadeUs) = self, crossfadeUs > 0 { 1 } else { 0 }
  }
}

/// What is played, in order, each part at a time after the performance's zero.
struct Performance {
  var parts: [(atUs: Int64, part: Part)]

  /// Two tracks, a cross-fade, and sounds before, in and after it: 2.2 s.
  static let piece = Performance(parts: [
    (0, .music("night")), (400_000, .sound("tick")), (700_000, .sound("tock")),
    (1_000_000, .music("day", crossfadeUs: 500_000)), (1_250_000, .sound("tick")), (1_800_000, .sound("tock")),
  ])

  /// Asks a live daemon for all of it; answers the instants announced.
  func play(on daemon: Daemon, zeroUs: Int64) throws -> [Int64] {
    try parts.map { try $0.part.play(on: daemon.connection, at: zeroUs + $0.atUs) }
  }

  /// At which frames the parts began in a recording of a live run whose frame `start` is the first of the rendering:
  /// each is the first that differs from the rendering of those before. A sound's own end is waited for, so that one
  /// rendering finds all parts up to the next music. `isCompared` leaves out what was lost; a part that began in there
  /// differs from the first frame on that is compared, and is looked for.
  func frames(
    in live: Sound, from start: Int, length: Int, by renderer: OfflineRenderer, isCompared: (Int) -> Bool
  ) throws -> [Int] {
    var frames: [Int] = []
    while frames.count < parts.count {
      let silence = Sound(frames: Array(repeating: 0, count: length))
      let rendered = frames.isEmpty ? silence : try renderer.render(self, frames, length: length)
      let end = min(length, rendered.frames.count)
      var from = (frames.last ?? -1) + 1
      if let last = frames.indices.last, case .sound = parts[last].part { from += RigPack.effectFrames - 1 }
      while frames.count < parts.count {
        let found = (from..<max(from, end)).first { frame in
          isCompared(frame) && live.frames[start + frame] != rendered.frames[frame]
        }
        guard let found else { return frames }
        let part = parts[frames.count].part
        if found == 0 || isCompared(found - 1) {
          frames.append(found - part.onset)
        } else {
          frames.append(try lost(before: found, after: frames, in: live, from: start, by: renderer, isCompared))
        }
        guard case .sound = part, let last = frames.last else { break }
        from = last + RigPack.effectFrames
      }
    }
    return frames
  }

  /// At which of the frames that were lost just before `found` the part after those at `frames` began: where its
  /// rendering is the recording. The nearest to where it was asked for goes first; `found` where none is.
  private func lost(
    before found: Int, after frames: [Int], in live: Sound, from start: Int, by renderer: OfflineRenderer,
    _ isCompared: (Int) -> Bool
  ) throws -> Int {
    guard let previous = frames.last else { return found }
    var hole = found
    while hole > previous + 1, !isCompared(hole - 1) { hole -= 1 }
    let afterUs = parts[frames.count].atUs - parts[frames.count - 1].atUs
    let asked = previous + Int(afterUs) * RigPack.rate / 1_000_000
    let told = (found..<min(found + Self.toldBy, live.frames.count - start)).filter(isCompared)
    for frame in (hole...found).sorted(by: { abs($0 - asked) < abs($1 - asked) }).prefix(Self.tried) {
      let rendered = try renderer.render(self, frames + [frame], length: found + Self.toldBy)
      let isSame = { (at: Int) in at < rendered.frames.count && rendered.frames[at] == live.frames[start + at] }
      if told.allSatisfy(isSame) { return frame }
    }
    return found
  }

  /// Frames of noise, which are those of one place only.
  private static let toldBy = 64
  /// Two milliseconds around where it was asked for: more than a timeline moves against its clock from part to part.
  private static let tried = 192
}
