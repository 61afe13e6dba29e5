// SPDX-License-Identifier: Apache-2.0

import CALSA
import Glibc
import Problems

/// Hardware and software parameters, asked for in order of preference and installed.
struct PCMSetup {
  let layout: DeviceLayout
  let fill: DeviceFill
  let kind: DeviceKind
  let wakes: WakeSource
  /// The device's own period, in frames: more than is written at a time where the clock wakes.
  let ownPeriod: Int
  let isMemoryMapped: Bool

  /// Configures `pcm`: interleaved, memory-mapped where it allows; the best layout; exactly the
  /// engine's rate; period and buffer always both set. `driver` is that of the card behind it, or empty.
  init(_ pcm: OpaquePointer, _ request: DeviceRequest, driver: String) throws(Problem) {
    var allocated: OpaquePointer?
    guard snd_pcm_hw_params_malloc(&allocated) >= 0, let hardware = allocated else {
      throw refused(request.name, "memory for parameters", ENOMEM)
    }
    defer { snd_pcm_hw_params_free(hardware) }
    try check(snd_pcm_hw_params_any(pcm, hardware), request.name, "any configuration")

    isMemoryMapped = snd_pcm_hw_params_set_access(pcm, hardware, SND_PCM_ACCESS_MMAP_INTERLEAVED) >= 0
    if !isMemoryMapped {
      let access = snd_pcm_hw_params_set_access(pcm, hardware, SND_PCM_ACCESS_RW_INTERLEAVED)
      try check(access, request.name, "interleaved frames")
    }
    layout = try DeviceLayout(choosing: pcm, hardware, request.name, preferred: request.layout)
    let rate = snd_pcm_hw_params_set_rate(pcm, hardware, UInt32(request.rate), 0)
    try check(rate, request.name, "\(request.rate) frames a second")

    let isHardware = snd_pcm_type(pcm) == SND_PCM_TYPE_HW
    // Plug-ins cannot say before all is chosen, and alsa-lib complains where they are asked.
    kind = DeviceKind(
      isHardware: isHardware, isBatch: isHardware && snd_pcm_hw_params_is_batch(hardware) > 0, driver: driver)
    let wanted = request.geometry(kind)
    var frames: snd_pcm_uframes_t = 0
    snd_pcm_hw_params_get_period_size_min(hardware, &frames, nil)
    wakes = WakeSource(
      writing: wanted.period, leastPeriod: Int(clamping: frames), kind: kind, needed: request.neededFill)
    frames = snd_pcm_uframes_t(wanted.period)
    let periodSet = snd_pcm_hw_params_set_period_size_near(pcm, hardware, &frames, nil)
    try check(periodSet, request.name, "periods of \(wanted.period) frames")
    var size = max(snd_pcm_uframes_t(wanted.ring), 2 * frames)
    let bufferSet = snd_pcm_hw_params_set_buffer_size_near(pcm, hardware, &size)
    try check(bufferSet, request.name, "a buffer of \(size) frames")
    try check(snd_pcm_hw_params(pcm, hardware), request.name, "these parameters together")
    snd_pcm_hw_params_get_period_size(hardware, &frames, nil)
    snd_pcm_hw_params_get_buffer_size(hardware, &size)
    guard frames >= 1, frames <= AudioThread.longestBlock, size >= 2 * frames else {
      throw refused(request.name, "a period of at most \(AudioThread.longestBlock) frames, twice in its buffer", EINVAL)
    }
    ownPeriod = Int(frames)
    fill = DeviceFill(wanted: wanted, period: ownPeriod, ring: Int(size), wakes: wakes)
    try PCMSetup.install(pcm, request.name, fill)
    if wakes.isTimer { PCMSetup.silencePlayed(pcm) }
  }

  /// No start but ours, a stop when it runs dry, a wake-up where there is room for a period, timestamps on CLOCK_MONOTONIC.
  ///
  /// The device's interrupts stay where the clock wakes: by them the kernel stops a device whose program stands still.
  private static func install(
    _ pcm: OpaquePointer, _ name: String, _ fill: DeviceFill
  ) throws(Problem) {
    var allocated: OpaquePointer?
    guard snd_pcm_sw_params_malloc(&allocated) >= 0, let software = allocated else {
      throw refused(name, "memory for parameters", ENOMEM)
    }
    defer { snd_pcm_sw_params_free(software) }
    try check(snd_pcm_sw_params_current(pcm, software), name, "its present settings")
    var boundary: snd_pcm_uframes_t = 0
    snd_pcm_sw_params_get_boundary(software, &boundary)
    snd_pcm_sw_params_set_start_threshold(pcm, software, boundary)
    snd_pcm_sw_params_set_stop_threshold(pcm, software, snd_pcm_uframes_t(fill.ring))
    snd_pcm_sw_params_set_avail_min(pcm, software, snd_pcm_uframes_t(fill.wakeRoom))
    // Where timestamps are refused the status has none, and the time of reading stands in for them.
    snd_pcm_sw_params_set_tstamp_mode(pcm, software, SND_PCM_TSTAMP_ENABLE)
    snd_pcm_sw_params_set_tstamp_type(pcm, software, SND_PCM_TSTAMP_TYPE_MONOTONIC)
    try check(snd_pcm_sw_params(pcm, software), name, "start and wake-up thresholds")
  }

  /// Has the kernel make silent what was played, so that a device which runs dry repeats nothing until it interrupts.
  ///
  /// It does so before it tells that there is room, and only behind what it told: nobody writes there meanwhile. Where that is
  /// refused the device plays all the same.
  private static func silencePlayed(_ pcm: OpaquePointer) {
    var allocated: OpaquePointer?
    guard snd_pcm_sw_params_malloc(&allocated) >= 0, let software = allocated else { return }
    defer { snd_pcm_sw_params_free(software) }
    guard snd_pcm_sw_params_current(pcm, software) >= 0 else { return }
    var boundary: snd_pcm_uframes_t = 0
    snd_pcm_sw_params_get_boundary(software, &boundary)
    guard snd_pcm_sw_params_set_silence_threshold(pcm, software, 0) >= 0,
      snd_pcm_sw_params_set_silence_size(pcm, software, boundary) >= 0
    else { return }
    snd_pcm_sw_params(pcm, software)
  }
}

private func check(_ code: Int32, _ name: String, _ what: String) throws(Problem) {
  guard code >= 0 else { throw refused(name, what, -code) }
}
