// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// What of the files that were rendered is not as it is meant to be, each read back as it was written.
func inspect(_ folder: URL, _ say: (String) -> Void) throws -> [String] {
  var faults: [String] = []
  for pack in packs {
    var music: [Double] = []
    var effects: [(name: String, loudness: Double)] = []
    func path(_ name: String) -> URL { folder.appending(path: pack.name).appending(path: name + ".wav") }
    for recording in pack.recordings {
      let sound = Stereo(wave: [UInt8](try Data(contentsOf: path(recording.name))))
      let loudness = Loudness(sound)
      let name = "\(pack.name)/\(recording.name)"
      let heard: Double
      var loops = false
      switch recording.kind {
      case .music(let goesOn):
        heard = loudness.integrated
        music.append(heard)
        loops = goesOn
      case .effect:
        heard = loudness.momentary
        effects.append((name, heard))
      case .stem(let track):
        heard = loudness.momentary
        loops = true
        let whole = Stereo(wave: [UInt8](try Data(contentsOf: path(track))))
        guard whole.frames == sound.frames else {
          faults.append("\(name) has \(sound.frames) frames, and its track \(whole.frames)")
          break
        }
        // Both as they are, which no chapter exceeds.
        var sum = whole
        sum.add(sound, gain: 1)
        let peak = sum.truePeak
        say("\(name) with \(track): true peak \(tenths(decibels(peak))) dB")
        if peak > 1 { faults.append("\(name) and its track are too much together") }
      }
      say(
        "\(name): \(tenths(Double(sound.frames) / Double(rate))) s, \(tenths(heard)) LUFS, peak \(tenths(decibels(sound.peak))) dB"
      )
      faults += sound.faults(loops: loops).map { "\(name) \($0)" }
    }
    let quietest = music.min() ?? 0
    if let loudest = music.max(), loudest - quietest > 2 {
      faults.append("\(pack.name): tracks differ by \(tenths(loudest - quietest)) dB")
    }
    // Beside the softest track no effect stands out by more than that it is heard.
    for effect in effects where effect.loudness > quietest + 1 {
      faults.append("\(effect.name) is \(tenths(effect.loudness - quietest)) dB louder than the music")
    }
    // What tells of a mistake never scolds.
    for effect in effects where effect.name.hasSuffix("error") && effect.loudness > quietest {
      faults.append("\(effect.name) is louder than the music")
    }
  }
  return faults
}

extension Stereo {
  fileprivate func faults(loops: Bool) -> [String] {
    var faults: [String] = []
    if peak > ceiling + 0.001 { faults.append("has a sample of \(peak)") }
    for channel in [left, right] {
      guard let first = channel.first, let last = channel.last else { return ["is empty"] }
      let mean = channel.reduce(0) { $0 + Double($1) } / Double(channel.count)
      if abs(mean) > 0.001 { faults.append("has a direct current of \(mean)") }
      if loops {
        let steps = zip(channel, channel.dropFirst()).map { abs($0 - $1) }
        if abs(first - last) > steps.max() ?? 0 { faults.append("has a seam: a step of \(abs(first - last))") }
      } else if abs(last) > 0.001 {
        faults.append("ends at \(last)")
      }
    }
    return faults
  }

  /// The frames of a file that `wave` made.
  fileprivate init(wave bytes: [UInt8]) {
    let values = bytes.dropFirst(44).withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) }
    self.init(frames: values.count / 2)
    for frame in 0..<frames {
      left[frame] = Float(values[2 * frame]) / 32_768
      right[frame] = Float(values[2 * frame + 1]) / 32_768
    }
  }
}

func tenths(_ value: Double) -> String { "\((value * 10).rounded() / 10)" }
