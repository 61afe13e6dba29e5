// SPDX-License-Identifier: Apache-2.0

import Mixing

extension MusicPlayer {
  /// A request to play.
  struct Request {
    var track: LoadedKey
    /// Who asks for it.
    var cause = Cause.daemon
    var info: TrackInfo
    /// Frames into the track to begin at.
    var position: Int64
    var loops: Bool
    /// The gain that the pack gives the track, and what is asked for on top.
    var ownGain: Float = 1
    var askedGain: Float = 1
    /// Whether a track that sounds already goes on where it is.
    var continues: Bool
    /// Across which it takes over from what sounds.
    var fade: Fade
    /// Across which what sounds goes out, where that is a fade of its own; else by `fade`, which is then one for both.
    var fadeOut: Fade?
    /// Whether it fades in as long where nothing sounds; else it begins as it was made.
    var fadesInAlone = false
    /// How fast it is played, and how high: frames of the track a frame.
    var rate = 1.0
    /// The gains of its stems; nil as its pack has them.
    var stemGains: [Float]?
    /// Whether its pack lets the music stand while the switch for music is off; else it runs on, and its bus is silent.
    var standsWhenOff: Bool

    /// How many frames later it is than asked for.
    var late: Int64 = 0

    /// Where the track stands when it is entered that many frames late; at its end when it would be over.
    func entered(lateBy late: Int64) -> Int64 {
      let frames = rate == 1 ? late : Int64(Double(late) * rate)
      return loops ? info.loop.wrap(position + frames) : min(position + frames, info.frames)
    }
  }
}

extension MusicPlayer.Part {
  /// To play its track anew from another place, as it plays now.
  func request(from position: Int64) -> MusicPlayer.Request {
    MusicPlayer.Request(
      track: track, cause: cause, info: info, position: min(position, info.frames), loops: loops, ownGain: ownGain,
      askedGain: askedGain, continues: false, fade: .none, rate: rate, stemGains: stemGains,
      standsWhenOff: standsWhenOff)
  }
}
