// SPDX-License-Identifier: Apache-2.0

import GamePacks
import Problems
import Timing

/// Packs that come, change and go while the engine runs.
extension Engine {
  /// Has a pack be what was read of it now: what is asked for from here on is of this reading. What was asked for before goes
  /// on as it began, plans and a running chapter included; only parameters, which are everybody's, drive by the new curves.
  @discardableResult
  public mutating func take(_ pack: Catalog.Pack) -> PackGeneration {
    let before = catalog.pack(named: pack.manifest.name)?.manifest.parameters ?? [:]
    let generation = catalog.take(pack)
    if generation.manifest.parameters != before { followParameters(of: generation.name, generation) }
    return generation
  }

  /// Tells of a pack that is left out what is wrong with it now.
  public mutating func leaveOut(_ pack: LeftOutPack, _ problems: [Problem]) { catalog.leaveOut(pack, problems) }

  /// Takes a pack out: its names are known no more. What plays of it goes on as it began.
  public mutating func drop(pack name: String) {
    catalog.drop(name)
    followParameters(of: name, nil)
  }

  /// Whether the parameters of a catalog with `pack` in it have numbers left to drive by.
  public func hasRoom(forParametersOf pack: Catalog.Pack) -> Bool {
    let room = parameters.room(with: pack.manifest, playing: playingPacks)
    return room.families <= configuration.mostFamilies
      && room.weight <= max(PackParameter.mostWeightOfAll, parameters.weight)
  }

  /// Lets go of what is kept of the past though nothing can come of it any more.
  public mutating func forgetPast() { sounds.held.forgetPast(settled: turn.earliestSound) }

  /// Drives by the parameters that a pack has now. What a parameter was set to stays; what is set for later of one that is gone never
  /// comes.
  private mutating func followParameters(of pack: String, _ generation: PackGeneration?) {
    let change = parameters.follow(pack, generation, playing: playingPacks)
    for (key, setting) in change.cancelled {
      shares.give(setting.steps, for: setting.cause)
      cues.partEnded(of: setting.cue, .undone, words(forParameter: key))
    }
    driveAnew(change.targets.sorted())
  }

  /// The names of packs that were taken out and have families yet, of which something plays or is planned.
  private var playingPacks: Set<String> {
    if parameters.families.gone.isEmpty { return [] }
    var playing: Set<String> = []
    forEachHeld { pack, _, _ in playing.insert(pack.name) }
    return playing
  }
}
