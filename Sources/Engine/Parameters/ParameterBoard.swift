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
  fileprivate enum Driven: Hashable {
    case heard(ParameterFamilies.Heard, of: String)
    case pattern(AssetKey)
    case bus(PackParameter.Bus)
  }

  fileprivate struct Place: Hashable {
    var driven: Driven
    var control: PackParameter.Control
  }

  /// By number; that of one that is gone is given out again, and so are those of targets.
  private(set) var parameters: [Parameter] = []
  var targets: [ParameterTarget] = []
  /// Where each target is.
  private var placesOfTargets: [Place] = []
  private var numbers: [AssetKey: Int] = [:]
  private var places: [Place: Int] = [:]
  private var vacant: (parameters: [Int], targets: [Int]) = ([], [])
  /// What each pack has.
  private var packs: [String: (parameters: [Int], weight: Int)] = [:]
  /// Those of which a setting is to come, or that moved when targets were told last, and some others: there may be thousands, of
  /// which all but a few stand.
  private var stirring: Set<Int> = []
  /// Targets that nothing drives any more, and where they are.
  private var leftOver: [Place: Int] = [:]
  private(set) var families = ParameterFamilies()
  /// The output frame that nothing sounds before.
  var firstFrame = Int64.min
  /// Up to when targets have been told.
  var toldUntil = Instant.distantPast {
    didSet {
      stirring = stirring.filter { parameters[$0].course.isMoving(from: toldUntil) }
    }
  }
  /// While the steps of a cue are gathered: the targets that are to be driven anew, each from when on. All steps of it together
  /// drive each once.
  var gathered: [Int: Instant]?

  /// How many settings are to come.
  var plannedCount: Int { stirring.reduce(0) { $0 + parameters[$1].course.settings.count } }
  /// What the parameters of all packs weigh.
  private(set) var weight = 0

  init(_ catalog: Catalog) {
    for pack in catalog.generations { _ = add(pack) }
  }

  /// What becomes of parameters as a pack is read anew.
  struct Change {
    /// The targets that it drives, or drove.
    var targets: Set<Int> = []
    /// The settings that were to come of parameters that are gone.
    var cancelled: [(key: AssetKey, setting: ParameterCourse.Setting)] = []
  }

  /// Has a pack's parameters be those of a reading of it, or none: what each was set to stays, and so do families, by which voices and
  /// players are driven that began before. What nothing drives any more is to be driven back to what it is by itself.
  ///
  /// Of the packs that are `playing` families stay, though they were taken out.
  mutating func follow(_ pack: String, _ reading: PackGeneration?, playing: Set<String>) -> Change {
    if reading != nil { families.come(pack) }
    release(playing: playing)
    var change = Change()
    let before = take(pack, &change.targets)
    if let reading {
      change.targets.formUnion(add(reading))
    } else {
      families.go(pack)
    }
    for (key, course) in before {
      if let number = numbers[key] {
        parameters[number].course.goOn(from: course)
        stirring.insert(number)
      } else {
        change.cancelled += course.settings.map { (key, $0) }
      }
    }
    return change
  }

  /// How many families of voices and how much weight there would be with a reading of a pack.
  func room(with reading: PackManifest, playing: Set<String>) -> (families: Int, weight: Int) {
    let others = reading.parameters.values.flatMap { parameter in
      parameter.targets.map { Self.driven($0.thing, of: reading.name) }.filter { driven in
        guard case .heard(let heard, let pack) = driven else { return false }
        return families.number(heard, of: pack) < 0
      }
    }
    let added = reading.parameters.values.reduce(0) { $0 + $1.weight }
    return (
      families.count - families.countReleased(playing: playing.union([reading.name])) + Set(others).count,
      weight - (packs[reading.name]?.weight ?? 0) + added
    )
  }

  /// Takes a pack's parameters out; answers how each was set.
  private mutating func take(_ pack: String, _ touched: inout Set<Int>) -> [(AssetKey, ParameterCourse)] {
    guard let taken = packs.removeValue(forKey: pack) else { return [] }
    weight -= taken.weight
    let gone = Set(taken.parameters)
    let driven = taken.parameters.reduce(into: Set<Int>()) { $0.formUnion(parameters[$1].targets) }
    for target in driven { targets[target].drivers.removeAll { gone.contains($0.parameter) } }
    for target in driven where targets[target].drivers.isEmpty {
      places[placesOfTargets[target]] = nil
      leftOver[placesOfTargets[target]] = target
    }
    touched.formUnion(driven)
    stirring.subtract(gone)
    vacant.parameters += taken.parameters.reversed()
    return taken.parameters.map { number in
      let key = parameters[number].key
      numbers[key] = nil
      parameters[number].targets = []
      return (key, parameters[number].course)
    }
  }

  /// Targets that stand where nothing drives them are known no more, nor those whose families are let go of.
  private mutating func release(playing: Set<String>) {
    let gone = families.gone.subtracting(playing)
    families.release(playing: playing)
    let forgotten = leftOver.filter { place, target in
      !targets[target].isDriven || place.driven.pack.map(gone.contains) ?? false
    }
    for place in forgotten.keys { leftOver[place] = nil }
    vacant.targets = (vacant.targets + forgotten.values).sorted(by: >)
  }

  /// Takes in the parameters of a pack that has none here; answers the targets that they drive.
  private mutating func add(_ pack: PackGeneration) -> Set<Int> {
    var (added, touched): ([Int], Set<Int>) = ([], [])
    var weight = 0
    for (name, entry) in pack.manifest.parameters.sorted(by: { $0.key < $1.key }) {
      weight += entry.weight
      let key = pack.key(name)
      let parameter = Parameter(
        key: key, standard: entry.standard, course: ParameterCourse(entry.standard), isHeard: !entry.isFelt,
        isFelt: entry.hasFelt)
      let number = vacant.parameters.popLast() ?? parameters.count
      if number < parameters.count { parameters[number] = parameter } else { parameters.append(parameter) }
      for target in entry.targets {
        let driven = self.target(at: Place(driven: Self.driven(target.thing, of: key.pack), control: target.control))
        targets[driven].drivers.append((number, target.curve))
        if !parameters[number].targets.contains(driven) { parameters[number].targets.append(driven) }
        touched.insert(driven)
      }
      numbers[key] = number
      added.append(number)
    }
    if !added.isEmpty { packs[pack.name] = (added, weight) }
    self.weight += weight
    return touched
  }

  /// The number of a target, a new one where there is none.
  private mutating func target(at place: Place) -> Int {
    if let known = places[place] { return known }
    let number: Int
    if let left = leftOver.removeValue(forKey: place) {
      number = left
    } else {
      let target = makeTarget(place)
      number = vacant.targets.popLast() ?? targets.count
      if number < targets.count {
        (targets[number], placesOfTargets[number]) = (target, place)
      } else {
        targets.append(target)
        placesOfTargets.append(place)
      }
    }
    places[place] = number
    return number
  }

  private static func driven(_ thing: PackParameter.Thing, of pack: String) -> Driven {
    switch thing {
    case .track(let name): .heard(.track(name), of: pack)
    case .stem(let name, let track): .heard(.stem(name, of: track), of: pack)
    case .sound(let name): .heard(.sound(name), of: pack)
    case .pattern(let name): .pattern(AssetKey(pack: pack, name: name))
    case .bus(let bus): .bus(bus)
    }
  }

  private mutating func makeTarget(_ place: Place) -> ParameterTarget {
    let told: ParameterTarget.Place =
      switch (place.driven, place.control) {
      case (.pattern(let key), let control):
        .haptics(families.players(of: key), control == .sharpness ? .sharpness : .intensity)
      case (.bus(let bus), .lowPass): .mixer(bus.buses.map(DrivenTarget.lowPass))
      case (.bus(let bus), _): .mixer(bus.buses.map(DrivenTarget.busGain))
      case (.heard(let heard, let pack), .pitch): .mixer([.familyPitch(families.voices(heard, of: pack))])
      case (.heard(let heard, let pack), _): .mixer([.familyGain(families.voices(heard, of: pack))])
      }
    var target = ParameterTarget(
      place: told, drivers: [], isInOctaves: place.control == .lowPass, isStepped: place.control == .pitch)
    target.told = target.neutral
    return target
  }

  // MARK: - Asking

  func number(of key: AssetKey) -> Int? { numbers[key] }

  /// The number of the family of what a voice plays, or -1.
  func family(of source: NamedSource) -> Int32 {
    switch source {
    case .track(let key, _): families.number(.track(key.name), of: key.generation.name)
    case .resident(.sound(let key), _): families.number(.sound(key.name), of: key.generation.name)
    case .resident: -1
    }
  }

  /// The numbers of the families of a track's stems, each -1 where nothing drives it.
  func families(ofStems stems: [String], of track: AssetKey) -> [Int32] {
    stems.map { families.number(.stem($0, of: track.name), of: track.pack) }
  }

  /// The parameters that settings are to come of, in order.
  var planned: [Int] { stirring.filter { !parameters[$0].course.settings.isEmpty }.sorted() }

  /// Whether no setting is to come and none moves. Cheap, for it is asked at each turn.
  var isAtRest: Bool { stirring.isEmpty }

  /// The earliest setting to come.
  var nextSetting: Instant? { stirring.lazy.compactMap { parameters[$0].course.settings.first?.at }.min() }

  /// The parameters that settings of a cue are to come of.
  func settings(of cue: PlanID) -> [Int] {
    planned.flatMap { index in parameters[index].course.settings.filter { $0.cue == cue }.map { _ in index } }
  }

  /// Whether any moves, or is to, behind what has been told.
  var isMoving: Bool { stirring.contains { parameters[$0].course.isMoving(from: toldUntil) } }

  /// What a target comes to in `start..<end`.
  func pieces(of target: Int, from start: Instant, to end: Instant) -> [ParameterTarget.Piece] {
    targets[target].pieces(of: parameters, from: start, to: end)
  }

  /// The targets that something moves in `start..<end`, behind what has been told, in order.
  func movedTargets(from start: Instant, to end: Instant) -> [Int] {
    let moved = stirring.reduce(into: Set<Int>()) { moved, number in
      let parameter = parameters[number]
      if parameter.course.isMoving(from: start, to: end) { moved.formUnion(parameter.targets) }
    }
    return moved.sorted()
  }

  // MARK: - Setting

  mutating func insert(_ setting: ParameterCourse.Setting, of number: Int) {
    parameters[number].course.insert(setting)
    stirring.insert(number)
  }

  /// Lets what is due by `now` come; answers it, by instant and order of asking.
  mutating func settle(at now: Instant) -> [(parameter: Int, setting: ParameterCourse.Setting)] {
    var come: [(parameter: Int, setting: ParameterCourse.Setting)] = []
    for index in planned where parameters[index].course.settings.first.map({ $0.at <= now }) ?? false {
      come += parameters[index].course.settle(at: now).map { (index, $0) }
    }
    return come.sorted { ($0.setting.at, $0.setting.id) < ($1.setting.at, $1.setting.id) }
  }

  /// Drops what `isMeant` picks of what is to come; answers it.
  mutating func cancel(
    where isMeant: (Int, ParameterCourse.Setting) -> Bool
  ) -> [(parameter: Int, setting: ParameterCourse.Setting)] {
    planned.flatMap { index in
      parameters[index].course.cancel { isMeant(index, $0) }.map { (index, $0) }
    }
  }
}

extension ParameterBoard.Driven {
  /// The pack that it is of.
  fileprivate var pack: String? {
    switch self {
    case .heard(_, let pack): pack
    case .pattern(let key): key.pack
    case .bus: nil
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
