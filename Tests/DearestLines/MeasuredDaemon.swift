// SPDX-License-Identifier: Apache-2.0

import CRealTime
import Glibc
import Host
import Server
import Wire

/// A daemon on the stepped clock, whole but for its thread, which is the caller's: what its turns take of the processor is
/// what a line costs all others.
final class MeasuredDaemon {
  private let folder: String
  private let server: Server
  let host: Host
  let asker: MeasuredClient
  private var listeners: [MeasuredClient] = []
  /// What stands for the names in the params of the method that this daemon is for.
  private var names: [String: Int64]?

  /// A daemon with one client that asks, and `listeners` that are told everything.
  init(packs: String, listeners count: Int) throws {
    var template = Array("/tmp/dearest-XXXXXX\0".utf8CString)
    guard mkdtemp(&template) != nil else { throw MeasuringFailure("no folder in /tmp: errno \(errno)") }
    folder = String(decoding: template.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    var configuration = HostConfiguration()
    configuration.clock = .stepped
    configuration.packFolders = [packs]
    // An output, to be set, and controls, to be bound.
    configuration.hapticLogPath = feltPath
    configuration.controls = PluggedPads()
    host = try Host(configuration)
    var serving = ServerConfiguration(socketPath: folder + "/socket", environment: [:])
    serving.leavesErrands = true
    serving.takesSignals = false
    server = try Server(serving, socket: ListeningSocket(serving), host: host, log: { _, _ in })
    asker = try MeasuredClient(path: folder + "/socket")
    for _ in 0..<count {
      let listener = try MeasuredClient(path: folder + "/socket")
      _ = server.turn(waiting: false)
      listener.send(#"{"id":0,"method":"events.subscribe","params":{}}"#)
      listeners.append(listener)
    }
    for _ in 0..<8 { turn() }
  }

  deinit {
    unlink(folder + "/socket")
    unlink(feltPath)
    rmdir(folder)
  }

  private func turn() {
    _ = server.turn(waiting: false)
    for listener in listeners { listener.drain() }
  }

  /// Another client, which stays.
  func connect() throws -> MeasuredClient {
    let client = try MeasuredClient(path: folder + "/socket")
    listeners.append(client)
    turn()
    return client
  }

  /// Lets a client ask many things, one behind the other; fails where any is refused.
  func fill(_ client: MeasuredClient, _ lines: [String]) throws {
    for batch in stride(from: 0, to: lines.count, by: 32) {
      let asked = lines[batch..<min(batch + 32, lines.count)]
      for line in asked { client.send(line) }
      var replies = 0
      for _ in 0..<10_000 where replies < asked.count {
        _ = server.turn(waiting: false)
        for other in listeners where other !== client { other.drain() }
        let lines = client.receive()
        // Another thread may be at it.
        if lines.isEmpty { usleep(100) }
        for line in lines {
          guard case .reply(_, let result)? = ServerMessage(line: line) else { continue }
          replies += 1
          if case .failure(let error) = result { throw MeasuringFailure("refused while filling: \(error.message)") }
        }
      }
      if replies < asked.count { throw MeasuringFailure("\(asked.count - replies) lines had no reply") }
    }
  }

  /// So many clients come, one after the other, ask eight things and go.
  func comeAndGo(_ guests: Int) throws {
    for _ in 0..<guests {
      let guest = try MeasuredClient(path: folder + "/socket")
      try fill(guest, Array(repeating: #"{"id":1,"method":"clock.now"}"#, count: 8))
    }
    turn()
  }

  /// What a reply names, to be named in what is asked next.
  private struct Named: Decodable {
    var id: Int64?
    var player: Int64?
    var plan: Int64?
  }

  /// Asks once for what a method needs; answers what stands for the names in its params. What is there already may be
  /// refused.
  func prepare(for method: String, soonUs: Int64) throws -> [String: Int64] {
    if let names { return names }
    var named = ["$soonUs": soonUs]
    for need in needed[method] ?? [] {
      guard case .success(let result) = try reply(to: line(need.method, need.params, named)).result,
        let told = try? decodeJSON(Named.self, from: result)
      else { continue }
      for (name, value) in [("$id", told.id), ("$player", told.player), ("$plan", told.plan)] {
        if let value { named[name] = value }
      }
    }
    names = named
    return named
  }

  /// Microseconds of the processor that control takes from when a line is there until its reply is, how long the line is, and
  /// whether it was granted.
  func cost(of line: [UInt8]) throws -> (us: Double, bytes: Int, isGranted: Bool) {
    let (us, result) = try reply(to: line)
    if case .success = result { return (us, line.count, true) }
    return (us, line.count, false)
  }

  private func reply(to line: [UInt8]) throws -> (us: Double, result: Result<ArraySlice<UInt8>, RPCError>) {
    asker.send(line)
    var spent = 0.0
    for _ in 0..<10_000 {
      let before = processorTime()
      // What another thread works at is waited for, which costs nothing.
      _ = server.turn(waiting: true)
      spent += processorTime() - before
      for listener in listeners { listener.drain() }
      for line in asker.receive() {
        if case .reply(_, let result)? = ServerMessage(line: line) { return (spent, result) }
      }
    }
    throw MeasuringFailure("no reply to \(String(decoding: line.prefix(80), as: UTF8.self))")
  }

  private func processorTime() -> Double {
    var now = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now)
    return Double(now.tv_sec) * 1e6 + Double(now.tv_nsec) / 1e3
  }
}

/// What cannot be measured, and why.
struct MeasuringFailure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
