// SPDX-License-Identifier: Apache-2.0

import Engine
import Timing
import Wire

/// Serves a line of each kind that a game sends at once, on a clock of its own and unheard, before there is a client.
///
/// What a program does for the first time takes it several times as long: types are laid out, code is read in. A player's first
/// sound would pay for that, planned for frames that are mixed by the time it is handed over.
struct Rehearsal: ~Copyable {
  private let host: Host
  private let pack: Catalog.Pack
  private var router = Router<Host.RequestContext>()

  /// How far the clock goes after each line: some periods, so that what was begun sounds; in all less than the head of a track.
  private static let step = Interval.milliseconds(12)

  /// How many records of it are kept: nobody reads them.
  private static let records = 1_024

  /// With `loaded`, at `rate` frames a second.
  init?(_ loaded: LoadedPack, rate: Int) {
    let catalog = Catalog(packs: [loaded.pack], problems: [])
    var bank = SoundBank(rate: rate)
    for generation in catalog.generations { bank.keep(loaded.sounds, of: generation) }
    var configuration = HostConfiguration()
    configuration.clock = .stepped
    configuration.rate = rate
    configuration.traceRecords = Self.records
    guard let host = try? Host(configuration, catalog, bank) else { return nil }
    // Where a game plays another thread reads files, in no haste.
    host.readsTracks = false
    (self.host, pack) = (host, loaded.pack)
    host.register(on: &router)
  }

  /// Goes through all of it on a thread of its own; nil where `catalog` has no active pack, so that nothing can be asked for.
  static func begin(_ catalog: Catalog, _ bank: SoundBank, rate: Int) -> WorkBeside? {
    guard let loaded = bank.active(of: catalog) else { return nil }
    return WorkBeside(name: "rehearsal") { Rehearsal(loaded, rate: rate)?.run() }
  }

  /// Goes through all of it; gives the replies.
  @discardableResult func run() -> [[UInt8]] {
    host.topics = Set(Topic.allCases)
    defer { host.stop() }
    return requests.map { method, params in
      defer { step() }
      return reply(method, params)
    }
  }

  /// Lets what was asked for begin.
  private func step() {
    guard case .stepped(let audio) = host.driver else { return }
    host.step(to: audio.now + Self.step, audio)
  }

  /// Methods and their params: the first of each kind of thing that the pack has, by name.
  private var requests: [(method: String, params: String)] {
    var requests: [(method: String, params: String)] = []
    if let track = pack.tracks.keys.min() {
      // The second takes over from the first.
      requests += [
        ("music.play", named("track", track)), ("music.play", named("track", track) + ",\"crossfadeUs\":1000"),
      ]
      requests += [("music.pause", ""), ("music.resume", ""), ("music.gain", "\"gain\":0.5,\"fadeUs\":0")]
      requests += [("music.stop", "\"fadeUs\":0")]
    }
    if let sound = pack.sounds.keys.min() { requests += [("sound.play", named("sound", sound)), ("sound.stop", "")] }
    if let cue = pack.manifest.cues.keys.min() { requests.append(("cue.fire", named("cue", cue))) }
    if let pattern = pack.patterns.keys.min() { requests.append(("haptics.play", named("pattern", pattern))) }
    requests += [("haptics.transient", "\"intensity\":1,\"sharpness\":0.5"), ("haptics.stop", "")]
    if let (chapter, map) = pack.beatMaps.min(by: { $0.key < $1.key }) {
      let lane = map.lanes.first.map { "\"lane\":\"\($0)\"" } ?? ""
      requests += [("rhythm.start", named("chapter", chapter)), ("rhythm.tap", lane), ("rhythm.stop", "")]
    }
    return requests
  }

  private func named(_ kind: String, _ name: String) -> String { "\"\(kind)\":\"\(pack.manifest.name):\(name)\"" }

  private func reply(_ method: String, _ params: String) -> [UInt8] {
    let line = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\(method)\",\"params\":{\(params)}}"
    // The daemon's own: clients are numbered from 1.
    let context = Host.RequestContext(cause: Cause(client: ClientID(rawValue: 0)), arrival: host.now)
    defer { _ = host.takeTellings() }
    return router.reply(to: Array(line.utf8), context: context) ?? []
  }
}
