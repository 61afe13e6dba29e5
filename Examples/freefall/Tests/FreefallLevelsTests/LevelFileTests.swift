// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import FreefallLevels
import FreefallRules
import RulesUnderTest
import Testing

/// Level files: what they may hold, and what is said of those that may not.
@Suite struct LevelFileTests {
  /// A level file with one of its fields written otherwise; a field of nil is left out.
  func text(_ changes: [String: String?] = [:]) -> Data {
    var fields: [String: String] = [
      "worldId": "2", "levelId": "7", "launchPosition": #"{"x": 0.5, "y": 0.25}"#,
      "launchVelocity": #"{"dx": 90, "dy": -20}"#, "goalPosition": #"{"x": 1, "y": 0}"#, "goalRadius": "30",
      "initialGravityDown": "true", "parFlips": "3", "parTime": "2.5", "obstacles": "[]",
      "collectibles": #"[{"x": 0.1, "y": 0.1}, {"x": 0.2, "y": 0.2}, {"x": 0.3, "y": 0.3}]"#,
    ]
    for (name, value) in changes { fields[name] = value }
    return Data(("{" + fields.map { "\"\($0)\": \($1)" }.joined(separator: ",") + "}").utf8)
  }

  func level(_ changes: [String: String?] = [:]) throws(LevelProblem) -> Level {
    try LevelFile(bytes: text(changes), file: "a.json").level(on: Rules.underTest.ball, file: "a.json")
  }

  @Test func positionsArePartsOfThreeHundredAndNinetyByEightHundredAndFortyFour() throws {
    let level = try level()
    #expect(level.name == LevelName(world: 2, number: 7))
    #expect(level.launchPosition == Point(x: 195, y: 211))
    #expect(level.goalPosition == Point(x: 390, y: 0))
    #expect(level.launchVelocity == Point(x: 90, y: -20))
    #expect(level.parTimeUs == 2_500_000)
  }

  @Test func theOtherFieldsAreAsTheyAreWritten() throws {
    let level = try level()
    #expect(level.goalRadius == 30)
    #expect(level.initialGravityDown)
    #expect(try !self.level(["initialGravityDown": "false"]).initialGravityDown)
    #expect(level.parFlips == 3)
    #expect(level.obstacles == [])
    #expect(level.collectibles.map { ($0.x * 10).rounded() } == [390, 780, 1170])
    #expect(level.collectibles.map { ($0.y * 10).rounded() } == [844, 1688, 2532])
  }

  /// A level that lacks one is refused by its name.
  @Test func everyFieldIsAskedFor() {
    let names = [
      "worldId", "levelId", "launchPosition", "launchVelocity", "goalPosition", "goalRadius", "initialGravityDown",
      "parFlips", "parTime", "obstacles", "collectibles",
    ]
    for name in names {
      let problem = #expect(throws: LevelProblem.self) { try level([name: nil as String?]) }
      #expect(problem?.description == "a.json: it is no level: \(name) is missing")
    }
  }

  @Test func theFourKindsOfObstacleCoverWhatTheySay() throws {
    let obstacles = """
      [{"type": "rect", "style": "neon_outline", "position": {"x": 0.5, "y": 0.5},
        "size": {"width": 40, "height": 20}, "rotation": 90},
       {"type": "circle", "style": "pulsing", "position": {"x": 0, "y": 0}, "radius": 12},
       {"type": "line", "style": "abstract", "points": [{"x": 0, "y": 0}, {"x": 1, "y": 1}]},
       {"type": "polygon", "style": "textured", "points": [{"x": 0, "y": 0}, {"x": 1, "y": 1}, {"x": 0, "y": 1}]}]
      """
    let level = try level(["obstacles": obstacles])
    #expect(level.obstacles.map(\.style) == [.neonOutline, .pulsing, .abstract, .textured])
    guard case .polygon(let corners) = level.obstacles[0].shape else {
      Issue.record("a rect is a polygon")
      return
    }
    // 20 wide and 40 high, once it is turned.
    #expect(corners.allSatisfy { abs(abs($0.x - 195) - 10) < 0.001 && abs(abs($0.y - 422) - 20) < 0.001 })
    #expect(level.obstacles[1].shape == .circle(centre: Point(x: 0, y: 0), radius: 12))
    #expect(level.obstacles[2].shape == .line(from: Point(x: 0, y: 0), to: Point(x: 390, y: 844)))
  }

  static func places(_ count: Int) -> String {
    "[" + Array(repeating: #"{"x": 0.5, "y": 0.5}"#, count: count).joined(separator: ",") + "]"
  }

  static let faults: [(field: String, value: String?, says: String)] = [
    ("goalRadius", "-3", "goalRadius is -3.0; write 1.0 to 1000.0"),
    ("goalPosition", #"{"x": 1.5, "y": 0}"#, "goalPosition.x is 1.5; write 0.0 to 1.0"),
    ("launchVelocity", #"{"dx": 1e9, "dy": 0}"#, "launchVelocity.dx is 1000000000.0; write -2000.0 to 2000.0"),
    ("parFlips", "0", "parFlips is 0; write 1 to 100"),
    ("parTime", "0", "parTime is 0.0; write 0.1 to 100.0"),
    ("parTime", nil, "it is no level: parTime is missing"),
    ("launchPosition", #"{"x": 0.5, "y": -0.1}"#, "launchPosition.y is -0.1; write 0.0 to 1.0"),
    ("collectibles", "[]", "the number of collectibles is 0; write 3 to 5"),
    ("collectibles", places(2), "the number of collectibles is 2; write 3 to 5"),
    ("collectibles", places(6), "the number of collectibles is 6; write 3 to 5"),
    ("obstacles", #"[{"type": "rect"}]"#, "it is no level: obstacles[0].style is missing"),
    ("obstacles", #"[{"type": "star", "style": "pulsing"}]"#, "it is no level: obstacles[0].type has no such value"),
    (
      "obstacles", #"[{"type": "circle", "style": "pulsing"}]"#,
      "obstacles[0] is a circle; write its position and radius"
    ),
    (
      "obstacles", #"[{"type": "line", "style": "pulsing", "points": []}]"#,
      "obstacles[0] is a line; write its two points"
    ),
    (
      "obstacles", #"[{"type": "polygon", "style": "pulsing", "points": []}]"#,
      "the number of obstacles[0].points is 0; write 3 to 64"
    ),
    (
      "obstacles", #"[{"type": "circle", "style": "pulsing", "position": {"x": 0, "y": 0}, "radius": 1e300}]"#,
      "obstacles[0].radius is 1e+300; write 1.0 to 1000.0"
    ),
    ("worldId", "\"one\"", "it is no level: worldId has another type"),
  ]

  @Test(arguments: faults) func aFaultIsNamedWithWhatToWrite(field: String, value: String?, says: String) {
    let problem = #expect(throws: LevelProblem.self) { try level([field: value]) }
    #expect(problem?.description == "a.json: " + says)
  }

  @Test func whatIsNoJSONOrTooLargeIsRefused() {
    let noJSON = #expect(throws: LevelProblem.self) { try LevelFile(bytes: Data("{".utf8), file: "b.json") }
    #expect(noJSON?.description == "b.json: it is no level: it is not JSON")
    let large = Data(repeating: 32, count: 65_537)
    let tooLarge = #expect(throws: LevelProblem.self) { try LevelFile(bytes: large, file: "b.json") }
    #expect(tooLarge?.description == "b.json: it has 65537 bytes; a level has 65536 at most")
  }

  @Test func aFolderHoldsAllForty() throws {
    let levels = try Forty.folder.levels(.underTest)
    #expect(levels.count == 40)
    for (name, level) in levels { #expect(level.name == name) }
  }

  /// Which level it is stands in its name and in itself.
  @Test(arguments: [("2", "7", nil), ("2", "8", "2 and 8"), ("3", "7", "3 and 7")] as [(String, String, String?)])
  func aFileOfAnotherLevelIsRefused(world: String, level: String, says: String?) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "freefall-level-" + UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try text(["worldId": world, "levelId": level]).write(to: folder.appending(path: "world2-level7.json"))
    let name = LevelName(world: 2, number: 7)
    if let says {
      let problem = #expect(throws: LevelProblem.self) { try LevelFolder(path: folder.path).file(name) }
      #expect(
        problem?.description == "world2-level7.json: worldId and levelId are \(says); write what its name says")
    } else {
      #expect(try LevelFolder(path: folder.path).file(name).levelId == 7)
    }
  }

  @Test func aFolderThatLacksALevelIsToldByItsFile() {
    let problem = #expect(throws: LevelProblem.self) {
      try LevelFolder(path: "/nowhere").levels(.underTest)
    }
    #expect(problem?.description == "world1-level1.json: it cannot be read in /nowhere; put it there")
  }
}
