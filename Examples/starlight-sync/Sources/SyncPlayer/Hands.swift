// SPDX-License-Identifier: Apache-2.0

import SyncRules

/// What a person does who sees the scene: one look, some acts. `us` is how long the chapter has been played, by the game's clock,
/// `game` that clock itself. A clumsy one makes the mistakes that bring each help on.
struct Hands {
  private let isClumsy: Bool
  private var chapter: Chapter?
  private var steps = 0
  private var waitUntilUs: Int64 = 0
  private var tapped: Set<Int> = []
  private var isDown = false
  private var finger = Point(x: 0, y: 0)
  private var slider = 0.0

  init(isClumsy: Bool) { self.isClumsy = isClumsy }

  mutating func acts(_ scene: Scene, us: Int64, game: Int64) -> [Act] {
    if scene.chapter != chapter {
      let isClumsy = isClumsy
      self = Hands(isClumsy: isClumsy)
      chapter = scene.chapter
    }
    switch scene {
    case .handshake(let scene): return press(scene, us)
    case .packetRun(let scene): return run(scene, us)
    case .cipher(let scene): return turn(scene, us, game)
    case .firewall(let scene): return tap(scene, game)
    case .blueprint(let scene): return connect(scene, us)
    case .eventHorizon(let scene): return slide(scene, us)
    }
  }

  /// Lets go too early at first.
  private mutating func press(_ scene: Handshake, _ us: Int64) -> [Act] {
    switch steps {
    case 0 where us >= 500_000: return next([.press])
    case 1 where isClumsy && us >= 1_700_000: return next([.release])
    case 1 where !isClumsy: steps = 3
    case 2 where us >= 2_500_000: return next([.press])
    case 3 where scene.completedUs != nil: return next([.release])
    default: break
    }
    return []
  }

  private mutating func next(_ acts: [Act]) -> [Act] {
    steps += 1
    return acts
  }

  /// Stands until it has died often enough to be helped; then jumps over barriers and into hearts.
  private mutating func run(_ scene: PacketRun, _ us: Int64) -> [Act] {
    if isDown, us >= waitUntilUs {
      isDown = false
      return [.release]
    }
    guard !isDown, scene.deadSinceUs == nil, scene.runner.isOnGround, scene.deaths >= 3 || !isClumsy else { return [] }
    let front = scene.rules.runnerX + scene.rules.runnerWidth
    let barrier = scene.course.barriers.first { $0 + scene.rules.barrierWidth > scene.rules.runnerX }.map { $0 - front }
    let heart = scene.course.hearts.first { $0 > front }.map { $0 - front }
    let isNear = barrier.map { $0 < scene.speed * 0.22 } ?? false
    let isHeartNear = heart.map { $0 < scene.speed * 0.18 } ?? false
    guard isNear || isHeartNear else { return [] }
    isDown = true
    steps += 1
    // Every fourth is a glide.
    waitUntilUs = us + (steps.isMultiple(of: 4) && !isNear ? 450_000 : 60_000)
    return [.press]
  }

  /// Unlocks what is wrong three times, turns one wheel twice at once, and one that is right a little and back.
  private mutating func turn(_ scene: Cipher, _ us: Int64, _ game: Int64) -> [Act] {
    guard us >= waitUntilUs, us >= 500_000, scene.completedUs == nil else { return [] }
    func rest(_ acts: [Act]) -> [Act] {
      waitUntilUs = us + 400_000
      return acts
    }
    let wrong = scene.wheels.indices.first { scene.words[$0] != Watcher.answers[$0] }
    if isClumsy, scene.attempts < 3 {
      guard wrong == nil else { return rest([.unlock]) }
      return rest([.turn(wheel: 0, segments: 1.1), .letGo(wheel: 0)])
    }
    if isClumsy, steps == 0 { return next(rest([.turn(wheel: 2, segments: -2.2)])) }
    if steps == 1 { return next(rest([.letGo(wheel: 2)])) }
    if let held = scene.wheels.indices.first(where: { scene.wheels[$0].isHeld }) {
      // In the middle of the right word, or as near as a hand is.
      let right = scene.wheels[held].segments.firstIndex(of: Watcher.answers[held]) ?? 0
      let count = Double(scene.wheels[held].segments.count)
      let way = (Double(right) - scene.wheels[held].position(atUs: game)).remainder(dividingBy: count)
      if abs(way) < 0.2 { return rest([.letGo(wheel: held)]) }
      return [.turn(wheel: held, segments: way < 0 ? -0.13 : 0.13)]
    }
    if let wrong { return [.turn(wheel: wrong, segments: 0.07)] }
    if isClumsy, steps == 2 { return next(rest([.turn(wheel: 1, segments: 0.3), .letGo(wheel: 1)])) }
    return rest([.unlock])
  }

  /// Lets the first five pass and a later one, is late as soon as that is forgiven, and taps where nothing is.
  private mutating func tap(_ scene: Firewall, _ game: Int64) -> [Act] {
    var acts: [Act] = []
    for (beat, noise) in scene.noises.sorted(by: { $0.key < $1.key }) where !tapped.contains(beat) {
      if isClumsy, beat < 5 || beat == 20 { continue }
      let lateUs: Int64 = isClumsy && beat % 7 == 0 ? 200_000 : 0
      guard game >= noise.beatUs + lateUs - 8_000 else { continue }
      tapped.insert(beat)
      acts.append(.tap(noise.lane))
    }
    if isClumsy, scene.run != nil, scene.noises.isEmpty, steps == 0 { return next([.tap(.top)]) }
    return acts
  }

  /// Waits for help, then draws from node to node, once to a wrong one, once lifting in between.
  private mutating func connect(_ scene: Blueprint, _ us: Int64) -> [Act] {
    guard us >= waitUntilUs else { return [] }
    switch scene.state {
    case .waiting:
      guard us >= 500_000 else { return [] }
      waitUntilUs = us + 500_000
      return [.begin]
    case .playing: break
    case .won:
      if steps < 100 {
        steps = 100
        waitUntilUs = us + 1_000_000
        return [.release]
      }
      return [.proceed]
    case .left: return []
    }
    if isClumsy, steps == 0, scene.pulsesSinceUs == nil { return [] }
    if steps == 0 { steps = 1 }
    if scene.snap != nil { tapped.insert(4) }
    guard isDown, scene.finger != nil else {
      if isDown {
        isDown = false
        waitUntilUs = us + 300_000
        return [.release]
      }
      isDown = true
      finger = scene.places[scene.connected - 1]
      return [.touch(finger)]
    }
    if isClumsy, scene.connected == 6, steps == 1 {
      (steps, isDown) = (2, false)
      waitUntilUs = us + 300_000
      return [.release]
    }
    // The wrong one first, and then the right one.
    let isWrong = isClumsy && scene.connected == 4 && scene.snap == nil && !tapped.contains(4)
    let target = scene.places[isWrong ? 9 : scene.connected]
    let (dx, dy) = (target.x - finger.x, target.y - finger.y)
    let way = (dx * dx + dy * dy).squareRoot()
    let part = way > 6 ? 6 / way : 1
    finger = Point(x: finger.x + dx * part, y: finger.y + dy * part)
    return [.drag(finger)]
  }

  /// Half way and back, then all the way.
  private mutating func slide(_ scene: EventHorizon, _ us: Int64) -> [Act] {
    guard us >= 500_000, us >= waitUntilUs, scene.completedUs == nil else { return [] }
    if isClumsy, steps == 0, slider >= 0.5 {
      slider = 0
      waitUntilUs = us + 500_000
      return next([.release])
    }
    slider = min(slider + 0.01, 1)
    return [.slide(to: slider)]
  }
}
