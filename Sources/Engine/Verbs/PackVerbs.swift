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
    let before = catalog
    let generation = catalog.take(pack)
    followParameters(since: before)
    return generation
  }

  /// Tells of a pack that is left out what is wrong with it now.
  public mutating func leaveOut(_ pack: LeftOutPack, _ problems: [Problem]) { catalog.leaveOut(pack, problems) }

  /// Takes a pack out: its names are known no more. What plays of it goes on as it began.
  public mutating func drop(pack name: String) {
    let before = catalog
    catalog.drop(name)
    followParameters(since: before)
  }

  /// Whether the parameters of a catalog with `pack` in it have numbers left to drive by.
  public func hasRoom(forParametersOf pack: Catalog.Pack) -> Bool {
    var next = catalog
    next.take(pack)
    let renewed = parameters.renewed(by: next)
    return renewed.familyCount <= configuration.mostFamilies
      && renewed.weight <= max(PackParameter.mostWeightOfAll, parameters.weight)
  }

  /// Lets go of what is kept of the past though nothing can come of it any more.
  public mutating func forgetPast() { sounds.held.forgetPast(settled: turn.earliestSound) }

  /// Drives by the parameters that there are now. What a parameter was set to stays; what is set for later of one that is gone
  /// never comes.
  private mutating func followParameters(since before: Catalog) {
    guard catalog.parameters != before.parameters else { return }
    let renewed = parameters.renewed(by: catalog)
    let gone = Set(parameters.parameters.indices.filter { renewed.number(of: parameters.parameters[$0].key) == nil })
    for (number, setting) in parameters.cancel(where: { number, _ in gone.contains(number) }) {
      shares.give(setting.steps, for: setting.cause)
      cues.partEnded(of: setting.cue, .undone, words(forParameter: number))
    }
    parameters = parameters.renewed(by: catalog)
    driveAnew()
  }
}

extension Catalog {
  /// The parameters of each pack.
  fileprivate var parameters: [String: [String: PackParameter]] {
    Dictionary(uniqueKeysWithValues: generations.map { ($0.name, $0.manifest.parameters) })
  }
}
