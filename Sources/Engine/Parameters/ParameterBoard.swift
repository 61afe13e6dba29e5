// SPDX-License-Identifier: Apache-2.0

import GamePacks
import Haptics
import Mixing
import Timing

/// The parameters of all packs, and all that they drive. What is told ahead can be taken back, so that they are at each instant
/// the fold of what they were set to, whatever order that was asked in.
struct ParameterBoard {
  /// One parameter.
  struct Parameter {
    var key: AssetKey
    var standard: Double
    var course: ParameterCourse
    /// Those that it drives, by number.
    var targets: [Int] = []
    /// Whether something that it drives is heard, and felt.
    var isHeard: Bool
    var isFelt: Bool
  }

  /// What has something of its own to be driven: voices of one name, or players.
  private enum Driven: Hashable {
    case track(AssetKey)
    case stem(AssetKey, String)
    case sound(AssetKey)
    case pattern(AssetKey)
    case bus(PackParameter.Bus)
  }

  private struct Place: Hashable {
    var driven: Driven
    var control: PackParameter.Control
  }

  /// By pack and name.
  private(set) var parameters: [Parameter] = []
  var targets: [ParameterTarget] = []
  private var numbers: [AssetKey: Int] = [:]
  private var places: [Place: Int] = [:]
  private var families: [Driven: Int32] = [:]
  private(set) var patterns: [(key: AssetKey, family: HapticFamilyID)] = []
  /// The output frame that nothing sounds before.
  var firstFrame = Int64.min
  /// Up to when targets have been told.
  var toldUntil = Instant.distantPast
  /// While the steps of a cue are gathered: the targets that are to be driven anew, each from when on. All steps of it together
  /// drive each once.
  var gathered: [Int: Instant]?

  /// How many families of voices are driven.
  var familyCount: Int { families.count }
  /// How many settings are to come.
  var plannedCount: Int { parameters.reduce(0) { $0 + $1.course.settings.count } }
  /// What the parameters of all packs weigh.
  private(set) var weight = 0

  init(_ catalog: Catalog) {
    for pack in catalog.generations { add(pack) }
  }

  /// The same by the parameters of other packs: what each was set to stays, and so do the numbers of families, by which
  /// voices and players are driven that began before. What nothing drives any more is driven back to what it is by itself.
  func renewed(by catalog: Catalog) -> ParameterBoard {
    var board = ParameterBoard()
    (board.families, board.patterns, board.toldUntil) = (families, patterns, toldUntil)
    board.firstFrame = firstFrame
    for pack in catalog.generations { board.add(pack) }
    for index in board.parameters.indices {
      guard let number = number(of: board.parameters[index].key) else { continue }
      board.parameters[index].course.goOn(from: parameters[number].course)
    }
    for (place, number) in board.places {
      board.targets[number].told = places[place].map { targets[$0].told } ?? board.targets[number].neutral
      if let before = places[place] { board.targets[number].joinedFrom = targets[before].joinedFrom }
    }
    for (place, number) in places where board.places[place] == nil && targets[number].isDriven {
      board.places[place] = board.targets.count
      board.targets.append(targets[number])
      board.targets[board.targets.count - 1].drivers = []
    }
    return board
  }

  private init() {}

  private mutating func add(_ pack: PackGeneration) {
    for (name, entry) in pack.manifest.parameters.sorted(by: { $0.key < $1.key }) {
      weight += entry.weight
      let key = pack.key(name)
      var parameter = Parameter(
        key: key, standard: entry.standard, course: ParameterCourse(entry.standard), isHeard: !entry.isFelt,
        isFelt: entry.hasFelt)
      for target in entry.targets {
        let place = Place(driven: Self.driven(target.thing, of: key.pack), control: target.control)
        let number = places[place] ?? targets.count
        if places.updateValue(number, forKey: place) == nil { targets.append(makeTarget(place)) }
        targets[number].drivers.append((parameters.count, target.curve))
        if !parameter.targets.contains(number) { parameter.targets.append(number) }
      }
      numbers[key] = parameters.count
      parameters.append(parameter)
    }
  }

  private static func driven(_ thing: PackParameter.Thing, of pack: String) -> Driven {
    switch thing {
    case .track(let name): .track(AssetKey(pack: pack, name: name))
    case .stem(let name, let track): .stem(AssetKey(pack: pack, name: track), name)
    case .sound(let name): .sound(AssetKey(pack: pack, name: name))
    case .pattern(let name): .pattern(AssetKey(pack: pack, name: name))
    case .bus(let bus): .bus(bus)
    }
  }

  private mutating func makeTarget(_ place: Place) -> ParameterTarget {
    let told: ParameterTarget.Place =
      switch (place.driven, place.control) {
      case (.pattern(let key), let control): .haptics(family(of: key), control == .sharpness ? .sharpness : .intensity)
      case (.bus(let bus), .lowPass): .mixer(bus.buses.map(DrivenTarget.lowPass))
      case (.bus(let bus), _): .mixer(bus.buses.map(DrivenTarget.busGain))
      case (let driven, .pitch): .mixer([.familyPitch(family(of: driven))])
      case (let driven, _): .mixer([.familyGain(family(of: driven))])
      }
    return ParameterTarget(
      place: told, drivers: [], isInOctaves: place.control == .lowPass, isStepped: place.control == .pitch)
  }

  private mutating func family(of driven: Driven) -> Int32 {
    let number = families[driven] ?? Int32(families.count)
    families[driven] = number
    return number
  }

  private mutating func family(of pattern: AssetKey) -> HapticFamilyID {
    if let known = patterns.first(where: { $0.key == pattern }) { return known.family }
    let family = HapticFamilyID(rawValue: patterns.count)
    patterns.append((pattern, family))
    return family
  }

  // MARK: - Asking

  func number(of key: AssetKey) -> Int? { numbers[key] }

  /// The number of the family of what a voice plays, or -1.
  func family(of source: NamedSource) -> Int32 {
    switch source {
    case .track(let key, _): families[.track(key.key)] ?? -1
    case .resident(.sound(let key), _): families[.sound(key.key)] ?? -1
    case .resident: -1
    }
  }

  /// The numbers of the families of a track's stems, each -1 where nothing drives it.
  func families(ofStems stems: [String], of track: AssetKey) -> [Int32] {
    stems.map { families[.stem(track, $0)] ?? -1 }
  }

  /// The earliest setting to come.
  var nextSetting: Instant? { parameters.compactMap { $0.course.settings.first?.at }.min() }

  /// The parameters that settings of a cue are to come of.
  func settings(of cue: PlanID) -> [Int] {
    parameters.indices.flatMap { index in parameters[index].course.settings.filter { $0.cue == cue }.map { _ in index }
    }
  }

  /// Whether any moves, or is to, behind what has been told.
  var isMoving: Bool { parameters.contains { $0.course.isMoving(from: toldUntil) } }

  /// What a target comes to in `start..<end`.
  func pieces(of target: Int, from start: Instant, to end: Instant) -> [ParameterTarget.Piece] {
    targets[target].pieces(of: parameters, from: start, to: end)
  }

  /// The targets that something moves in `start..<end`, in order.
  func movedTargets(from start: Instant, to end: Instant) -> [Int] {
    let moved = parameters.reduce(into: Set<Int>()) { moved, parameter in
      if parameter.course.isMoving(from: start, to: end) { moved.formUnion(parameter.targets) }
    }
    return moved.sorted()
  }

  // MARK: - Setting

  mutating func insert(_ setting: ParameterCourse.Setting, of number: Int) {
    parameters[number].course.insert(setting)
  }

  /// Lets what is due by `now` come; answers it, by instant and order of asking.
  mutating func settle(at now: Instant) -> [(parameter: Int, setting: ParameterCourse.Setting)] {
    var come: [(parameter: Int, setting: ParameterCourse.Setting)] = []
    for index in parameters.indices where parameters[index].course.settings.first.map({ $0.at <= now }) ?? false {
      come += parameters[index].course.settle(at: now).map { (index, $0) }
    }
    return come.sorted { ($0.setting.at, $0.setting.id) < ($1.setting.at, $1.setting.id) }
  }

  /// Drops what `isMeant` picks of what is to come; answers it.
  mutating func cancel(
    where isMeant: (Int, ParameterCourse.Setting) -> Bool
  ) -> [(parameter: Int, setting: ParameterCourse.Setting)] {
    parameters.indices.flatMap { index in
      parameters[index].course.cancel { isMeant(index, $0) }.map { (index, $0) }
    }
  }
}

extension PackParameter.Bus {
  /// What of the mixer it is.
  fileprivate var buses: [Bus] {
    switch self {
    case .music: [.music]
    case .sound: [.sound, .haptic]
    case .voice: [.voice]
    }
  }
}
