// SPDX-License-Identifier: Apache-2.0

import Engine
import FoundationEssentials
import Glibc
import Host
import Testing
import Timing
import WaveBytes
import Wire

private struct Answer<Value: Decodable>: Decodable { var result: Value }

/// A stepped host over a pack made for the test, asked in lines like a client's.
final class HostRig {
  let host: Host
  let directory: String
  private var router = Router<Host.RequestContext>()

  /// `manifest` stands for the pack's own where it is given; tracks last `seconds`; `change` is called before loading; what is
  /// put out is kept where it `records`.
  init(
    manifest: String = HostRig.manifest, files: [String] = ["main", "finale", "sfx_click"], seconds: Double = 3,
    records: Bool = false, change: (_ directory: String) throws -> Void = { _ in },
    configure: (inout HostConfiguration) -> Void = { _ in }
  ) throws {
    var template = Array("/tmp/starlight-host-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw POSIXFailure(code: errno) }
    directory = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    try Data(manifest.utf8).write(to: URL(filePath: directory + "/pack.json"))
    for file in files {
      let length = file.hasSuffix("tiny") ? 0.01 : file.hasPrefix("sfx") ? 0.05 : seconds
      try Data(Self.wave(seconds: length)).write(
        to: URL(filePath: "\(directory)/\(file).wav"))
    }
    try change(directory)
    var configuration = HostConfiguration()
    configuration.clock = .stepped
    configuration.packFolders = [directory]
    configuration.owner = 0
    if records { configuration.recordPath = directory + "/heard.wav" }
    configure(&configuration)
    host = try Host(configuration)
    host.register(on: &router)
  }

  /// Ends the host; the left samples of all that was put out, where it records.
  func heard() throws -> [Float] {
    host.stop()
    let bytes = try Data(contentsOf: URL(filePath: directory + "/heard.wav"))
    // Behind the header, of 94 bytes.
    let samples = [Float](unsafeUninitializedCapacity: max(0, bytes.count - 94) / 4) { samples, count in
      count = bytes.copyBytes(to: samples, from: min(94, bytes.count)..<bytes.count) / 4
    }
    return (0..<samples.count / 2).map { samples[2 * $0] }
  }

  /// A host without packs of its own.
  init(_ configuration: HostConfiguration) throws {
    directory = ""
    host = try Host(configuration)
    host.register(on: &router)
  }

  deinit { if !directory.isEmpty { try? FileManager.default.removeItem(atPath: directory) } }

  /// The kinds of errors that were answered so far.
  private(set) var refused: Set<Refused> = []

  struct Refused: Hashable {
    var method: String
    var kind: String

    init(method: String, kind: String) { (self.method, self.kind) = (method, kind) }

    init(_ method: any WireMethod.Type, _ kind: RPCError.Kind) {
      self.init(method: method.name, kind: kind.rawValue)
    }
  }

  /// Leaves the process as many descriptors as are open now, and not one more; only for a process of its own.
  static func useUpDescriptors() {
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    limit.rlim_cur = limit.rlim_max
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    let free = dup(STDERR_FILENO)
    close(free)
    limit.rlim_cur = rlim_t(free)
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  }

  struct POSIXFailure: Error { var code: Int32 }

  static let manifest = """
    {"name": "game", "title": "Game", "version": "1",
     "tracks": {"main": {"file": "main.wav"}, "finale": {"file": "finale.wav"}},
     "sounds": {"sfx_click": {"file": "sfx_click.wav"}}}
    """

  private var nextLine: UInt64 = 1

  /// Takes a file away after the pack was loaded.
  func remove(_ file: String) { unlink("\(directory)/\(file)") }

  func ask(
    _ method: String, _ params: String = "{}", client: UInt64 = 1, user: UInt32 = 0, errand: Errand? = nil
  ) -> String {
    defer { nextLine += 1 }
    let line = #"{"id":1,"method":"\#(method)","params":\#(params)}"#
    let context = Host.RequestContext(
      cause: Cause(client: ClientID(rawValue: client), user: user, line: nextLine), arrival: host.now, errand: errand)
    let reply = router.reply(to: Array(line.utf8), context: context) ?? []
    note(reply, to: method)
    return String(decoding: reply, as: UTF8.self)
  }

  /// What a request is answered, which must be done.
  func result<Value: Decodable>(_ method: String, _ params: String = "{}") throws -> Value {
    try Self.result(ask(method, params), Value.self)
  }

  /// What was told of that kind since anything was taken, each with its `tUs`.
  func told<Payload: WireNotification>(_ type: Payload.Type) throws -> [(tUs: Int64, payload: Payload)] {
    try host.takeNotifications().compactMap { notification in
      guard case .notification(Payload.name, _, let tUs, let params) = ServerMessage(line: notification.line(seq: 1))
      else { return nil }
      return (tUs, try decodeJSON(Payload.self, from: params))
    }
  }

  /// The result of a reply.
  static func result<Value: Decodable>(_ reply: String, _ type: Value.Type) throws -> Value {
    try JSONDecoder().decode(Answer<Value>.self, from: Data(reply.utf8)).result
  }

  /// No method may answer a kind of error that it does not list.
  private func note(_ reply: [UInt8], to method: String) {
    guard case .reply(_, .failure(let error))? = ServerMessage(line: reply) else { return }
    let listed = allMethods.first { $0.name == method }?.kindsOfErrors ?? []
    if !listed.contains(where: { $0.rawValue == error.data.kind }) {
      Issue.record("\(method) answers \(error.data.kind), which it does not list")
    }
    refused.insert(Refused(method: method, kind: error.data.kind))
  }

  func step(microseconds: Int64) { _ = ask("clock.step", #"{"toUs":\#(host.now.microseconds + microseconds)}"#) }

  /// Runs a live host as its server would, until `isDone`.
  func run(until isDone: () throws -> Bool) rethrows {
    while try !isDone() {
      _ = host.beginRun()
      let due = host.run()
      var woken = host.wakeDescriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      let wait = due.map { max(0, ($0 - host.now).microseconds / 1_000 + 1) } ?? 60_000
      _ = poll(&woken, nfds_t(woken.count), Int32(min(wait, 60_000)))
    }
  }

  /// Mono, 48 kHz, 16-bit, a constant of a quarter where `sample` says nothing else of a frame.
  static func wave(seconds: Double, _ sample: ((Int) -> Int16)? = nil) -> [UInt8] {
    let frames = Int(seconds * 48_000)
    return waveBytes(sample.map { (0..<frames).map($0) } ?? [Int16](repeating: 8_192, count: frames))
  }
}
