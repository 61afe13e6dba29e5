// SPDX-License-Identifier: Apache-2.0

import ChapterOracle
import FoundationEssentials
import Glibc
import Host
import Server
import Wire

@testable import Simulation

/// A daemon with its socket on the stepped clock, whose pack has one drawn chapter, and who plays it: a player, who may leave,
/// and one who stays and hears everything.
final class ChapterStage {
  /// As fast as a track may be, so that a count-in is short.
  static let bpm = 1_000

  let watcher: SimulatedClient
  private(set) var player: SimulatedClient?
  /// On the daemon's clock.
  private(set) var nowUs: Int64
  /// What came of pauses of the engine.
  private(set) var time = GameTime()
  /// What was told of chapters and not taken yet, in game time.
  private var heard: [Heard] = []
  private let folder: String
  private let host: Host
  private let server: Server
  private var nextID: Int64 = 1
  /// What of a run is as far from its beginning as ever, also on the clock.
  private let span: RunSpan

  enum Heard {
    case spawn(RhythmSpawn, at: Int64)
    case beat(RhythmBeat, at: Int64)
    case judgement(RhythmJudgement, at: Int64)
    case assist
    case changed(RhythmChanged, at: Int64)
    case complete(RhythmComplete, at: Int64)
  }

  /// Where its beats are to be sent inline the pack has another.
  init(_ chapter: RandomChapter, isInline: Bool) throws {
    span = RunSpan(chapter)
    let root = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"
    var template = Array("\(root)/starlight-chapter-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw SimulationFailure("cannot make a folder in \(root)") }
    folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    try Data(try Self.manifest(chapter, isInline: isInline).utf8).write(to: URL(filePath: folder + "/pack.json"))
    try Data(SimulatedPack.sine(seconds: 3, amplitude: 0.1)).write(to: URL(filePath: folder + "/main.wav"))
    var configuration = HostConfiguration()
    configuration.clock = .stepped
    configuration.packFolders = [folder]
    host = try Host(configuration)
    var serving = ServerConfiguration(socketPath: folder + "/socket", environment: [:])
    serving.takesSignals = false
    server = try Server(serving, socket: ListeningSocket(serving), host: host, log: { _, _ in })
    nowUs = host.now.microseconds
    watcher = try SimulatedClient(name: 0, path: folder + "/socket")
    player = try SimulatedClient(name: 1, path: folder + "/socket")
    try granted(EventsSubscribe.self, .init(topics: [.rhythm, .engine]), by: watcher)
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  /// Its beats as a map has them.
  static func beats(_ chapter: RandomChapter) -> [JSONValue] {
    chapter.beats.map { beat in
      var members: [String: JSONValue] = ["at": .number(Double(beat.at) / 1e6)]
      if let lane = beat.lane { members["lane"] = .string("\(lane)") }
      return .object(members)
    }
  }

  private static func manifest(_ chapter: RandomChapter, isInline: Bool) throws -> String {
    let lanes = chapter.isLaned ? (0..<chapter.laneCount).map { "\"\($0)\"" } : []
    let other: [JSONValue] = [.object(chapter.isLaned ? ["at": .number(0), "lane": .string("0")] : ["at": .number(0)])]
    let beats = try String(decoding: encodeJSON(JSONValue.array(isInline ? other : beats(chapter))), as: UTF8.self)
    let grades = chapter.grades.enumerated().map { "\"\($0)\": \(SimulatedPack.seconds($1))" }
    return """
      {"name": "game", "title": "Game", "version": "1",
       "tracks": {"main": {"file": "main.wav", "bpm": \(bpm)}}, "sounds": {},
       "chapters": {"drawn": {"title": "x", "track": "main", "length": \(SimulatedPack.seconds(chapter.length)),
         "window": \(SimulatedPack.seconds(chapter.window)), "grace": \(SimulatedPack.seconds(chapter.grace)),
         "assist": {"after": \(chapter.misses), "window": \(SimulatedPack.seconds(chapter.wide))},
         "spawnLead": \(SimulatedPack.seconds(chapter.spawnLead)),
         "grades": {\(grades.joined(separator: ", "))}, "lanes": [\(lanes.joined(separator: ", "))],
         "beats": \(beats)}}}
      """
  }

  // MARK: - Asking

  /// Asks, and lets the daemon answer. Instants of the answer are in game time.
  func ask<Method: WireMethod>(
    _ method: Method.Type, _ params: Method.Params, by client: SimulatedClient
  ) throws -> Result<Method.Result, RPCError> {
    let id = nextID
    nextID += 1
    client.send(
      Array("{\"id\":\(id),\"method\":\"\(Method.name)\",\"params\":".utf8) + (try encodeJSON(params)) + [0x7D],
      SimulatedClient.Sent(id: id, method: Method.name))
    for _ in 0..<200 {
      _ = client.flush()
      _ = server.turn(waiting: false)
      var answer: Result<ArraySlice<UInt8>, RPCError>?
      for line in client.receive() {
        switch ServerMessage(line: line) {
        case .reply(let answered, let result):
          _ = try client.answered(id: answered)
          answer = result
        case .notification(let method, _, let tUs, let params): try hear(method, tUs, params)
        case nil: throw SimulationFailure("not a message: \(String(decoding: line, as: UTF8.self))")
        }
      }
      switch answer {
      case .success(let bytes):
        var result = try decodeJSON(Method.Result.self, from: bytes)
        // What it sets off is told to who listens.
        try listen()
        try span.check(result, nowUs: nowUs, time)
        Method.moveInstants(in: &result, time.game)
        return .success(result)
      case .failure(let error):
        try listen()
        return .failure(error)
      case nil: continue
      }
    }
    throw SimulationFailure("no reply to \(Method.name)")
  }

  /// The answer of what cannot be refused.
  @discardableResult
  func granted<Method: WireMethod>(
    _ method: Method.Type, _ params: Method.Params, by client: SimulatedClient
  ) throws -> Method.Result {
    switch try ask(method, params, by: client) {
    case .success(let result): return result
    case .failure(let error): throw SimulationFailure("\(Method.name) is refused: \(error)")
    }
  }

  /// Lets time pass.
  func step(_ length: Int64) throws {
    nowUs = try granted(ClockStep.self, .init(toUs: nowUs + length), by: watcher).nowUs
  }

  /// The player's program ends.
  func leave() throws {
    player = nil
    for _ in 0..<6 { _ = server.turn(waiting: false) }
    try listen()
  }

  private func listen() throws {
    _ = server.turn(waiting: false)
    for line in watcher.receive() {
      guard case .notification(let method, _, let tUs, let params) = ServerMessage(line: line) else {
        throw SimulationFailure("nobody asked: \(String(decoding: line, as: UTF8.self))")
      }
      try hear(method, tUs, params)
    }
  }

  /// All that was told since this was called last.
  func takeHeard() -> [Heard] {
    defer { heard = [] }
    return heard
  }

  private func hear(_ method: String, _ tUs: Int64, _ params: ArraySlice<UInt8>) throws {
    let at = time.game(tUs)
    switch method {
    case EnginePaused.name: try time.pause(at: tUs)
    case EngineResumed.name:
      try time.resume(at: tUs, movedUs: decodeJSON(EngineResumed.self, from: params).movedUs)
    case RhythmSpawn.name: heard.append(.spawn(try time.read(RhythmSpawn.self, params), at: at))
    case RhythmBeat.name: heard.append(.beat(try time.read(RhythmBeat.self, params), at: at))
    case RhythmJudgement.name: heard.append(.judgement(try time.read(RhythmJudgement.self, params), at: at))
    case RhythmAssist.name: heard.append(.assist)
    case RhythmChanged.name:
      try span.check(try decodeJSON(RhythmChanged.self, from: params), nowUs: nowUs, time)
      heard.append(.changed(try time.read(RhythmChanged.self, params), at: at))
    case RhythmComplete.name: heard.append(.complete(try time.read(RhythmComplete.self, params), at: at))
    default: break
    }
  }
}
