// SPDX-License-Identifier: Apache-2.0

import GamePacks
import Problems
import Timing
import Wire

extension Engine {
  /// `pack.list`, as `client` asks it.
  public func packList(for client: ClientID) -> PackList.Result {
    PackList.Result(catalog, active: activePack(of: client), rate: configuration.rate)
  }

  /// The folder that a pack was read from.
  public func folder(ofPack name: String) throws(RPCError) -> String {
    try asked { () throws(Refusal) in try catalog.existingPack(name).contents.path }
  }

  /// The folder from which a pack is read again: one that is left out is known by what it calls itself.
  public func folder(ofPackToRead name: String) throws(RPCError) -> String {
    if catalog.pack(named: name) == nil, let leftOut = catalog.leftOut.first(where: { $0.name == name }) {
      return leftOut.path
    }
    return try folder(ofPack: name)
  }

  /// What of the packs could not be loaded.
  public var packProblems: [Problem] { catalog.problems + catalog.packs.flatMap(\.problems) }

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
      cues: manifest.cues.keys.sorted().map(told),
      chapters: manifest.chapters.sorted { $0.key < $1.key }.map { name, chapter in
        PackList.Chapter(
          name: told(name), title: chapter.title, track: told(chapter.track),
          beats: pack.beatMaps[name]?.beats.count ?? 0,
          lanes: chapter.lanes, lengthUs: chapter.rules.length)
      },
      parameters: manifest.parameters.keys.sorted().map(told), problems: pack.problems,
      hides: pack.hides.isEmpty ? nil : pack.hides)
  }
}
