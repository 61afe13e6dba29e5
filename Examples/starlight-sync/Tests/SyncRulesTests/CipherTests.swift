// SPDX-License-Identifier: Apache-2.0

import RulesUnderTest
import SyncRules
import Testing

/// Chapter 3: three wheels of five words.
@Suite struct CipherTests {
  /// A player before the cipher, with the wheels turned to these segments and let go.
  static func player(_ segments: [Int]) -> Player {
    let player = Player(chapter: 3)
    for (index, segment) in segments.enumerated() {
      turn(player, index, to: segment)
    }
    return player
  }

  static func turn(_ player: Player, _ wheel: Int, to segment: Int) {
    let here = cipher(player).wheels[wheel].selection
    _ = player.act(.turn(wheel: wheel, segments: Double(segment - here)), 1)
    _ = player.act(.letGo(wheel: wheel), 1)
  }

  static func cipher(_ player: Player) -> Cipher {
    guard case .cipher(let cipher)? = player.story.scene else { fatalError("not the cipher") }
    return cipher
  }

  static func ticks(_ count: Int, _ us: Int64) -> [String] { Array(repeating: "tick \(us)", count: count) }

  @Test func threeWheelsHaveFiveWordsEachOneRight() {
    let cipher = Self.cipher(Player(chapter: 3))
    #expect(cipher.wheels.count == 3)
    #expect(
      cipher.wheels.map(\.segments) == [
        ["THIS IS", "HERE GOES", "THAT WAS", "IT SEEMS", "YOU ARE"],
        ["CRIMINAL", "MAGICAL", "LOGICAL", "TYPICAL", "CYNICAL"],
        ["BEHAVIOUR", "ADVENTURE", "MOONLIGHT", "DISTANCE", "NONSENSE"],
      ])
  }

  /// As many words as the answer, in capitals like it, and about as long: none stands out.
  @Test func decoysAreOfTheStyleOfTheirAnswer() {
    for wheel in Self.cipher(Player(chapter: 3)).wheels {
      let answer = wheel.segments[0]
      #expect(Set(wheel.segments).count == 5)
      for decoy in wheel.segments.dropFirst() {
        #expect(decoy.allSatisfy { $0 == " " || ("A"..."Z").contains($0) })
        #expect(decoy.split(separator: " ").count == answer.split(separator: " ").count, "\(decoy)")
        #expect(abs(decoy.count - answer.count) <= 2, "\(decoy)")
      }
    }
  }

  @Test func wheelsStartAnywhere() {
    var starts: [Set<Int>] = [[], [], []]
    for seed in 0..<100 {
      let cipher = Self.cipher(Player(chapter: 3, seed: UInt64(seed)))
      for (index, wheel) in cipher.wheels.enumerated() {
        starts[index].insert(wheel.selection)
        #expect(wheel.position(atUs: 0) == Double(wheel.selection))
      }
    }
    #expect(starts == Array(repeating: [0, 1, 2, 3, 4], count: 3))
  }

  @Test func eachBoundaryTicksOnceHoweverQuick() {
    let player = Self.player([0, 0, 0])
    #expect(player.act(.turn(wheel: 0, segments: 0.49), 10) == [])
    #expect(player.act(.turn(wheel: 0, segments: 0.02), 11) == ["tick 11"])
    // Dwelling ticks no more.
    #expect(player.act(.turn(wheel: 0, segments: 0), 12) == [])
    #expect(player.act(.turn(wheel: 0, segments: 0.3), 13) == [])
    #expect(player.act(.turn(wheel: 0, segments: -0.32), 14) == ["tick 14"])
    #expect(player.act(.turn(wheel: 0, segments: 13), 15) == Self.ticks(13, 15))
    #expect(player.act(.turn(wheel: 0, segments: -17), 16) == Self.ticks(17, 16))
  }

  @Test func manySmallMovementsTickAsOftenAsOneLargeOne() {
    for way in [1.0, -1.0] {
      let player = Self.player([0, 0, 0])
      var ticks = 0
      for step in 0..<1000 {
        ticks += player.act(.turn(wheel: 1, segments: way * 0.0173), Int64(step) + 10).count
      }
      // 17.3 segments from the middle of one: the boundaries at a half, 1.5, … 16.5.
      #expect(ticks == 17)
    }
  }

  @Test func wheelsWrapBothWays() {
    let player = Self.player([0, 0, 0])
    _ = player.act(.turn(wheel: 0, segments: -1), 10)
    _ = player.act(.turn(wheel: 1, segments: 6), 10)
    _ = player.act(.turn(wheel: 2, segments: 5), 10)
    #expect(Self.cipher(player).wheels.map(\.selection) == [4, 1, 0])
    #expect(Self.cipher(player).wheels.map { $0.position(atUs: 10) } == [4, 1, 0])
  }

  @Test func whatIsNoMovementOfAFingerDoesNothingOrLittle() {
    let player = Self.player([0, 0, 0])
    #expect(player.act(.turn(wheel: 3, segments: 1), 10) == [])
    #expect(player.act(.turn(wheel: -1, segments: 1), 10) == [])
    #expect(player.act(.turn(wheel: 0, segments: .nan), 10) == [])
    #expect(player.act(.turn(wheel: 0, segments: .infinity), 10) == [])
    #expect(player.act(.letGo(wheel: 7), 10) == [])
    #expect(player.act(.turn(wheel: 0, segments: 1e300), 10) == Self.ticks(25, 10))
    #expect(Self.cipher(player).wheels[0].position(atUs: 10) == 0)
  }

  @Test func settlingOnTheRightSegmentThudsEachTime() {
    let player = Self.player([2, 2, 2])
    #expect(player.act(.turn(wheel: 0, segments: -1.7), 10) == Self.ticks(2, 10))
    #expect(player.act(.letGo(wheel: 0), 11) == ["settle 11"])
    // Nobody holds it any more.
    #expect(player.act(.letGo(wheel: 0), 12) == [])
    #expect(player.act(.turn(wheel: 0, segments: 0.1), 300_000) == [])
    #expect(player.act(.letGo(wheel: 0), 300_001) == ["settle 300001"])
    // Dragged through, and let go on another.
    #expect(player.act(.turn(wheel: 0, segments: 5.6), 600_000) == Self.ticks(6, 600_000))
    #expect(player.act(.letGo(wheel: 0), 600_001) == [])
  }

  @Test func aWheelSettlesInAFifthOfASecond() {
    let player = Self.player([0, 0, 0])
    _ = player.act(.turn(wheel: 0, segments: 1.4), 1_000_000)
    _ = player.act(.letGo(wheel: 0), 1_000_000)
    let wheel = Self.cipher(player).wheels[0]
    #expect(abs(wheel.position(atUs: 1_000_000) - 1.4) < 1e-9)
    #expect(abs(wheel.position(atUs: 1_100_000) - 1.2) < 1e-9)
    #expect(wheel.position(atUs: 1_200_000) == 1)
    #expect(wheel.selection == 1)
  }

  @Test func aWheelThatIsCaughtWhileItSettlesTurnsFromWhereItIs() {
    let player = Self.player([0, 0, 0])
    _ = player.act(.turn(wheel: 0, segments: 1.4), 1_000_000)
    _ = player.act(.letGo(wheel: 0), 1_000_000)
    // Half way back from 1.4 to 1.
    #expect(player.act(.turn(wheel: 0, segments: 0.25), 1_100_000) == [])
    #expect(abs(Self.cipher(player).wheels[0].position(atUs: 1_100_000) - 1.45) < 1e-9)
    #expect(player.act(.turn(wheel: 0, segments: 0.1), 1_150_000) == ["tick 1150000"])
  }

  @Test func unlockingWhatIsRightSolves() {
    let player = Self.player([0, 0, 0])
    #expect(Self.cipher(player).words == ["THIS IS", "CRIMINAL", "BEHAVIOUR"])
    #expect(player.act(.unlock, 5) == ["solve 5", "store 3"])
    #expect(player.act(.unlock, 6) == [])
    #expect(player.act(.turn(wheel: 0, segments: 2), 7) == [])
    #expect(player.pass(2_000_005) == ["start firewall 2000005"])
  }

  @Test func whatIsRightIsSolvedByUnlockingAlone() {
    let player = Self.player([0, 0, 1])
    _ = player.act(.turn(wheel: 2, segments: -1), 1_000_000)
    #expect(player.act(.letGo(wheel: 2), 1_000_001) == ["settle 1000001"])
    #expect(player.pass(600_000_000) == [])
    #expect(player.highest == 2)
  }

  @Test(arguments: [[1, 0, 0], [0, 4, 0], [0, 0, 2]]) func oneWrongWordIsWrong(segments: [Int]) {
    let player = Self.player(segments)
    #expect(player.act(.unlock, 5) == [])
    #expect(Self.cipher(player).attempts == 1)
    #expect(Self.cipher(player).shookUs == 5)
  }

  @Test func attemptsAreKeptWhileWheelsMove() {
    let player = Self.player([1, 0, 0])
    _ = player.act(.unlock, 5)
    _ = player.act(.turn(wheel: 0, segments: 1), 6)
    _ = player.act(.unlock, 7)
    #expect(Self.cipher(player).attempts == 2)
  }

  @Test func matchingIsAFunctionOfWordsAlone() {
    let answers = ["THIS IS", "CRIMINAL", "BEHAVIOUR"]
    #expect(Cipher.isSolved(answers, answers: answers))
    #expect(!Cipher.isSolved(["CRIMINAL", "THIS IS", "BEHAVIOUR"], answers: answers))
    #expect(!Cipher.isSolved(["THIS IS", "CRIMINAL"], answers: answers))
  }

  @Test func afterThreeWrongAttemptsTheRightSegmentGlowsWithinOneOfTheCentre() {
    let player = Self.player([0, 1, 2])
    for attempt in 0..<3 {
      #expect((0..<3).map { Self.cipher(player).glow(ofWheel: $0, atUs: 500_000) } == [0, 0, 0])
      #expect(player.act(.unlock, Int64(attempt) + 5) == [])
    }
    let cipher = Self.cipher(player)
    #expect(cipher.glow(ofWheel: 0, atUs: 500_000) == 0.3)
    #expect(abs(cipher.glow(ofWheel: 1, atUs: 500_000) - 0.15) < 1e-9)
    #expect(cipher.glow(ofWheel: 2, atUs: 500_000) == 0)
    // It follows the wheel, from the other side too, and stays on.
    _ = player.act(.turn(wheel: 2, segments: 2.5), 600_000)
    #expect(abs(Self.cipher(player).glow(ofWheel: 2, atUs: 600_000) - 0.225) < 1e-9)
    _ = player.act(.unlock, 600_001)
    #expect(Self.cipher(player).isHelping)
    #expect(Self.cipher(player).glow(ofWheel: 3, atUs: 600_001) == 0)
  }
}
