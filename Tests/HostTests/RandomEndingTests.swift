// SPDX-License-Identifier: Apache-2.0

import CRealTime
import FoundationEssentials
import Glibc
import HangingDisk
import Journal
import SeededNumbers
import Testing
import Timing
import Wire

@testable import Host

/// Hosts that end while some of their files are on a disk that does not answer, or is slow to.
@Suite(.enabled(if: HangingDisk.isPossible, "needs root and /dev/fuse"), .serialized) struct RandomEndingTests {
  private static let names = ["settings.json", "heard.wav", "felt.ndjson", "journal"]

  /// Has the disk answer again after so long, unless it went before: whoever waits for it however long comes back then.
  private final class Patience: Sendable {
    private let event = rt_waiter_event()
    private let thread: pthread_t

    init(_ disk: HangingDisk, milliseconds: Int32) {
      let work = Unmanaged.passRetained(Work(disk: disk, event: event, milliseconds: milliseconds))
      var thread = pthread_t()
      pthread_create(&thread, nil, answerLater, work.toOpaque())
      self.thread = thread
    }

    deinit {
      rt_waiter_wake(event)
      pthread_join(thread, nil)
      close(event)
    }
  }

  fileprivate final class Work {
    let disk: HangingDisk
    let event: Int32
    let milliseconds: Int32

    init(disk: HangingDisk, event: Int32, milliseconds: Int32) {
      (self.disk, self.event, self.milliseconds) = (disk, event, milliseconds)
    }
  }

  private func host(_ place: (String) -> String, patience: Interval, folder: String) throws -> Host {
    var configuration = HostConfiguration()
    configuration.packFolders = []
    configuration.audioDevice = "none"
    configuration.haptics = "none"
    configuration.stateFolder = place("settings.json")
    configuration.recordPath = place("heard.wav") + "/heard.wav"
    configuration.hapticLogPath = place("felt.ndjson") + "/felt.ndjson"
    configuration.journalPath = place("journal") + "/journal"
    configuration.filePatience = patience
    return try Host(configuration)
  }

  /// What hangs is left behind and told, each by its file; what is only slow is waited for, and all else is whole.
  @Test func theEndComesWhateverHangsAndTellsOfThatAlone() throws {
    try search(upTo: 6) { random in
      let disk = try HangingDisk()
      let folder = FileManager.default.temporaryDirectory.path + "/starlight-ending-" + UUID().uuidString
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(atPath: folder) }
      let onDisk = Set(Self.names.filter { _ in random.oneIn(2) })
      let isDead = !random.oneIn(3)
      let isChanged = !random.oneIn(4)
      func place(_ name: String) -> String { onDisk.contains(name) ? disk.path : folder }
      let host = try host(place, patience: isDead ? .milliseconds(100) : .seconds(60), folder: folder)
      disk.hang()
      if isChanged {
        host.beginTurn()
        _ = try host.engine.changeSettings(SettingsSet.Params(musicVolume: 0.25), by: .daemon)
        host.carryOutActions()
      }
      var patience: Patience? = Patience(disk, milliseconds: isDead ? 4_000 : 300)
      let told = Set(host.stop().compactMap { $0.where.file?.split(separator: "/").last.map(String.init) })
      patience = nil
      _ = patience
      let hanging = isDead ? onDisk.subtracting(isChanged ? [] : ["settings.json"]) : []
      let what = "with \(onDisk.sorted()) on a disk that \(isDead ? "hangs" : "is slow")"
      try hold(told == hanging, "\(what), of \(hanging.sorted()) \(told.sorted()) are told")
      try hold(host.hasLeftBehind == !hanging.isEmpty, "\(what), something left behind is \(host.hasLeftBehind)")
      try hold(host.hasIncompleteFile == !hanging.isEmpty, "\(what), something not whole is \(host.hasIncompleteFile)")
      disk.answerAgain()
      for name in Self.names where !hanging.contains(name) && (isChanged || name != "settings.json") {
        let bytes = try Array(Data(contentsOf: URL(filePath: place(name) + "/" + name)))
        switch name {
        case "settings.json":
          try hold(String(decoding: bytes, as: UTF8.self).contains("0.25"), "\(what), settings are lost")
        case "journal":
          try hold(try JournalReader(bytes).records.last?.kind == .end, "\(what), the journal has no end")
        case "heard.wav": try hold(bytes.count >= 94, "\(what), the recording has no header")
        default: break
        }
      }
    }
  }
}

private func answerLater(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let argument else { return nil }
  let work = Unmanaged<RandomEndingTests.Work>.fromOpaque(argument).takeRetainedValue()
  var waiting = pollfd(fd: work.event, events: Int16(POLLIN), revents: 0)
  if poll(&waiting, 1, work.milliseconds) == 0 { work.disk.answerAgain() }
  return nil
}
