// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Wire

/// The end: clients go, everything is stopped, and nothing is left.
extension Simulation {
  mutating func end() throws {
    // By turns all is stopped, or nobody of those who asked for it is left.
    let isStopped = seed % 3 == 0
    if !isStopped { try handOver() }
    try loseClients()
    try goOn()
    let volumes = ["master", "music", "sound", "voice", "haptics"].map { #""\#($0)Volume":1"# }.joined(separator: ",")
    try ask(0, "settings.set", #"{"music":true,"sound":true,"haptics":true,\#(volumes)}"#)
    // Planned music begins within three seconds and a bar, and cannot be called off; a chapter may begin as late. What was
    // planned by the thousand is told as called off within half a second, and read in between. What is felt and nobody stops plays
    // out, for half a minute at most.
    for length in [200_000, 200_000, isStopped ? 6_000_000 : longestKeptUs, 1_000_000] as [Int64] {
      clients[0].send(
        Array("{\"id\":-1,\"method\":\"rhythm.stop\"}".utf8),
        SimulatedClient.Sent(id: -1, method: "rhythm.stop"))
      try ask(0, "music.stop", #"{"fadeUs":5000}"#)
      if isStopped {
        try ask(0, "sound.stop", "{}")
        try ask(0, "haptics.stop", "{}")
      }
      try settle()
      try step(length)
      try settle()
    }
    try ask(0, "engine.status", "{}")
    try settle()
    let left = host.holdings.filter { $0.value != 0 }
    let why = isStopped ? "all is stopped" : "the music is stopped and all who asked for more have gone"
    try ensure(left.isEmpty, "\(why), and yet there are \(left)")
    let status = host.status()
    try ensure(status.audio.activeVoices == 0, "\(why), and \(status.audio.activeVoices) voices play")
    try ensure(status.music.state == .stopped && status.music.fading.isEmpty, "all is stopped, and \(status.music)")
    try playMusicAlone()
    for (name, value) in [("low", 1), ("dull", 0), ("touch", 1)] {
      try ask(0, "parameter.set", "{\"parameter\":\"\(name)\",\"value\":\(value)}")
    }
    try duck()
    try checkMemory()
    try ledger.settle()
    try checkHapticLog()
    try endDaemon()
  }

  /// With its files as they were the packs take as much memory as in the beginning, however often they were read.
  private mutating func checkMemory() throws {
    try pack.restoreAll()
    try ask(0, "pack.reload", "{}")
    try settle()
    try step(100_000)
    try settle()
    try ensure(host.soundBytes == soundBytes, "packs take \(host.soundBytes) bytes, and took \(soundBytes)")
  }

  /// An orderly end stops what plays and calls off all that is planned before it closes.
  private mutating func endDaemon() throws {
    try ask(0, "events.subscribe", "{}")
    try ask(0, "music.play", "{\"track\":\"main\"}")
    try ask(0, "sound.play", "{\"sound\":\"click\",\"loop\":true}")
    try settle()
    try step(200_000)
    try settle()
    try ask(0, "music.play", "{\"track\":\"main\",\"atUs\":\(checks.nowUs + 10_000_000)}")
    try ask(0, "music.gain", "{\"gain\":0.5,\"atUs\":\(checks.nowUs + 11_000_000)}")
    try ask(0, "cue.fire", "{\"cue\":\"hit\",\"atUs\":\(checks.nowUs + 12_000_000)}")
    try settle()
    server.requestEnd()
    var told: [String] = []
    for _ in 0..<50 {
      let isOver = !server.turn(waiting: false)
      told += clients[0].receive().map { String(decoding: $0, as: UTF8.self) }
      if isOver { break }
    }
    told += clients[0].receive().map { String(decoding: $0, as: UTF8.self) }
    try ensure(clients[0].isClosed, "the daemon did not end")
    let changes = told.filter { $0.contains("music.changed") }
    try ensure(
      changes.count == 1 && changes[0].contains("\"change\":\"stopped\""), "the end of what plays is told as \(changes)"
    )
    let finished = told.filter { $0.contains("sound.finished") }
    let reasons = ["cancelled", "stopped"].map { reason in
      finished.count { $0.contains("\"reason\":\"\(reason)\"") }
    }
    try ensure(
      finished.count == 2 && reasons == [1, 1], "the ends of the cue's sound and of a loop are told as \(finished)")
    let calledOff = told.filter { $0.contains("\"reason\":\"shutdown\"") }
    try ensure(
      calledOff.count { $0.contains("music.cancelled") } == 2 && calledOff.count { $0.contains("cue.cancelled") } == 1,
      "the end calls off \(calledOff)")
  }

  /// Another hears everything from now on, and asks for nothing that sounds; the one who did goes.
  private mutating func handOver() throws {
    try connect()
    clients.swapAt(0, clients.count - 1)
    try ask(0, "events.subscribe", "{}")
    try settle()
    listener = clients[0].name
    let last = clients.removeLast()
    ledger.lose(last.name, nowUs: checks.nowUs)
  }

  /// What repeats and is felt ends with its client, after four seconds at most here.
  private mutating func loseClients() throws {
    while clients.count > 1 {
      ledger.lose(clients.removeLast().name, nowUs: checks.nowUs)
      for _ in 0..<6 { _ = server.turn(waiting: false) }
    }
    try settle()
  }

  /// What the device did last was to fall silent.
  private func checkHapticLog() throws {
    let felt = FileManager.default.contents(atPath: hapticLogPath).map { String(decoding: $0, as: UTF8.self) } ?? ""
    try checkFelt(felt)
    guard let last = felt.split(separator: "\n").last else { return }
    try ensure(last.contains("\"intensity\":0,"), "the haptic device was left at \(last)")
  }

  /// Everything that was heard is a number within full scale, and calm play makes no step like a click's.
  func checkRecording() throws -> Float {
    let lost = ledger.lostRecordings
    try ensure(lost == (isDiskFull ? 1 : 0), "that the recording broke off was told \(lost) times")
    if isDiskFull { return 0 }
    guard let bytes = FileManager.default.contents(atPath: recordingPath) else {
      throw SimulationFailure("there is no recording")
    }
    return try bytes.withUnsafeBytes { file in
      let start = 94
      let count = (file.count - start) / 4
      var largest: Float = 0
      var steps: (before: Float, last: Float) = (0, 0)
      var ducking = ducking
      var last: (Float, Float) = (0, 0)
      var pauses = ledger.time.pauses[...]
      var lost = ledger.lostFrames[...]
      for frame in 0..<count / 2 {
        let left = file.loadUnaligned(fromByteOffset: start + 8 * frame, as: Float.self)
        let right = file.loadUnaligned(fromByteOffset: start + 8 * frame + 4, as: Float.self)
        guard abs(left) <= 1, abs(right) <= 1 else {
          throw SimulationFailure("frame \(frame) is \(left), \(right)")
        }
        let step = max(abs(left - last.0), abs(right - last.1))
        while let end = lost.first?.upperBound, frame > end { lost.removeFirst() }
        if let first = lost.first, first.contains(Int64(frame)), left != 0 || right != 0 {
          throw SimulationFailure("frame \(frame) is \(left), \(right), and frames \(first) were lost")
        }
        // What is lost is cut.
        if let first = lost.first?.lowerBound, (first...first + 1).contains(Int64(frame)) {
          steps = (0, 0)
          last = (left, right)
          continue
        }
        if step > largest { largest = step }
        if isCalm, step > Self.largestCalmStep {
          throw SimulationFailure("a step of \(step) at frame \(frame)")
        }
        let jump = steps.last - max(steps.before, step)
        if isCalm, jump > Self.largestCalmJump {
          throw SimulationFailure("a click of \(jump) at frame \(frame - 1)")
        }
        steps = (steps.last, step)
        last = (left, right)
        // 48 frames are a millisecond.
        let us = startUs + Int64(frame) * 125 / 6
        ducking.hear(left, at: us)
        while let until = pauses.first?.until, us >= until { pauses.removeFirst() }
        if let pause = pauses.first, us >= pause.from, left != 0 || right != 0 {
          throw SimulationFailure("frame \(frame) is \(left), \(right) while the engine stood, \(pause)")
        }
      }
      try ducking.check()
      return largest
    }
  }

  /// Between two samples. The pack's loudest sine, 0.4 at 100 Hz, steps by 0.0052; after a stall a dozen begin at once.
  private static let largestCalmStep: Float = 0.06
  /// By how much a step may stand out of those beside it: what begins, bends or fades does not, what is cut does.
  private static let largestCalmJump: Float = 0.005
}
