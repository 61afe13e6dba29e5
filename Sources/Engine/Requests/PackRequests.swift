// SPDX-License-Identifier: Apache-2.0

import GamePacks
import JSON
import Problems
import Timing
import Wire

extension Engine {
  /// `pack.list`, as `client` asks it.
  public func packList(_ params: PackList.Params, for client: ClientID) throws(RPCError) -> PackList.Result {
    let packs = catalog.generations
    var place = packs.startIndex
    if let after = params.after {
      guard let last = packs.firstIndex(where: { $0.name == after }) else {
        throw RPCError(
          .unknownName, "no pack \(excerpt(after))", hint: "begin with the first, without \(field: "after")")
      }
      place = last + 1
    }
    var bytes = 0
    let end = packs[place...].firstIndex { pack in
      bytes += pack.manifest.listedBytes
      return bytes > PackManifest.mostListedBytes
    }
    // One fits at least: a manifest of more is refused.
    let page = packs[place..<max(end ?? packs.endIndex, min(place + 1, packs.endIndex))]
    return PackList.Result(
      active: activePack(of: client), packs: page.map { PackList.Pack($0.contents, rate: configuration.rate) },
      problems: place == packs.startIndex ? Self.told(catalog.problems) : [],
      more: page.endIndex < packs.endIndex ? true : nil)
  }

  /// How many problems of a pack, and of what is no pack, are told.
  private static let mostProblems = 16
  /// How many of all packs.
  private static let mostProblemsOfAll = 64

  /// Of many problems the first, and how many there are besides.
  static func told(_ problems: [Problem], most: Int = mostProblems) -> [Problem] { told([problems], most: most) }

  /// The same of several lists, of which no more is looked at than is told.
  private static func told(_ lists: [[Problem]], most: Int) -> [Problem] {
    let first = Array(lists.joined().prefix(most + 1))
    guard first.count > most else { return first }
    let left = first[most]
    return first.dropLast()
      + [
        Problem(
          left.kind, "\(lists.reduce(0) { $0 + $1.count } - most) more problems are not listed",
          remedy: "mend these first; `starlight pack check` tells all of a pack", where: .init(file: left.where.file))
      ]
  }

  /// The folder that a pack was read from.
  public func folder(ofPack name: String) throws(RPCError) -> String {
    try asked { () throws(VerbRefusal) in try catalog.existingPack(name).contents.path }
  }

  /// The folder from which a pack is read again: one that is left out is known by what it calls itself.
  public func folder(ofPackToRead name: String) throws(RPCError) -> String {
    if catalog.pack(named: name) == nil, let leftOut = catalog.leftOut.first(where: { $0.name == name }) {
      return leftOut.path
    }
    return try folder(ofPack: name)
  }

  /// What of the packs could not be loaded.
  public var packProblems: [Problem] {
    let all = [catalog.problems] + catalog.generations.map(\.contents.problems)
    return Self.told(all, most: Self.mostProblemsOfAll)
  }

}

extension PackList.Result {
  /// What of packs was loaded for an engine of `rate` frames a second, and what could not be.
  public init(_ catalog: Catalog, active: String?, rate: Int) {
    self.init(active: active, packs: catalog.packs.map { PackList.Pack($0, rate: rate) }, problems: catalog.problems)
  }
}

extension PackList.Pack {
  fileprivate init(_ pack: Catalog.Pack, rate: Int) {
    let manifest = pack.manifest
    func length(_ frames: Int64?) -> Int64 { Interval.frames(frames ?? 0, rate: rate).microseconds }
    func told(_ name: String) -> String { AssetKey(pack: manifest.name, name: name).description }
    self.init(
      name: manifest.name, title: manifest.title, path: pack.path,
      tracks: manifest.tracks.sorted { $0.key < $1.key }.map { name, track in
        PackList.Track(
          name: told(name), durationUs: length(pack.tracks[name]?.frames), bpm: track.bpm,
          loops: track.loop != PackTrack.Loop.none, available: pack.tracks[name] != nil,
          markers: track.markers.sorted { ($0.value, $0.key) < ($1.value, $1.key) }.map { marker, at in
            PackList.Marker(name: marker, positionUs: at.microseconds)
          }, stems: track.orderedStems.map(\.name))
      },
      sounds: manifest.sounds.keys.sorted().map { name in
        PackList.Sound(name: told(name), durationUs: length(pack.sounds[name]), available: pack.sounds[name] != nil)
      },
      patterns: manifest.patterns.keys.sorted().map { name in
        let pattern = pack.patterns[name]
        return PackList.Pattern(
          name: told(name), durationUs: pattern?.duration.microseconds ?? 0, events: pattern?.eventCount ?? 0,
          available: pattern != nil)
      },
      cues: manifest.cueNames.map(told),
      chapters: manifest.chapters.sorted { $0.key < $1.key }.map { name, chapter in
        PackList.Chapter(
          name: told(name), title: chapter.title, track: told(chapter.track),
          beats: pack.beatMaps[name]?.beats.count ?? 0,
          lanes: chapter.lanes, lengthUs: chapter.rules.length)
      },
      parameters: manifest.parameters.keys.sorted().map(told), problems: Engine.told(pack.problems),
      hides: pack.hides.isEmpty ? nil : pack.hides)
  }
}
