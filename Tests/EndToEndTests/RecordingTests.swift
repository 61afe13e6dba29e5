// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc
import Moments
import Problems
import StarlightClient
import Testing
import Wire

/// What the real daemon does when its recording, its haptic log or its journal cannot be written.
@Suite struct RecordingTests {
  @Test func aFullDiskIsToldAtOnceAndByTheExitCode() throws {
    let game = try SteppedGame(["--record", "/dev/full"])
    let told = try game.step(to: game.nowUs + 1_000_000).all(EngineProblem.self)
    #expect(told.count == 1)
    let problem = try #require(told.first?.payload.problem)
    #expect(problem.kind == .recordingFailed && problem.where.file == "/dev/full")
    #expect(problem.reason.contains("/dev/full") && problem.reason.contains("No space left on device"))
    #expect(try game.connection.call(EngineStatus.self, Empty()).problems.contains(problem))
    game.daemon.signal(SIGTERM)
    #expect(game.daemon.wait() == 1)
    #expect(game.daemon.log.contains(problem.description))
  }

  @Test func theLimitOfFileSizeIsToldWhileTheDaemonRunsOn() throws {
    let directory = try makeTemporaryDirectory()
    defer { removeDirectory(directory) }
    // 512 blocks of 512 bytes: 0.7 s of sound.
    let daemon = try DaemonProcess(
      ["--device", "none", "--haptics", "none", "--record", directory + "/out.wav"], packs: directory,
      limits: "ulimit -f 512")
    let client = try daemon.connect()
    _ = try client.call(EventsSubscribe.self, EventsSubscribe.Params(topics: [.engine]))
    let status = try client.call(EngineStatus.self, Empty())
    if !status.problems.contains(where: { $0.reason.contains("File too large") }) {
      let told = try #require(try client.nextNotification(timeoutUs: 30_000_000))
      #expect(try told.decode(as: EngineProblem.self)?.problem.reason.contains("File too large") == true)
    }
    let problem = try #require(
      try client.call(EngineStatus.self, Empty()).problems.first { $0.reason.contains("File too large") })
    // Space is not what is short of.
    #expect(problem.description.contains("ulimit -f") && !problem.description.contains("free some space"))
    daemon.signal(SIGTERM)
    #expect(daemon.wait() == 1)
    // What fitted can be played: 262 144 bytes less the header, in whole frames.
    #expect(try WaveFile(directory + "/out.wav").channel(0).count == (262_144 - 94) / 8)
  }

  /// Frames that its writer was too slow for are silence in the file: it is not what was played, and no script takes it for that.
  @Test func gapsAreToldByTheExitCode() throws {
    let directory = try makeTemporaryDirectory()
    defer { removeDirectory(directory) }
    let pipe = directory + "/recording"
    #expect(mkfifo(pipe, 0o600) == 0)
    let reader = open(pipe, O_RDONLY | O_NONBLOCK)
    let daemon = try DaemonProcess(
      ["--device", "none", "--haptics", "none", "--record", pipe], packs: directory)
    let client = try daemon.connect()
    _ = try client.call(EventsSubscribe.self, EventsSubscribe.Params(topics: [.engine]))
    // Less is read than is played, and so often that it is no reader that has gone: two seconds wait in memory, then frames are lost.
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    // On a busy machine other problems may be told first.
    var isTold = false
    for _ in 0..<60 where !isTold {
      _ = read(reader, &bytes, 4_096)
      let problem = try client.nextNotification(timeoutUs: 250_000)?.decode(as: EngineProblem.self)?.problem
      isTold = problem?.reason == "the recording has gaps: its disk was too slow for a while"
    }
    #expect(isTold)
    // From here on all is read: it goes on to its end.
    daemon.signal(SIGTERM)
    _ = fcntl(reader, F_SETFL, 0)
    while read(reader, &bytes, bytes.count) > 0 {}
    close(reader)
    #expect(daemon.wait() == 1)
    #expect(!daemon.log.contains("cannot write"), "\(daemon.log)")
  }

  /// A log that has not been written to either, up to the end.
  @Test(arguments: ["--haptic-log", "--journal", "--record"], [true, false])
  func whatIsRemovedOrCutShortByTheEndTheExitCodeSays(option: String, isRemoved: Bool) throws {
    let directory = try makeTemporaryDirectory()
    defer { removeDirectory(directory) }
    let file = directory + "/file"
    let game = try SteppedGame([option, file])
    _ = try game.connection.call(HapticsTransient.self, HapticsTransient.Params(intensity: 1, sharpness: 0.5))
    _ = try game.step(to: game.nowUs + 2_000_000)
    #expect(isRemoved ? unlink(file) == 0 : truncate(file, 5) == 0)
    game.daemon.signal(SIGTERM)
    #expect(game.daemon.wait() == 1)
    #expect(game.daemon.log.contains(isRemoved ? "it was removed" : "another program cut it short"))
  }

  @Test func aHapticLogThatIsRemovedIsToldAtOnceAndTheDaemonRunsOn() throws {
    let directory = try makeTemporaryDirectory()
    defer { removeDirectory(directory) }
    let log = directory + "/felt.ndjson"
    let game = try SteppedGame(["--haptic-log", log])
    unlink(log)
    _ = try game.connection.call(HapticsContinuous.self, HapticsContinuous.Params(durationUs: 100_000))
    let told = try game.step(to: game.nowUs + 500_000).all(EngineProblem.self)
    #expect(told.count == 1)
    let problem = try #require(told.first?.payload.problem)
    #expect(problem.description.contains(log) && problem.description.contains("it was removed"))
    #expect(try game.connection.call(EngineStatus.self, Empty()).problems == [problem])
    game.daemon.signal(SIGTERM)
    #expect(game.daemon.wait() == 1)
    #expect(game.daemon.log.contains(problem.description))
  }

  /// 4 KiB of either: what is told of a hundred taps is more.
  @Test(arguments: [("--haptic-log", Problem.Kind.logFailed), ("--journal", .journalFailed)])
  func whatReachesTheLimitOfFileSizeIsToldAndTheExitCodeSaysSo(option: String, kind: Problem.Kind) throws {
    let directory = try makeTemporaryDirectory()
    defer { removeDirectory(directory) }
    let file = directory + "/file"
    let game = try SteppedGame([option, file], limits: "ulimit -f 8")
    var told: [Problem] = []
    for _ in 0..<100 {
      _ = try game.connection.call(HapticsTransient.self, HapticsTransient.Params(intensity: 1, sharpness: 0.5))
      told += try game.step(to: game.nowUs + 100_000).all(EngineProblem.self).map(\.payload.problem)
    }
    let problems = try game.connection.call(EngineStatus.self, Empty()).problems.filter { $0.kind == kind }
    let problem = try #require(problems.first)
    #expect(problems.count == 1 && told.filter { $0.kind == kind } == problems)
    #expect(problem.where.file == file && problem.description.contains("File too large"))
    #expect(problem.description.contains("ulimit -f"))
    game.daemon.signal(SIGTERM)
    #expect(game.daemon.wait() == 1)
    #expect(game.daemon.log.contains(problem.description))
    // What fitted is there.
    #expect(try Data(contentsOf: URL(filePath: file)).count == 4_096)
  }

  @Test func filesThatAreWholeEndWithNoErrorsCode() throws {
    let directory = try makeTemporaryDirectory()
    defer { removeDirectory(directory) }
    let game = try SteppedGame([
      "--record", directory + "/out.wav", "--haptic-log", directory + "/felt", "--journal", directory + "/journal",
    ])
    _ = try game.connection.call(HapticsTransient.self, HapticsTransient.Params(intensity: 1, sharpness: 0.5))
    try game.step(to: game.nowUs + 1_000_000)
    game.daemon.signal(SIGTERM)
    #expect(game.daemon.wait() == 0, "\(game.daemon.log)")
  }

  @Test func aHapticLogIsARegularFile() throws {
    let directory = try makeTemporaryDirectory()
    defer { removeDirectory(directory) }
    #expect(mkfifo(directory + "/pipe", 0o600) == 0)
    for path in [directory + "/pipe", "/dev/null"] {
      let pid = try spawn(
        [
          DaemonProcess.program("starlightd"), "--socket", directory + "/socket", "--device", "none", "--haptic-log",
          path,
        ], environment: [], errorsTo: directory + "/log")
      var status: Int32 = 0
      #expect(waitpid(pid, &status, 0) == pid)
      #expect(status == 1 << 8)
      #expect(try String(contentsOfFile: directory + "/log", encoding: .utf8).contains("it is no regular file"))
    }
  }

  @Test func aPipeWithoutAReaderIsRefusedAtOnce() throws {
    let directory = try makeTemporaryDirectory()
    defer { removeDirectory(directory) }
    #expect(mkfifo(directory + "/pipe", 0o600) == 0)
    let pid = try spawn(
      [
        DaemonProcess.program("starlightd"), "--socket", directory + "/socket", "--device", "none", "--record",
        directory + "/pipe",
      ], environment: [], errorsTo: directory + "/log")
    var status: Int32 = 0
    #expect(waitpid(pid, &status, 0) == pid)
    #expect(status == 1 << 8)
    let log = try String(contentsOfFile: directory + "/log", encoding: .utf8)
    #expect(log.contains("nobody reads this pipe; start its reader first"))
  }

  /// What a track needs to be opened is not there; what the daemon has keeps working, and it says what is missing.
  @Test func withoutDescriptorsATrackIsToldNotToPlayAndTheStatusIsTrue() throws {
    let directory = try makeTemporaryDirectory()
    defer { removeDirectory(directory) }
    let daemon = try DaemonProcess(
      ["--clock", "stepped"], packs: try TestPack.make(in: directory), limits: "ulimit -n 24")
    let game = try daemon.connect()
    _ = try game.call(EventsSubscribe.self, EventsSubscribe.Params())
    var others: [StarlightConnection] = []
    // The last ones are accepted once there is room again.
    while others.count < 32, let other = try? daemon.connect() { others.append(other) }
    let now = try game.call(ClockNow.self, Empty()).nowUs
    let refused = #expect(throws: (any Error).self) {
      try game.call(MusicPlay.self, MusicPlay.Params(track: "main"))
    }
    #expect("\(refused.map { "\($0)" } ?? "")".contains("track starlight-sync:main cannot be played"))
    _ = try game.call(ClockStep.self, ClockStep.Params(toUs: now + 1_000_000))
    var problems: [Problem] = []
    while let told = try game.nextNotification(timeoutUs: 0) {
      if let problem = try told.decode(as: EngineProblem.self) { problems.append(problem.problem) }
    }
    #expect(problems.contains { $0.reason.contains("Too many open files") }, "\(problems)")
    let status = try game.call(EngineStatus.self, Empty())
    #expect(status.resources.residentBytes > 1 << 20 && status.music.state == .stopped)
    withExtendedLifetime(others) { daemon.signal(SIGTERM) }
    #expect(daemon.wait() == 0)
  }
}
