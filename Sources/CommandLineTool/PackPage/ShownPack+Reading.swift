// SPDX-License-Identifier: Apache-2.0

import Engine
import GamePacks
import Glibc
import Haptics
import Problems
import Rhythm
import SoundFiles
import Timing
import Wire

extension ShownPack {
  /// A pack as it was read for an engine of `rate` frames a second; its sound files are decoded once more, to be measured.
  init(_ pack: Catalog.Pack, problems: [Problem], rate: Int) {
    let manifest = pack.manifest
    // A page of many things has smaller pictures, so that it is never large.
    let pictures = manifest.tracks.count + manifest.sounds.count + manifest.patterns.count
    let columns = min(Self.mostColumns, max(Self.leastColumns, Self.allColumns / max(1, pictures)))
    name = manifest.name
    title = manifest.title
    version = manifest.version
    path = pack.path
    tracks = manifest.tracks.sorted { $0.key < $1.key }.map { name, track in
      ShownTrack(name, track, pack.tracks[name], in: pack.path, rate: rate, columns: columns)
    }
    sounds = manifest.sounds.sorted { $0.key < $1.key }.map { name, sound in
      let level = pack.sounds[name] == nil ? nil : SoundShape.of(sound.file, in: pack.path, columns: columns)
      return ShownSound(
        name: name, file: sound.file, lengthUs: pack.sounds[name].map { Interval.frames($0, rate: rate).microseconds },
        gain: sound.gain, bus: sound.bus.rawValue,
        level: level.map { ShownLevel($0, loudness: $0.momentary, gain: sound.gain) })
    }
    patterns = manifest.patterns.sorted { $0.key < $1.key }.map { name, entry in
      let pattern = pack.patterns[name]
      return ShownPattern(
        name: name, file: entry.file, lengthUs: pattern?.duration.microseconds, events: pattern?.eventCount ?? 0,
        envelope: pattern.map { Envelope($0, columns: columns) })
    }
    cues = manifest.cues.sorted { $0.key < $1.key }.map { ShownCue($0.key, $0.value, of: pack, rate: rate) }
    chapters = manifest.chapters.sorted { $0.key < $1.key }.map {
      ShownChapter($0.key, $0.value, pack.beatMaps[$0.key])
    }
    parameters = manifest.parameters.sorted { $0.key < $1.key }.map { name, parameter in
      ShownParameter(name: name, standard: parameter.standard, drives: parameter.targets.map(drivenText))
    }
    self.problems = problems.map { $0.inPack.withoutDaemon.description }
    warnings = pack.warnings.map { $0.inPack.description }
  }

  /// Of a picture.
  static let mostColumns = 160
  static let leastColumns = 24
  /// Of all pictures together.
  static let allColumns = 24_000
}

extension SoundShape {
  /// Nothing where the file cannot be decoded to its end, or is too long.
  fileprivate static func of(_ file: String, in folder: String, columns: Int) -> SoundShape? {
    (try? SoundShape(path: folder + "/" + file, inside: folder, columns: columns)) ?? nil
  }
}

extension ShownLevel {
  init(_ shape: SoundShape, loudness: Double?, gain: Double) {
    let lift = gain > 0 ? 20 * log10(gain) : -Double.infinity
    func tenth(_ value: Double) -> Double? { value.isFinite ? (value * 10).rounded() / 10 : nil }
    self.loudness = loudness.flatMap { tenth($0 + lift) }
    peakDb = shape.peak > 0 ? tenth(20 * log10(Double(shape.peak)) + lift) : nil
    waveform = shape.peaks.map { (min($0, 1) * 1_000).rounded() / 1_000 }
  }
}

extension ShownTrack {
  init(_ name: String, _ track: PackTrack, _ info: TrackInfo?, in folder: String, rate: Int, columns: Int) {
    func microseconds(_ frames: Int64) -> Int64 { Interval.frames(frames, rate: rate).microseconds }
    self.name = name
    file = track.file
    lengthUs = info.map { microseconds($0.frames) }
    loop =
      track.loop == .none
      ? nil : info.map { Span(startUs: microseconds($0.loop.start), endUs: microseconds($0.loop.end)) }
    bpm = track.bpm
    beatsPerBar = track.beatsPerBar
    firstBeatUs = track.firstBeat.microseconds
    gain = track.gain
    markers = track.markers.sorted { ($0.value, $0.key) < ($1.value, $1.key) }.map {
      Mark(name: $0.key, positionUs: $0.value.microseconds)
    }
    stems = track.orderedStems.map { Stem(name: $0.name, gain: $0.stem.gain) }
    let shape = info == nil ? nil : SoundShape.of(track.file, in: folder, columns: columns)
    level = shape.map { ShownLevel($0, loudness: $0.loudness, gain: track.gain) }
  }
}

extension ShownCue {
  init(_ name: String, _ cue: PackCue, of pack: Catalog.Pack, rate: Int) {
    self.name = name
    align = cue.align?.rawValue
    cooldownUs = cue.cooldown.microseconds
    steps = cue.steps.map { ShownStep($0, of: pack, rate: rate) }
  }
}

extension ShownStep {
  init(_ step: PackCue.Step, of pack: Catalog.Pack, rate: Int) {
    atUs = step.at.microseconds
    (lengthUs, goesOn) = (nil, false)
    guard step.isKnown else {
      (kind, text) = (.faulty, "at fault: see the problems")
      return
    }
    text = stepText(CueList.Step(step))
    switch step.action {
    case .sound(let sound):
      kind = .sound
      goesOn = sound.loops
      let frames = sound.sound.names.compactMap { pack.sounds[$0] }.max()
      if !goesOn { lengthUs = frames.map { Self.played(Interval.frames($0, rate: rate), at: sound.pitch.lowerBound) } }
    case .pattern(let pattern):
      kind = .touch
      goesOn = pattern.loops
      let duration = pattern.pattern.names.compactMap { pack.patterns[$0]?.duration }.max()
      if !goesOn { lengthUs = duration.map { Self.played($0, at: pattern.rate) } }
    case .haptic(let haptic):
      kind = .touch
      lengthUs = haptic.duration?.microseconds
    case .music(.play):
      kind = .music
      goesOn = true
    case .music(.stop(let fade)), .music(.gain(_, _, let fade)):
      kind = .music
      lengthUs = fade.microseconds
    case .stop(let stop):
      kind = .stop
      lengthUs = stop.fade.microseconds
    case .parameter(let parameter):
      kind = .parameter
      lengthUs = parameter.over.microseconds
    }
  }

  private static func played(_ length: Interval, at rate: Double) -> Int64 {
    Int64((Double(length.microseconds) / max(rate, 0.01)).rounded())
  }
}

extension ShownChapter {
  init(_ name: String, _ chapter: PackChapter, _ map: BeatMap?) {
    self.name = name
    title = chapter.title
    track = chapter.track
    lengthUs = chapter.rules.length
    windowUs = chapter.rules.window
    lanes = chapter.lanes
    beats = map?.beats.count ?? 0
    self.map = map?.beats.map { ShownBeat(atUs: $0.at, lane: $0.lane ?? 0) }
  }
}

private func drivenText(_ target: PackParameter.Target) -> String {
  let thing =
    switch target.thing {
    case .track(let name): "track \(name)"
    case .stem(let name, let track): "stem \(name) of track \(track)"
    case .sound(let name): "sound \(name)"
    case .bus(let bus): "bus \(bus.rawValue)"
    case .pattern(let name): "pattern \(name)"
    }
  return "\(target.control == .lowPass ? "low-pass" : target.control.rawValue) of \(thing)"
}
