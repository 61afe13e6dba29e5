// SPDX-License-Identifier: Apache-2.0

import GamePacks
import Glibc
import ImportedBeats
import JSON
import Rhythm

/// What a call of `starlight pack import` does, file by file; nothing of it is in the pack before `finish`.
struct PackImport {
  struct Manner {
    var target = AudioTarget.flac
    var replaces = false
    /// Added to all times of beats, in microseconds.
    var shift: Int64 = 0
    /// Readable once somebody wants an end.
    var interrupt: Int32 = -1
  }

  /// A file that came into the pack, as it is told.
  struct Imported: Encodable, Equatable {
    /// Where it was.
    var source: String
    /// Where it is in the pack.
    var file: String
    /// `track`, `sound`, `pattern`, `chapter` or `beats`; what it is called, unless it is a beat map without a chapter.
    var kind: String
    var name: String?
    /// Of sound.
    var rate: Int?
    var frames: Int64?
    /// Of beats.
    var beats: Int?
    var notes: [String] = []
  }

  let folder: String
  private let manner: Manner
  private let staging: PackStaging
  private var draft: PackDraft
  private(set) var imported: [Imported] = []
  /// Tracks by what their files were called, without what that ends in.
  private var tracks: [String: TrackOfBeats] = [:]

  private struct TrackOfBeats {
    var name: String
    /// Microseconds, to the millisecond below.
    var length: Int64
  }

  /// For the pack in that folder, which need not be there.
  init(into folder: String, _ manner: Manner, schemas: String?) throws(ToolFailure) {
    self.folder = folder
    self.manner = manner
    draft = try PackDraft(folder: folder, schemas: schemas)
    staging = try PackStaging(for: folder)
  }

  /// Takes in all of them; `tell` hears of each as it is done.
  mutating func take(_ sources: ImportSources, tell: (Imported) -> Void) throws(ToolFailure) {
    let plan = try ImportPlan(sources, manner)
    try checkPlaces(plan.files.map { folder + "/" + $0.destination }, replaces: manner.replaces)
    for file in plan.files {
      let told = try take(file, plan)
      imported += told
      for one in told { tell(one) }
    }
  }

  /// Writes the manifest, and puts all into the pack.
  mutating func finish() throws(ToolFailure) {
    let text = try draft.text(path: folder + "/pack.json")
    try replaceFile(staging.place("pack.json"), with: text)
    try staging.commit()
  }

  private mutating func take(_ file: ImportPlan.File, _ plan: ImportPlan) throws(ToolFailure) -> [Imported] {
    switch file.content {
    case .sound(let foreign): return [try takeSound(file, foreign, plan)]
    case .pattern:
      let place = try copy(file)
      let name = draft.enter(.patterns, file: place, like: file.name, [("file", jsonString(place))])
      return [Imported(source: file.source.path, file: place, kind: "pattern", name: name)]
    case .beats(let beats), .beatMap(let beats, _):
      return try beats.maps.map { map throws(ToolFailure) in try takeBeats(file, beats, map) }
    }
  }

  private func copy(_ file: ImportPlan.File) throws(ToolFailure) -> String {
    try copyFile(file.source.path, to: staging.place(file.destination))
    return file.destination
  }

  private mutating func takeSound(
    _ file: ImportPlan.File, _ foreign: ForeignAudio?, _ plan: ImportPlan
  ) throws(ToolFailure) -> Imported {
    let output = try staging.place(file.destination)
    let sound: ConvertedAudio
    if let foreign {
      sound = try foreign.convert(
        to: manner.target, output, loop: ForeignAudio.loop(of: file.source.path), interrupt: manner.interrupt)
    } else {
      try copyFile(file.source.path, to: output)
      sound = try ForeignAudio.measure(output)
    }
    let isTrack = plan.isTrack(file, seconds: sound.seconds)
    var fields = [("file", jsonString(file.destination))]
    if isTrack, let tempo = plan.tempo(of: file, shift: manner.shift) {
      fields += [("bpm", decimalText(tempo.bpm)), ("firstBeat", decimalText(Double(tempo.firstBeat) / 1e6))]
      if tempo.beatsPerBar != 4 { fields.append(("beatsPerBar", "\(tempo.beatsPerBar)")) }
    }
    if let gain = sound.gain { fields.append(("gain", decimalText(gain))) }
    if !isTrack, file.isVoice { fields.append(("bus", "\"voice\"")) }
    let name = draft.enter(isTrack ? .tracks : .sounds, file: file.destination, like: file.name, fields)
    if isTrack {
      tracks[file.source.stem] = TrackOfBeats(name: name, length: Int64(sound.seconds * 1e3) * 1_000)
    }
    return Imported(
      source: file.source.path, file: file.destination, kind: isTrack ? "track" : "sound", name: name, rate: sound.rate,
      frames: sound.frames, notes: sound.notes)
  }

  private mutating func takeBeats(
    _ file: ImportPlan.File, _ beats: ImportedBeats, _ map: ImportedMap
  ) throws(ToolFailure) -> Imported {
    let place = file.destination(of: map, among: beats)
    let stem = file.audioStem(of: beats)
    var track = tracks[stem]
    if track == nil { track = try ownTrack(stem) }
    let playable = PlayableBeats(map.beats, shift: manner.shift, length: track?.length)
    var told = Imported(source: file.source.path, file: place, kind: "beats", beats: playable.beats.count)
    if let leftOut = playable.leftOut { told.notes.append(leftOut) }
    guard !playable.beats.isEmpty else {
      throw ToolFailure(
        .badFile, file: file.source.path,
        "no beat of \(file.source.path) can be tapped: " + (playable.leftOut ?? "it has none"),
        hint: "look at --shift, and whether the sound is the one of these beats")
    }
    switch file.content {
    // Copied as it is, unless it is not to be as it is.
    case .beatMap where playable.beats == map.beats: _ = try copy(file)
    case .beatMap(_, let bpm): try write(BeatMapText(bpm: bpm, beats: playable.beats, lanes: map.lanes), place)
    default: try write(BeatMapText(bpm: map.tempo?.bpm, beats: playable.beats, lanes: map.lanes), place)
    }
    guard let track else {
      told.notes.append("no track is called like it, so it has no chapter: import its sound with it")
      return told
    }
    let like = file.name + (beats.maps.count > 1 ? "-" + (map.name ?? "") : "")
    let chapter = ChapterOfBeats(track: track.name, length: track.length, file: place, map: map, beats: playable.beats)
    let name = draft.enter(.chapters, file: place, like: like, chapter.fields(title: beats.title ?? file.name))
    (told.kind, told.name) = ("chapter", name)
    return told
  }

  private func write(_ text: BeatMapText, _ place: String) throws(ToolFailure) {
    try replaceFile(staging.place(place), with: Array(text.text.utf8))
  }

  private func ownTrack(_ stem: String) throws(ToolFailure) -> TrackOfBeats? {
    guard let (name, track) = draft.track(stem: stem) else { return nil }
    let sound = try ForeignAudio.measure(folder + "/" + track.file)
    return TrackOfBeats(name: name, length: Int64(sound.seconds * 1e3) * 1_000)
  }
}
