// SPDX-License-Identifier: Apache-2.0

import Moments

/// Compares one daemon's recording and haptic log with what ought to be in them: each frame, each microsecond, and nothing else.
/// What was paused is cut out of both, and must be silent; frames that the daemon told as lost are not looked at.
struct Comparison {
  let expected: ExpectedLife
  let life: DaemonLife
  let probes: ProbePack
  let pace: Pace
  /// How much later than decided each sound was heard that was asked for at once.
  private(set) var delaysUs: [Int64] = []
  /// How much began later than told.
  var lateStarts: Int { life.late.starts.count }
  /// Pauses in microseconds since frame 0.
  private let pauses: [(atUs: Int64, movedUs: Int64)]

  init(_ expected: ExpectedLife, _ life: DaemonLife, _ probes: ProbePack, pace: Pace) {
    (self.expected, self.life, self.probes, self.pace) = (expected, life, probes, pace)
    pauses = expected.pauses.map { ($0.atUs - life.zero, $0.movedUs) }
  }

  mutating func faults() throws -> [String] {
    let (all, right) = try life.heard()
    guard all == right else { return ["left and right differ"] }
    let left = life.endUs.map { Array(all.prefix(frame($0 - life.zero))) } ?? all
    let heard = heardFaults(left)
    return pace.isTouchJudged
      ? heard + (try feltFaults(until: unpaused(life.zero + Int64(left.count) * 1_000 / 48))) : heard
  }

  /// An instant of the clock in the time without pauses, since frame 0.
  private func unpaused(_ us: Int64) -> Int64 {
    let us = us - life.zero
    return us - pauses.filter { us > $0.atUs }.reduce(0) { $0 + min($1.movedUs, us - $1.atUs) }
  }

  /// The frame from which the music stands.
  private func standsFrom(_ hold: (offUs: Int64, rampUs: Int64, toUs: Int64)) -> Int {
    frame(unpaused(hold.offUs) + hold.rampUs)
  }

  private func frame(_ us: Int64) -> Int { Int((Double(us) * 0.048).rounded()) }

  private mutating func heardFaults(_ heard: [Float]) -> [String] {
    // A machine that was late to begin a fade of stems is found by the fade itself; then all is to be as with so much of it.
    var late = 0
    for _ in 0..<3 {
      let (faults, later) = heardFaults(heard, stemsLateBy: late)
      guard !faults.isEmpty, later != 0, (1...FoundPlaces.mostLate).contains(late + later) else { return faults }
      late += later
    }
    return heardFaults(heard, stemsLateBy: late).faults
  }

  /// What is wrong with what was heard, and how many frames later yet its stems began to fade, which are taken to be so late.
  private mutating func heardFaults(_ heard: [Float], stemsLateBy stemsLate: Int) -> (faults: [String], stemsLate: Int)
  {
    delaysUs = []
    var left = heard
    var faults: [String] = []
    var cut = 0
    var seams: [Int] = []
    var stands: [(from: Int, count: Int)] = []
    for pause in pauses {
      // It stands half a frame before the first that is not heard. Both that and the beginning of the recording are told in whole
      // microseconds, a twentieth of a frame each: so it is looked for in the middle of what can be meant, and not at its edge.
      let first = Int((Double(pause.atUs) * 0.048 + 0.75).rounded(.down)) - cut
      let length = min(Int(pause.movedUs * 48 / 1_000), left.count - first)
      guard first >= 0, length > 0 else { continue }
      if left[first..<first + length].contains(where: { $0 != 0 }) {
        faults.append("something is heard in the pause at \(pause.atUs) us")
      }
      left.removeSubrange(first..<first + length)
      seams.append(first)
      stands.append((first + cut, length))
      cut += length
    }
    // Where the music stood its own time stood: it is laid out in that, and parted there.
    let holds = expected.holds.map { hold in
      (from: standsFrom(hold), to: min(frame(unpaused(hold.toUs)), left.count))
    }.filter { $0.from < $0.to }
    func musicFrame(_ us: Int64) -> Int {
      let frame = frame(us)
      return frame - holds.reduce(0) { $0 + max(0, min($1.to, frame) - $1.from) }
    }
    let places = FoundPlaces(left, pace)
    var samples = HeardSamples(expected.table, probes, frames: left.count - holds.reduce(0) { $0 + $1.to - $1.from })
    // What the daemon itself says to have been late with is so much later, and nothing else.
    var late = life.late
    func later(_ us: Int64, isTrack: Bool) -> Int {
      late.take(near: frame(us - life.zero), within: pace.unsureFrames, isTrack: isTrack)
    }
    // A late track joins in at its place: its fade begins then, and it comes up in 5 ms.
    let begins = expected.music.map { track in
      let at = frame(unpaused(track.us))
      let place = places.later(probes.marker(track.name), than: at, fadeIn: frame(track.fadeInUs))
      return (at: musicFrame(unpaused(track.us)) + place, later: later(track.us, isTrack: true))
    }
    for (index, track) in expected.music.enumerated() {
      let begin = begins[index]
      let next = index + 1 < begins.count ? begins[index + 1] : nil
      var until = track.untilUs.map { musicFrame(unpaused($0)) }
      if let told = until, let next, abs(next.at - told) <= pace.unsureFrames {
        // What takes over begins where what was there ends.
        until = next.at + next.later
      } else if let told = until, let us = track.untilUs, track.fadeOutUs == 0 {
        until = told + late.cut(at: frame(us - life.zero), within: pace.unsureFrames, ramp: 240)
      }
      samples.add(
        track: track.name, at: begin.at, joiningLateBy: begin.later, fadeIn: frame(track.fadeInUs), until: until,
        fadeOut: frame(track.fadeOutUs), stems: track.stems,
        stemsUntil: track.stemsUntilUs.map { musicFrame(unpaused($0)) + stemsLate }, stemsOut: frame(track.stemsOutUs))
      if begin.later > 0 { samples.ignore(begin.at + begin.later..<begin.at + begin.later + 241) }
    }
    for hold in holds { samples.stand(from: hold.from, to: hold.to) }
    // Down in 20 ms before it stands, up in 20 ms where it goes on, each as much later as it is found to be.
    for hold in expected.holds {
      let (from, on) = (standsFrom(hold), frame(unpaused(hold.toUs)))
      let stands = musicFrame(unpaused(hold.offUs) + hold.rampUs)
      let track = begins.lastIndex { $0.at <= stands }
      func late(_ frames: Int, behind frame: Int, isUp: Bool) -> Int {
        track.map {
          let marker = probes.marker(expected.music[$0].name)
          return places.rampLate(marker, stands - begins[$0].at + frames, at: frame + frames, isUp: isUp)
        } ?? 0
      }
      samples.ramp(frame(unpaused(hold.offUs))..<from + 1)
      samples.ramp(on..<on + 961)
      let (down, up) = (late(0, behind: from, isUp: false), late(961, behind: on, isUp: true))
      if down > 0 { samples.ignore(from..<from + 1 + down) }
      if up > 0 { samples.ignore(on..<on + 961 + up) }
      // What was cut as it stood dies away behind that.
      let isCut = expected.music.contains { track in
        track.fadeOutUs == 0 && track.untilUs.map { abs(frame($0) - frame(hold.offUs + hold.rampUs)) <= 1 } ?? false
      }
      if isCut { samples.ignore(from..<from + 241) }
    }
    // A ramp of 20 ms as soon as can be: in real time within 60 ms all is as it ought to be.
    let ramp = pace.isLive ? 2_880 : 1_010
    for silence in expected.silences {
      let (from, to) = (frame(unpaused(silence.lowerBound)), frame(unpaused(silence.upperBound)))
      samples.silence(from..<max(from, to), ramp: ramp)
    }
    for sound in expected.sounds {
      let at = frame(unpaused(sound.us))
      // A late sound moves whole.
      let late = later(sound.us, isTrack: false)
      let place = late + places.later(probes.marker(sound.name), than: at + late, fadeIn: 0)
      samples.add(sound: sound.name, at: at + place)
      if let decidedUs = sound.decidedUs { delaysUs.append(sound.us + Int64(place) * 1_000 / 48 - decidedUs) }
    }
    if !late.starts.isEmpty { faults.append("\(late.starts.count) began late that nobody asked for: \(late.starts)") }
    // Up again in 5 ms.
    for gap in life.lost {
      // Not of those behind it.
      let cut = stands.filter { $0.from < gap.lowerBound }.reduce(0) { $0 + $1.count }
      samples.ignore(gap.lowerBound - cut..<gap.upperBound - cut + 241)
    }
    // 5 ms down, 5 ms up, and the frame that a pause of no whole number of them cuts in two.
    for seam in seams { samples.fade(seam - 242..<seam + 242) }
    let stemsAreLate = expected.music.enumerated().map { index, track in
      track.stemsUntilUs.map {
        places.stemsLate(
          track, expected.table.tracks[track.name], probes, samples.samples, trackAt: begins[index].at,
          musicFrame(unpaused($0)), over: frame(track.stemsOutUs))
      } ?? 0
    }
    if let wrong = samples.firstDifference(from: left[...]) {
      faults.append(
        "frame \(wrong) without pauses is \(left[wrong]), not \(samples.samples[wrong]): \(wrong / 48) ms after the start"
      )
    }
    return (faults, stemsAreLate.first { $0 != 0 } ?? 0)
  }

  private func feltFaults(until end: Int64) throws -> [String] {
    let felt = try life.felt()
    var faults: [String] = []
    var levels = FeltLevels()
    for touch in expected.touches {
      guard let shape = expected.table.patterns[touch.pattern] else {
        faults.append("the table has no pattern \(touch.pattern)")
        continue
      }
      let until = touch.untilUs == .max ? Int64.max : unpaused(touch.untilUs)
      let driven = touch.driven.map { driven in
        MomentTable.Way(power: driven.power, path: driven.path.map { [Double(unpaused($0.us)) / 1_000_000, $0.value] })
      }
      var from = unpaused(touch.us)
      repeat {
        levels.add(shape, at: from, gain: touch.gain, until: until, fade: touch.fadeUs, driven: driven)
        from += touch.loopUs ?? .max / 2
      } while from < min(until, end)
    }
    var lines: [FeltLevel] = []
    for line in felt {
      let isPaused = pauses.contains { $0.atUs < line.us && line.us < $0.atUs + $0.movedUs }
      if isPaused, line.intensity > 0 { faults.append("\(line.us) us: something is felt in a pause") }
      let isEdge = pauses.contains { abs($0.atUs - line.us) <= 1 || abs($0.atUs + $0.movedUs - line.us) <= 1 }
      guard !isPaused, !isEdge else { continue }
      var moved = line
      moved.us = unpaused(line.us + life.zero)
      lines.append(moved)
    }
    let seams = pauses.map { unpaused($0.atUs + life.zero) }
    return faults + levels.faults(in: lines, until: end, unsure: seams.map { $0 - 1...$0 + 1 }).prefix(8)
  }
}
