// SPDX-License-Identifier: Apache-2.0

import Engine
import FoundationEssentials
import FuzzSupport
import Glibc
import Host
import Timing
import Wire

/// Sends bytes to a daemon's router, cut into lines as a socket's are, with every method of the engine behind it.
///
/// What one input leaves behind meets those after it, as with a daemon that runs for days; a new host is made
/// now and then. All that was sent to it is in wire-history.ndjson, should a find not come back from its input alone.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = bytes(data, count)
  checkCutting(input)
  if inputs % 256 == 0 { daemon = Daemon() }
  inputs += 1
  daemon?.take(input)
  return 0
}

// libFuzzer calls from one thread.
nonisolated(unsafe) private var daemon: Daemon?
nonisolated(unsafe) private var inputs = 0

/// How bytes arrive makes no difference to the lines, and no more than a line is held.
private func checkCutting(_ input: [UInt8]) {
  func lines(_ limit: Int, chunk: Int) -> [LineReader.Item] {
    var reader = LineReader(maximumLineBytes: limit)
    var items: [LineReader.Item] = []
    for start in stride(from: 0, to: input.count, by: chunk) {
      reader.append(input[start..<min(start + chunk, input.count)])
      while let item = reader.next() { items.append(item) }
      require(reader.bufferedBytes <= limit, "\(reader.bufferedBytes) bytes are held of lines of \(limit)")
    }
    return items
  }
  let whole = lines(64, chunk: max(1, input.count))
  for chunk in [1, 3, 65] { require(lines(64, chunk: chunk) == whole, "cut by \(chunk) the lines are others") }
}

private final class Daemon {
  private let host: Host
  private var router: Router<Host.RequestContext>
  private let history: UnsafeMutablePointer<Glibc.FILE>?

  init() {
    var configuration = HostConfiguration()
    configuration.clock = .stepped
    // The pack that `make test-long` has rendered; without it names lead nowhere, which is worth trying too.
    configuration.packFolders = ProcessInfo.processInfo.environment["STARLIGHT_FUZZ_PACKS"].map { [$0] } ?? []
    do {
      host = try Host(configuration)
    } catch {
      fatalError("\(error)")
    }
    router = Router()
    host.register(on: &router)
    history = fopen("wire-history.ndjson", "w")
    let host = host
    // An hour takes seconds.
    let step = { (us: Int64) in min(max(us, host.now.microseconds), host.now.microseconds + 100_000) }
    var inner = Router<Host.RequestContext>()
    host.register(on: &inner)
    let stepping = inner
    router.on(ClockStep.self) { params, context throws(RPCError) in
      let to = step(params.toUs)
      _ = stepping.reply(to: Array(#"{"id":1,"method":"clock.step","params":{"toUs":\#(to)}}"#.utf8), context: context)
      return ClockStep.Result(nowUs: to)
    }
  }

  deinit { if let history { fclose(history) } }

  func take(_ input: [UInt8]) {
    if let history {
      fwrite(input + [0x0A], 1, input.count + 1, history)
      fflush(history)
    }
    var reader = LineReader(maximumLineBytes: Limits().lineBytes)
    reader.append(input + [0x0A])
    var client: UInt64 = 1
    while case .line(let line)? = reader.next() {
      let context = Host.RequestContext(cause: Cause(client: ClientID(rawValue: client)), arrival: host.now)
      if let reply = router.reply(to: line, context: context) { check(reply, to: line) }
      client = client % 3 + 1
    }
    step(milliseconds: 10)
    if input.count % 8 == 0 { for client in 1...3 { host.clientLeft(ClientID(rawValue: UInt64(client))) } }
    for telling in host.takeTellings() { check(telling.notification.line(seq: .max), to: []) }
    let peak = host.status().audio.peak
    require(peak.isFinite, "a peak of \(peak)")
  }

  private func step(milliseconds: Int64) {
    let to = host.now.microseconds + milliseconds * 1_000
    let context = Host.RequestContext(cause: Cause(client: ClientID(rawValue: 1)), arrival: host.now)
    _ = router.reply(to: Array(#"{"id":1,"method":"clock.step","params":{"toUs":\#(to)}}"#.utf8), context: context)
  }

  private struct Reply: Decodable {
    struct Failure: Decodable {
      struct Detail: Decodable { var kind: String }
      var code: Int
      var message: String
      var data: Detail
    }
    var method: String?
    var result: JSONValue?
    var error: Failure?
  }

  private func check(_ reply: [UInt8], to line: [UInt8]) {
    let text = { String(decoding: reply, as: UTF8.self) + "\nto " + String(decoding: line, as: UTF8.self) }
    require(!reply.contains(0x0A), "more than a line: \(text())")
    guard let read = try? JSONDecoder().decode(Reply.self, from: Data(reply)) else {
      return require(false, "not JSON: \(text())")
    }
    require(
      [read.method != nil, read.error != nil, read.result != nil].count { $0 } == 1, "neither or both: \(text())")
    if let error = read.error {
      require(!error.message.isEmpty && !error.data.kind.isEmpty, "it says nothing: \(text())")
      require(error.data.kind != "internal", "an internal error: \(text())")
    }
  }
}
