// SPDX-License-Identifier: Apache-2.0

import Glibc
@_spi(Measuring) import Mixing

/// `plain_mix` of Peers/plain.h.
private typealias PlainMix =
  @convention(c) (
    UnsafePointer<UnsafePointer<Float>>, CLong, CLong, Float, Float, UnsafeMutablePointer<Float>
  ) -> Void

private let rounds = 3

/// The time of the mixer in that of the plain kernel, ramped: slice and slice about, in one process and from the same
/// sources, the one half a loop behind the other. So each finds of the sources in the caches what it left there itself
/// when it played alone, and what the machine does meanwhile hits both alike.
func comparePlain(_ voices: Int, library: String, alone: Bool) {
  guard let opened = dlopen(library, RTLD_NOW), let symbol = dlsym(opened, "plain_mix") else {
    print("\(library) is not there or has no plain_mix")
    exit(2)
  }
  let plainMix = unsafeBitCast(symbol, to: PlainMix.self)
  let sources = makeSources(voices, peak: peak(.ramped, voices: voices))
  let pointers = sources.map { $0.address.assumingMemoryBound(to: Float.self) }
  let out = UnsafeMutablePointer<Float>.allocate(capacity: 2 * period)
  var ratios: [Double] = []
  let count = periods / slice
  let step = 1 / Float(periods * period)
  for round in 0..<rounds {
    var mixer = MixerOnBench(sources, fadeIn: Fade(frames: Int32(periods * period)), alone: alone)
    var powers = (mixer: 0.0, plain: 0.0)
    func plainSlice(_ index: Int) -> Double {
      let begin = nanoseconds()
      for number in index * slice..<(index + 1) * slice {
        let place = (number * period + sourceFrames / 2) % sourceFrames
        plainMix(pointers, voices, place, Float(number * period) * step, step, out)
      }
      return nanoseconds() - begin
    }
    for index in 0..<count {
      var times = (mixer: 0.0, plain: 0.0)
      if (index + round) % 2 == 0 {
        times.mixer = mixer.timeSlice()
        times.plain = plainSlice(index)
      } else {
        times.plain = plainSlice(index)
        times.mixer = mixer.timeSlice()
      }
      ratios.append(times.mixer / times.plain)
      guard index >= count - 40 else { continue }
      powers.mixer += mixer.power
      powers.plain += (0..<2 * period).reduce(0.0) { $0 + Double(out[$1]) * Double(out[$1]) }
    }
    precondition(abs((powers.mixer / powers.plain).squareRoot() - 1) < 0.02, "both have to do the same work")
  }
  let bounds = medianBounds(ratios)
  print(
    alone ? "plain-alone" : "plain", "\(voices)", text(median(ratios)), text(bounds.lowerBound),
    text(bounds.upperBound), separator: ",")
}
