// SPDX-License-Identifier: Apache-2.0

import CRealTime
import Glibc
import SeededNumbers
import Testing

@testable import AudioOutput

/// Recordings that end before their time, wherever that is, and sizes of any length.
@Suite struct RandomRecordingTests {
  /// What a pipe holds that nobody reads.
  private static let pipe = 65_536

  /// A reader takes so much, and goes.
  @Test func aRecordingThatBreaksOffIsToldAndIsWhatWasPlayedUpToThere() throws {
    signal(SIGPIPE, SIG_IGN)
    try search(upTo: 4) { random in
      let file = TemporaryFile()
      unlink(file.path)
      try hold(mkfifo(file.path, 0o600) == 0, "no pipe")
      let reader = open(file.path, O_RDONLY | O_NONBLOCK)
      var isOpen = true
      defer { if isOpen { close(reader) } }
      let wake = rt_eventfd_open()
      defer { close(wake) }
      let recorder = try Recorder(path: file.path, rate: 48_000, wake: wake)
      let frames = 20_000 + random.next(below: 30_000)
      let bytes = 94 + 8 * frames
      let played = (0..<(2 * frames)).map { Float($0) }
      // So much is left that a pipe does not hold it.
      let leaves = random.oneIn(2) ? nil : random.next(below: bytes - 2 * Self.pipe)
      var heard: [UInt8] = []
      func read() {
        var taken = [UInt8](repeating: 0, count: 1 << 16)
        while isOpen, case let count = Glibc.read(reader, &taken, min(taken.count, (leaves ?? .max) - heard.count)),
          count > 0
        {
          heard += taken[..<count]
          if heard.count == leaves {
            close(reader)
            isOpen = false
          }
        }
      }
      if leaves == 0 {
        close(reader)
        isOpen = false
      }
      var first = 0
      while first < frames {
        let count = min(1 + random.next(below: 20_000), frames - first)
        played[(2 * first)..<(2 * (first + count))].withUnsafeBufferPointer { block in
          if let base = block.baseAddress { recorder.tap.push(base, frames: count, at: Int64(first)) }
        }
        first += count
        read()
      }
      // What is there is written each second at the latest.
      let until = rt_now_ns() + 3_000_000_000
      while rt_now_ns() < until, recorder.failure == nil, heard.count + Self.pipe < bytes {
        read()
        usleep(1_000)
      }
      var waiting = pollfd(fd: wake, events: Int16(POLLIN), revents: 0)
      // The failure is there to be asked for a moment before it wakes.
      let isWoken = poll(&waiting, 1, leaves == nil ? 0 : 1_000) == 1
      let failure = recorder.failure
      let hasEnded = recorder.finish(by: .distantFuture)
      try hold(hasEnded, "it was left behind")
      let last = recorder.failure
      read()
      let what = "of \(frames) frames, of which the reader took \(leaves.map(String.init) ?? "all") bytes,"
      try hold((failure != nil) == (leaves != nil), "\(what) the end is told as \(failure as Any)")
      try hold(isWoken == (leaves != nil) && last == failure, "\(what) the end woke \(isWoken), and is \(last as Any)")
      let samples = played.withUnsafeBytes { Array($0) }
      let sound = heard.dropFirst(94)
      try hold(sound.elementsEqual(samples.prefix(sound.count)), "\(what) others came")
      try hold(leaves != nil || sound.count == samples.count, "\(what) \(sound.count) bytes came")
    }
  }

  /// A header's sizes, read by their places in the format, are those of the file, on both sides of 4 GiB.
  @Test func aHeaderTellsTheSizeOfItsFile() throws {
    try search(upTo: 200) { random in
      let encoding = random.pick([WaveWriter.Encoding.float32, .signed16])
      let channels = 1 + random.next(below: 8)
      let frame = Int64(channels * (encoding == .float32 ? 4 : 2))
      let near = (Int64(1) << 32) / frame
      let frames = random.pick([
        random.integer(0...100), random.integer(0...(near * 4)), near + random.integer(-40...40),
        random.integer(0...(1 << 45)),
      ])
      let header = WaveHeader(channels: channels, rate: 48_000, encoding: encoding, riffLimit: 0xFFFF_FFFF)
      let bytes = header.bytes(frames: frames)
      func number(_ at: Int, _ count: Int) -> UInt64 {
        bytes[at..<(at + count)].reversed().reduce(0) { $0 << 8 | UInt64($1) }
      }
      func size(_ at: Int, _ long: Int) -> UInt64 {
        let isLong = bytes.starts(with: Array("RF64".utf8))
        return isLong && number(at, 4) == 0xFFFF_FFFF ? number(long, 8) : number(at, 4)
      }
      let what = "\(frames) frames of \(frame) bytes"
      try hold(size(bytes.count - 4, 28) == UInt64(frames * frame), "\(what): data of \(size(bytes.count - 4, 28))")
      try hold(
        size(4, 20) == UInt64(frames * frame) + UInt64(bytes.count - 8), "\(what): a file of \(size(4, 20)) and 8")
    }
  }
}
