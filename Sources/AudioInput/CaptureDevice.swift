// SPDX-License-Identifier: Apache-2.0

import CALSA
import CRealTime
import Glibc
import Problems
import Timing

/// A PCM that is open for capture, and runs.
struct CaptureDevice: ~Copyable {
  let pcm: OpaquePointer
  let name: String
  let layout: CaptureLayout
  let rate: Int
  let isHardware: Bool
  let period: Int

  /// Frames that the device may hold unread: more than any stall of this program.
  private static let buffer: snd_pcm_uframes_t = 65_536
  /// Frames between two looks at it.
  private static let wantedPeriod: snd_pcm_uframes_t = 256

  /// Opens and starts the PCM `name` at `rate` frames a second, with at least `channels` channels.
  static func open(_ name: String, rate: Int, channels: Int) throws(Problem) -> CaptureDevice {
    rt_alsa_capture_messages()
    _ = rt_alsa_last_message()
    var handle: OpaquePointer?
    let code = snd_pcm_open(&handle, name, SND_PCM_STREAM_CAPTURE, SND_PCM_NONBLOCK)
    guard code >= 0, let pcm = handle else { throw openFailure(name, code) }
    do throws(Problem) {
      let (layout, period) = try configure(pcm, name, rate, channels)
      let started = snd_pcm_start(pcm)
      guard started >= 0 else { throw refused(name, "to start", started) }
      return CaptureDevice(
        pcm: pcm, name: name, layout: layout, rate: rate, isHardware: snd_pcm_type(pcm) == SND_PCM_TYPE_HW,
        period: period)
    } catch {
      snd_pcm_close(pcm)
      throw error
    }
  }

  private init(pcm: OpaquePointer, name: String, layout: CaptureLayout, rate: Int, isHardware: Bool, period: Int) {
    self.pcm = pcm
    self.name = name
    self.layout = layout
    self.rate = rate
    self.isHardware = isHardware
    self.period = period
  }

  deinit { snd_pcm_close(pcm) }

  /// What a reading may hide: a sound server's position moves by what it hands over at once.
  var biasFloor: Interval { isHardware ? .microseconds(50) : .frames(Int64(period), rate: rate) }

  private static func configure(
    _ pcm: OpaquePointer, _ name: String, _ rate: Int, _ least: Int
  ) throws(Problem) -> (CaptureLayout, period: Int) {
    var allocated: OpaquePointer?
    var other: OpaquePointer?
    guard snd_pcm_hw_params_malloc(&allocated) >= 0, let hardware = allocated else {
      throw refused(name, "memory for parameters", -ENOMEM)
    }
    defer { snd_pcm_hw_params_free(hardware) }
    guard snd_pcm_sw_params_malloc(&other) >= 0, let software = other else {
      throw refused(name, "memory for parameters", -ENOMEM)
    }
    defer { snd_pcm_sw_params_free(software) }
    try check(snd_pcm_hw_params_any(pcm, hardware), name, "any configuration")
    try check(snd_pcm_hw_params_set_access(pcm, hardware, SND_PCM_ACCESS_RW_INTERLEAVED), name, "interleaved frames")
    guard
      let format = CaptureLayout.Format.allCases.first(where: {
        snd_pcm_hw_params_set_format(pcm, hardware, $0.alsa) >= 0
      })
    else { throw refused(name, "samples of 16 or 32 bits, or floats", -EINVAL) }
    let counts = CaptureLayout.channelCounts.filter { $0 >= least }
    guard let channels = counts.first(where: { snd_pcm_hw_params_set_channels(pcm, hardware, UInt32($0)) >= 0 }) else {
      throw refused(name, "\(least) or more channels", -EINVAL)
    }
    try check(
      snd_pcm_hw_params_set_rate(pcm, hardware, UInt32(rate), 0), name, "\(rate) frames a second, as the daemon plays")
    var period = wantedPeriod
    try check(snd_pcm_hw_params_set_period_size_near(pcm, hardware, &period, nil), name, "periods of \(period) frames")
    var buffer = max(Self.buffer, 2 * period)
    try check(snd_pcm_hw_params_set_buffer_size_near(pcm, hardware, &buffer), name, "a buffer of \(buffer) frames")
    try check(snd_pcm_hw_params(pcm, hardware), name, "these parameters together")
    snd_pcm_hw_params_get_period_size(hardware, &period, nil)
    try check(snd_pcm_sw_params_current(pcm, software), name, "its present settings")
    snd_pcm_sw_params_set_avail_min(pcm, software, period)
    // Where stamps are refused the status has none, and the time of reading stands in for them.
    snd_pcm_sw_params_set_tstamp_mode(pcm, software, SND_PCM_TSTAMP_ENABLE)
    snd_pcm_sw_params_set_tstamp_type(pcm, software, SND_PCM_TSTAMP_TYPE_MONOTONIC)
    try check(snd_pcm_sw_params(pcm, software), name, "wake-ups by period")
    return (CaptureLayout(format: format, channels: channels), Int(period))
  }

  private static func check(_ code: Int32, _ name: String, _ what: String) throws(Problem) {
    if code < 0 { throw refused(name, what, code) }
  }

  private static func refused(_ name: String, _ what: String, _ code: Int32) -> Problem {
    Problem(
      .parametersRefused, device: name,
      "the capture device \(name) refuses \(what): \(String(cString: strerror(-code)))",
      remedy: name.hasPrefix("hw:") ? "capture through `plug\(name)`" : "choose another, `arecord -L` lists them")
  }

  private static func openFailure(_ name: String, _ code: Int32) -> Problem {
    let said = String(cString: rt_alsa_last_message())
    let reason = String(cString: strerror(-code)) + (said.isEmpty ? "" : " (\(said))")
    let (kind, remedy): (Problem.Kind, String) =
      switch -code {
      case EBUSY: (.deviceBusy, "close what captures from it")
      case EACCES, EPERM: (.deviceDenied, "add the user to the group `audio`")
      default: (.deviceMissing, "`arecord -L` lists the names to choose from")
      }
    return Problem(kind, device: name, "cannot capture from \(name): \(reason)", remedy: remedy)
  }
}
