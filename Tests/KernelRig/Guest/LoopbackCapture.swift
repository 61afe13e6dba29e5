// SPDX-License-Identifier: Apache-2.0

import CALSA
import CRealTime
import Glibc

/// Writes what comes out of the loopback card until SIGTERM, and at its end when each block of it was there. A card that
/// goes away is opened again as soon as it is back.
struct LoopbackCapture {
  let device: String
  /// The playing side has to take the same.
  let layout: SampleLayout
  let output: String

  func run() -> Int32 {
    Witness.takeItsPlace()

    let frameBytes = layout.frameBytes
    // Not kept in memory: an array that grows is copied whole, and what is watched waits for it.
    let raw = open(output + ".raw", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard raw >= 0 else { return refuse() }
    var captured = 0
    var block = [UInt8](repeating: 0, count: 8_192 * frameBytes)
    var stamps: [(index: Int, ns: Int64)] = []
    stamps.reserveCapacity(32_768)
    var breaks: [Int] = []
    var suspensions: [Int64] = []
    var pcm: OpaquePointer?
    while !Witness.isEnding {
      guard let open = pcm else {
        pcm = openCard()
        if pcm == nil { usleep(5_000) } else { try? writeFile(output + ".ready", "") }
        continue
      }
      var status = rt_alsa_status_t()
      let waited = rt_alsa_wait(open, 100)
      let isThere = rt_alsa_status(open, &status) == 0
      if isThere, status.state == Int32(bitPattern: SND_PCM_STATE_SUSPENDED.rawValue), snd_pcm_resume(open) == 0 {
        // What it holds is kept, and what follows comes later.
        breaks.append(captured + Int(status.available))
        suspensions.append(rt_now_ns())
        continue
      }
      guard waited >= 0, isThere,
        status.state == Int32(bitPattern: SND_PCM_STATE_RUNNING.rawValue)
      else {
        breaks.append(captured)
        snd_pcm_close(open)
        pcm = nil
        continue
      }
      stamps.append((captured + Int(status.available), status.timestamp_ns))
      let count = snd_pcm_readi(open, &block, min(8_192, snd_pcm_uframes_t(max(0, status.available))))
      guard count > 0 else { continue }
      guard write(raw, block, count * frameBytes) == count * frameBytes else { return refuse() }
      captured += count
    }
    close(raw)
    do {
      try writeFile(output + ".stamps", stamps.map { "\($0.index) \($0.ns)\n" }.joined())
      try writeFile(output + ".breaks", breaks.map { "\($0)\n" }.joined())
      try writeFile(output + ".suspensions", suspensions.map { "\($0)\n" }.joined())
      return 0
    } catch {
      complain("capture: \(error)")
      return 1
    }
  }

  /// Tells that the frames cannot be written, and the code to end with.
  private func refuse() -> Int32 {
    complain("capture: cannot write \(output).raw: \(String(cString: strerror(errno)))")
    return 1
  }

  private func openCard() -> OpaquePointer? {
    var handle: OpaquePointer?
    guard snd_pcm_open(&handle, device, SND_PCM_STREAM_CAPTURE, Int32(SND_PCM_NONBLOCK)) >= 0, let pcm = handle else {
      return nil
    }
    guard configure(pcm), snd_pcm_start(pcm) >= 0 else {
      snd_pcm_close(pcm)
      return nil
    }
    return pcm
  }

  private func configure(_ pcm: OpaquePointer) -> Bool {
    var hardware: OpaquePointer?
    var software: OpaquePointer?
    snd_pcm_hw_params_malloc(&hardware)
    snd_pcm_sw_params_malloc(&software)
    guard let hardware, let software else { return false }
    defer {
      snd_pcm_hw_params_free(hardware)
      snd_pcm_sw_params_free(software)
    }
    // The loopback tells time in ticks of 4 ms whatever the period, and wakes where a period ends and there is one to be read:
    // of one that is no longer than a tick at any rate, at each tick. The buffer outlasts any stall of the guest.
    var period: snd_pcm_uframes_t = 128
    var buffer: snd_pcm_uframes_t = 65_536
    return snd_pcm_hw_params_any(pcm, hardware) >= 0
      && snd_pcm_hw_params_set_access(pcm, hardware, SND_PCM_ACCESS_RW_INTERLEAVED) >= 0
      && snd_pcm_hw_params_set_format(pcm, hardware, layout.alsa) >= 0
      && snd_pcm_hw_params_set_channels(pcm, hardware, UInt32(layout.channels)) >= 0
      && snd_pcm_hw_params_set_rate(pcm, hardware, UInt32(layout.rate), 0) >= 0
      && snd_pcm_hw_params_set_period_size_near(pcm, hardware, &period, nil) >= 0
      && snd_pcm_hw_params_set_buffer_size_near(pcm, hardware, &buffer) >= 0
      && snd_pcm_hw_params(pcm, hardware) >= 0
      && snd_pcm_sw_params_current(pcm, software) >= 0
      && snd_pcm_sw_params_set_tstamp_mode(pcm, software, SND_PCM_TSTAMP_ENABLE) >= 0
      && snd_pcm_sw_params_set_tstamp_type(pcm, software, SND_PCM_TSTAMP_TYPE_MONOTONIC) >= 0
      && snd_pcm_sw_params(pcm, software) >= 0
  }
}

/// A capture under way in a process of its own.
final class Capturing {
  private let process: ChildProcess
  private let output: String
  private let layout: SampleLayout

  /// Starts it; unless told otherwise, waits until it captures.
  init(_ name: String, layout: SampleLayout = SampleLayout(), waits: Bool = true) throws {
    output = Places.work + "/\(name)-capture"
    self.layout = layout
    unlink(output + ".ready")
    let capture = LoopbackCapture(device: "hw:Loopback,1,0", layout: layout, output: output)
    process = try ChildProcess(log: Places.results + "/\(name)-capture.log") { capture.run() }
    if waits { try wait(upTo: 10, for: "the capture") { isReady } }
  }

  /// Whether it has opened the card.
  var isReady: Bool { access(output + ".ready", F_OK) == 0 }

  /// Ends it and reads what it got.
  func finish() throws -> Captured {
    process.signal(SIGTERM)
    guard process.wait() == 0 else { throw RigFailure("the capture failed") }
    let stamps = readText(output + ".stamps").split(separator: "\n").compactMap { line -> (index: Int, ns: Int64)? in
      let words = line.split(separator: " ")
      guard words.count == 2, let index = Int(words[0]), let ns = Int64(words[1]) else { return nil }
      return (index, ns)
    }
    let breaks = readText(output + ".breaks").split(separator: "\n").compactMap { Int($0) }
    let suspensions = readText(output + ".suspensions").split(separator: "\n").compactMap { Int64($0) }
    return Captured(
      sound: Sound(raw: readFile(output + ".raw"), layout: layout), rate: layout.rate, stamps: stamps, breaks: breaks,
      suspensionsUs: suspensions.map { $0 / 1_000 })
  }
}

/// What was captured, and when.
struct Captured {
  var sound: Sound
  /// Frames a second.
  let rate: Int
  /// So many frames had been captured at that instant.
  var stamps: [(index: Int, ns: Int64)]
  /// Where the card was lost, or slept.
  var breaks: [Int]
  /// When it was found asleep.
  var suspensionsUs: [Int64] = []

  /// When a frame was played, in microseconds. The card moves by ticks, so that a reading can only be late: the earliest
  /// of those within half a second is the truth.
  func instantUs(of frame: Int) -> Int64? {
    let low = breaks.last { $0 <= frame } ?? 0
    let high = breaks.first { $0 > frame } ?? Int.max
    let near = stamps.filter { abs($0.index - frame) < rate / 2 && $0.index > low && $0.index <= high }
    let ns = near.map { Double($0.ns) - Double($0.index - frame) * 1e9 / Double(rate) }.min()
    return ns.map { Int64(($0 / 1_000).rounded()) }
  }
}
