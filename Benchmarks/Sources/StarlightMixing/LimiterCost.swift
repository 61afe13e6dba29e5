// SPDX-License-Identifier: Apache-2.0

@_spi(Measuring) import Mixing

/// Periods after a change of level until the limiter has settled: it lets go in less than a second.
private let settling = 250
private let pairs = 400

/// What the limiter costs while it reduces, in ns a frame more than idle: one mixer plays the same sources, softly and
/// loudly in turn, and slices are compared with their neighbours. So what the machine does meanwhile hits both alike.
func measureLimiter(_ voices: Int) {
  let sources = makeSources(voices, peak: peak(.limited, voices: voices))
  // All together at most 0.9.
  let soft = 0.9 / (peak(.limited, voices: voices) * Float(voices))
  var mixer = MixerOnBench(sources, gain: soft)
  var differences: [Double] = []
  var idleTimes: [Double] = []
  for pair in 0..<pairs {
    var times = (idle: 0.0, reducing: 0.0)
    // First one, then the other is the earlier.
    for reducing in pair % 2 == 0 ? [false, true] : [true, false] {
      setGain(reducing ? 1 : soft, voices: voices, mixer.controller)
      mixer.render(periods: settling)
      _ = mixer.controller.readStatistics()
      let time = mixer.timeSlice() / Double(slice * period)
      precondition(
        (mixer.controller.readStatistics().limiterGain < 1) == reducing, "the limiter works in its turns only")
      if reducing { times.reducing = time } else { times.idle = time }
    }
    differences.append(times.reducing - times.idle)
    idleTimes.append(times.idle)
  }
  let bounds = medianBounds(differences)
  print(
    "limiter", "\(voices)", text(median(differences)), text(bounds.lowerBound), text(bounds.upperBound),
    text(median(idleTimes)), separator: ",")
}

private func setGain(_ gain: Float, voices: Int, _ controller: MixerController) {
  let sent = controller.submit(
    (0..<voices).map { .gain(VoiceID(rawValue: UInt64($0 + 1)), to: gain, at: 0, fade: .none) })
  precondition(sent, "the mixer takes one gain for every voice")
}
