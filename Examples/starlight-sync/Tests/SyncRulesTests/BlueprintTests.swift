// SPDX-License-Identifier: Apache-2.0

import RulesUnderTest
import SyncRules
import Testing

/// Chapter 5: twelve nodes on a heart, connected in their order.
@Suite struct BlueprintTests {
  /// In units of the heart, worked out by hand from x = 16 sin^3 t, y = 13 cos t - 5 cos 2t - 2 cos 3t - cos 4t.
  static let heart: [(x: Double, y: Double)] = [
    (0, 5), (2, 9.258330), (10.392305, 11.5), (16, 4), (10.392305, -5.5), (2, -13.258330), (0, -17), (-2, -13.258330),
    (-10.392305, -5.5), (-16, 4), (-10.392305, 11.5), (-2, 9.258330),
  ]

  /// Ten points for each unit, and so much to the right and up.
  static func place(_ node: Int, dx: Double = 0, dy: Double = 0) -> Point {
    Point(x: heart[node].x * 10 + dx, y: heart[node].y * 10 + dy)
  }

  static func blueprint(_ player: Player) -> Blueprint {
    guard case .blueprint(let blueprint)? = player.story.scene else { fatalError("not the blueprint") }
    return blueprint
  }

  /// A player who has pressed BEGIN at 1 s, touched the first node and connected these after it.
  static func player(connected: Int = 1) -> Player {
    let player = Player(chapter: 5)
    _ = player.act(.begin, 1_000_000)
    _ = player.act(.touch(place(0)), 1_000_000)
    for node in 1..<12 where node < connected { _ = player.act(.drag(place(node)), 1_000_000) }
    return player
  }

  @Test func nodesAreOnTheHeart() {
    let places = Self.blueprint(Player(chapter: 5)).places
    #expect(places.count == 12)
    for (node, place) in places.enumerated() {
      #expect(abs(place.x - Self.place(node).x) < 1e-4, "\(node)")
      #expect(abs(place.y - Self.place(node).y) < 1e-4, "\(node)")
    }
  }

  @Test func fourPlacesHaveNames() {
    let landmarks = Self.blueprint(Player(chapter: 5)).rules.landmarks
    #expect(landmarks.map(\.node) == [0, 2, 6, 10])
    #expect(landmarks.map(\.name) == ["Dog", "New Apt", "Coffee", "Paris"])
  }

  @Test func nothingHappensBeforeBEGIN() {
    let player = Player(chapter: 5)
    #expect(player.act(.touch(Self.place(0)), 1) == [])
    #expect(player.act(.drag(Self.place(1)), 2) == [])
    #expect(player.act(.proceed, 3) == [])
    #expect(player.pass(60_000_000) == [])
    let blueprint = Self.blueprint(player)
    #expect(blueprint.connected == 1)
    #expect(blueprint.state == .waiting)
    #expect(blueprint.pulse(atUs: 60_000_000) == nil)
  }

  @Test func draggingFromNodeToNodeConnectsThemAndTheLastSoundsLikeTheOthers() {
    let player = Self.player()
    #expect(Self.blueprint(player).connected == 1)
    for node in 1...11 {
      #expect(player.act(.drag(Self.place(node)), 2_000_000 + Int64(node)) == ["connect \(2_000_000 + node)"])
      #expect(Self.blueprint(player).connected == node + 1)
    }
    #expect(Self.blueprint(player).state == .won)
    #expect(player.highest == 4)
    #expect(player.act(.proceed, 3_000_000) == ["blueprint-left 3000000", "store 5"])
    #expect(player.chapter == 6)
    #expect(player.act(.proceed, 3_000_001) == [])
    #expect(player.highest == 5)
  }

  @Test func whoDoesNotPressCONTINUEIsNotDone() {
    let player = Self.player(connected: 12)
    #expect(Self.blueprint(player).state == .won)
    #expect(player.pass(600_000_000) == [])
    #expect(player.highest == 4)
    #expect(Self.blueprint(player).pulse(atUs: 600_000_000) == nil)
  }

  @Test func aHitIsWithinOneAndAHalfRadii() {
    // 22 points and half as many again: 33 to the right of New Apt.
    let player = Self.player(connected: 2)
    #expect(player.act(.drag(Self.place(2, dx: 33.1)), 2_000_000) == ["connect 2000000"])
    let far = Self.player(connected: 2)
    _ = far.act(.drag(Point(x: 18, y: 160)), 2_000_000)
    _ = far.act(.drag(Point(x: 137, y: 160)), 2_000_001)
    #expect(Self.blueprint(far).connected == 2)
    #expect(far.act(.drag(Self.place(2, dx: 33.1)), 2_000_002) == [])
    #expect(far.act(.drag(Self.place(2, dx: 32.9)), 2_000_003) == ["connect 2000003"])
  }

  @Test func aNodeAsLargeAsAFingerIsTwentyTwoPoints() {
    #expect(Self.blueprint(Player(chapter: 5)).rules.nodeRadius == 22)
  }

  @Test func aWrongNodeIsOneErrorForEachEntryAndCostsNothing() {
    let player = Self.player(connected: 3)
    // From New Apt across to Paris, which is the eleventh.
    #expect(player.act(.drag(Point(x: 0, y: 200)), 2_000_000) == [])
    #expect(player.act(.drag(Self.place(10)), 2_000_001) == ["wrong 2000001"])
    #expect(player.act(.drag(Self.place(10, dx: 5)), 2_000_002) == [])
    #expect(player.act(.drag(Point(x: 0, y: 200)), 2_000_003) == [])
    #expect(player.act(.drag(Self.place(10)), 2_000_004) == ["wrong 2000004"])
    #expect(Self.blueprint(player).connected == 3)
    // Without a lift the right one still connects.
    _ = player.act(.drag(Point(x: 0, y: 200)), 2_000_005)
    _ = player.act(.drag(Point(x: 144, y: 200)), 2_000_006)
    #expect(player.act(.drag(Self.place(3)), 2_000_007) == ["connect 2000007"])
  }

  @Test func aNodeThatIsConnectedAlreadyIsNothing() {
    let player = Self.player(connected: 4)
    #expect(player.act(.drag(Self.place(2)), 2_000_000) == [])
    #expect(player.act(.drag(Self.place(1)), 2_000_001) == [])
    #expect(Self.blueprint(player).connected == 4)
  }

  @Test func aQuickFingerPassesNoNode() {
    let player = Self.player(connected: 3)
    // Down along x = 144 in one movement, past the fourth at 16 points.
    _ = player.act(.drag(Point(x: 144, y: 130)), 2_000_000)
    #expect(player.act(.drag(Point(x: 144, y: -300)), 2_000_001) == ["connect 2000001"])
    #expect(Self.blueprint(player).connected == 4)
  }

  /// Towards Paris, whose circle begins at -70.9: 40 points are looked at ten times, a little more eleven times.
  @Test(arguments: [(-100.0, -72.0), (-100.2, -70.96364)])
  func aWayIsLookedAtEveryFourPoints(end: Double, errorAt: Double) {
    let player = Self.player(connected: 3)
    _ = player.act(.drag(Point(x: 0, y: 200)), 2_000_000)
    _ = player.act(.drag(Point(x: -60, y: 115)), 2_000_001)
    #expect(player.act(.drag(Point(x: end, y: 115)), 2_000_002) == ["wrong 2000002"])
    #expect(abs((Self.blueprint(player).snap?.from.x ?? 0) - errorAt) < 1e-4)
  }

  @Test func placesFarOutsideAreNotOfTheHeart() {
    let player = Self.player(connected: 3)
    _ = player.act(.drag(Point(x: 995, y: 0)), 2_000_000)
    #expect(Self.blueprint(player).lineEnd(atUs: 2_000_000) == Point(x: 995, y: 0))
    _ = player.act(.drag(Point(x: 1005, y: 0)), 2_000_001)
    #expect(Self.blueprint(player).lineEnd(atUs: 2_000_001) == Point(x: 995, y: 0))
  }

  @Test func whereCirclesOverlapTheExpectedNodeIsAskedFirst() {
    // Straight up from the dip, 31.7 points from the second and from the last alike, and 18 from the first.
    let player = Self.player()
    #expect(player.act(.drag(Point(x: 0, y: 68)), 2_000_000) == ["connect 2000000"])
    // From there to the middle of what was connected: the last is in reach, but farther.
    #expect(player.act(.drag(Point(x: 18, y: 92)), 2_000_001) == [])
    #expect(player.act(.drag(Point(x: -18, y: 92)), 2_000_002) == ["wrong 2000002"])
  }

  @Test func liftingCostsNothing() {
    let player = Self.player(connected: 4)
    #expect(player.act(.release, 2_000_000) == [])
    #expect(Self.blueprint(player).connected == 4)
    #expect(Self.blueprint(player).lineEnd(atUs: 2_000_000) == nil)
    // Without a touch nothing is dragged; from another place than the last node nothing is drawn.
    #expect(player.act(.drag(Self.place(4)), 2_000_001) == [])
    _ = player.act(.touch(Point(x: 0, y: 0)), 2_000_002)
    #expect(player.act(.drag(Self.place(4)), 2_000_003) == [])
    #expect(player.act(.drag(Self.place(9)), 2_000_004) == [])
    _ = player.act(.release, 2_000_005)
    _ = player.act(.touch(Self.place(3)), 2_000_006)
    #expect(player.act(.drag(Self.place(4)), 2_000_007) == ["connect 2000007"])
  }

  @Test func theLineFollowsTheFingerAndSnapsBackInAFifthOfASecond() {
    let player = Self.player(connected: 3)
    _ = player.act(.drag(Point(x: 0, y: 200)), 2_000_000)
    #expect(Self.blueprint(player).lineEnd(atUs: 2_000_000) == Point(x: 0, y: 200))
    _ = player.act(.drag(Point(x: -80, y: 120)), 3_000_000)
    #expect(Self.blueprint(player).snap?.sinceUs == 3_000_000)
    let blueprint = Self.blueprint(player)
    let start = blueprint.lineEnd(atUs: 3_000_000)
    let half = blueprint.lineEnd(atUs: 3_100_000)
    #expect(start.map { $0.x < -70 && $0.x > -80 } == true, "\(start as Any)")
    // Half way from there to New Apt at (103.9, 115).
    #expect(half.map { abs($0.x - ((start?.x ?? 0) + 103.92) / 2) < 0.01 } == true, "\(half as Any)")
    #expect(blueprint.lineEnd(atUs: 3_199_999) != nil)
    #expect(blueprint.lineEnd(atUs: 3_200_000) == nil)
  }

  @Test func afterTenSecondsWithoutATouchTheNextNodePulsesUntilTheNext() {
    let player = Player(chapter: 5)
    _ = player.pass(30_000_000)
    _ = player.act(.begin, 40_000_000)
    #expect(player.pass(49_999_999) == [])
    #expect(Self.blueprint(player).pulse(atUs: 49_999_999) == nil)
    // Silent.
    #expect(player.pass(50_000_000) == [])
    let blueprint = Self.blueprint(player)
    for (us, scale, opacity) in [
      (50_000_000 as Int64, 1.0, 0.6), (50_400_000, 1.15, 0.8), (50_800_000, 1.3, 1), (51_200_000, 1.15, 0.8),
      (51_600_000, 1, 0.6), (52_400_000, 1.3, 1),
    ] {
      #expect(abs((blueprint.pulse(atUs: us)?.scale ?? 0) - scale) < 1e-9, "\(us)")
      #expect(abs((blueprint.pulse(atUs: us)?.opacity ?? 0) - opacity) < 1e-9, "\(us)")
    }
    // It connects nothing, and ends with a touch.
    #expect(blueprint.connected == 1)
    _ = player.act(.touch(Point(x: 0, y: 0)), 53_000_000)
    #expect(Self.blueprint(player).pulse(atUs: 53_000_000) == nil)
    _ = player.act(.release, 54_000_000)
    _ = player.pass(63_999_999)
    #expect(Self.blueprint(player).pulse(atUs: 63_999_999) == nil)
    _ = player.pass(64_000_000)
    #expect(Self.blueprint(player).pulse(atUs: 64_000_000) != nil)
  }

  @Test func placesThatAreNoneDoNothing() {
    let player = Self.player(connected: 3)
    for point in [Point(x: .nan, y: 0), Point(x: .infinity, y: 0), Point(x: 0, y: -1e300)] {
      #expect(player.act(.drag(point), 2_000_000) == [])
      #expect(player.act(.touch(point), 2_000_000) == [])
    }
    #expect(Self.blueprint(player).connected == 3)
  }
}
