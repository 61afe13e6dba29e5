// SPDX-License-Identifier: Apache-2.0

import CALSA
import CRealTime
import Glibc
import Problems
import RealTime
import Timing

/// A PCM that is open, with what there is to say of it.
struct OpenedDevice: @unchecked Sendable {
  // Sendable because of what it points at one thread at a time is the owner.
  let device: UnsafeMutablePointer<OpenDevice>
  let description: AudioOutputDescription
  /// By which it is recognised in another run.
  let key: DeviceKey
}

/// Opens and configures a PCM for playback; where the device itself refuses the engine's rate or every format we know,
/// once more through alsa-lib's own bridge (`plughw:`, `plug:`). May block; not for the audio thread.
func openDevice(_ request: DeviceRequest) throws(Problem) -> OpenedDevice {
  do {
    return try open(request, isBridge: false)
  } catch {
    guard error.kind == .parametersRefused, let bridged = request.bridgedName else { throw error }
    var second = request
    second.name = bridged
    second.layout = DeviceLayout(of: request.name)
    return try open(second, isBridge: true)
  }
}

/// Stops, closes and frees a device. May block; not for the audio thread.
func closeDevice(_ device: UnsafeMutablePointer<OpenDevice>) {
  let open = device.pointee
  snd_pcm_drop(open.pcm)
  snd_pcm_close(open.pcm)
  open.converted.deallocate()
  device.deallocate()
}

private func open(_ request: DeviceRequest, isBridge: Bool) throws(Problem) -> OpenedDevice {
  _ = rt_alsa_last_message()
  var handle: OpaquePointer?
  // Threads of a plug-in (PulseAudio's asks for no priority) carry sound too.
  let code = startingThreads(withPriority: request.threadPriority) {
    snd_pcm_open(&handle, request.name, SND_PCM_STREAM_PLAYBACK, SND_PCM_NONBLOCK)
  }
  guard code >= 0, let pcm = handle else { throw openFailure(request.name, code) }
  do throws(Problem) {
    let card = SoundCard(of: pcm)
    let key = DeviceKey(name: request.name, card: card?.id ?? "", driver: card?.driver ?? "")
    let setup = try PCMSetup(pcm, request.adapted(to: key), driver: key.driver)
    return describe(pcm, request, setup, card, key, isBridge: isBridge)
  } catch {
    snd_pcm_close(pcm)
    throw error
  }
}

private func describe(
  _ pcm: OpaquePointer, _ request: DeviceRequest, _ setup: PCMSetup, _ card: SoundCard?, _ key: DeviceKey,
  isBridge: Bool
) -> OpenedDevice {
  let type = snd_pcm_type_name(snd_pcm_type(pcm)).map { String(cString: $0) } ?? "?"
  let isUnpaced = snd_pcm_type(pcm) == SND_PCM_TYPE_NULL
  let bridge = OutputBridge(format: setup.layout.format, channels: setup.layout.channels)
  let device = UnsafeMutablePointer<OpenDevice>.allocate(capacity: 1)
  let isFile = snd_pcm_type(pcm) == SND_PCM_TYPE_FILE
  device.initialize(
    to: OpenDevice(
      pcm: pcm, bridge: bridge, fill: setup.fill, isMemoryMapped: setup.isMemoryMapped, kind: setup.kind,
      wakes: setup.wakes, ownPeriod: setup.ownPeriod, isUnpaced: isUnpaced,
      canRest: card != nil && !isUnpaced && !isFile, isFile: isFile,
      canGrow: request.period == nil && setup.fill.frames < ReopenPolicy.longestFill,
      biasFloor: biasFloor(
        setup.kind, driver: key.driver, period: .frames(Int64(setup.fill.period), rate: request.rate)),
      converted: .allocate(byteCount: setup.fill.period * bridge.frameByteCount, alignment: 64)))
  memset(device.pointee.converted, 0, setup.fill.period * bridge.frameByteCount)
  var message = "playing on \(request.name)"
  if let card { message += " (\(card.name))" }
  message += ": \(setup.layout.format.name), \(setup.layout.channels) channels, periods of \(setup.fill.period) frames"
  if setup.wakes.isTimer {
    message += AudioOutputDescription.waking(ownPeriod: setup.ownPeriod)
  }
  if request.adapted(to: key).neededFill != nil {
    message += ", more of them ahead because it ran dry with fewer"
  }
  if isBridge { message += "; the device itself refuses \(request.rate) frames a second, so alsa-lib converts" }
  if isUnpaced { message += "; it has no pace of its own, so the clock sets it" }
  return OpenedDevice(
    device: device,
    description: AudioOutputDescription(
      device: request.name, kind: .alsa, card: card?.name, type: type, rate: request.rate, isResampled: isBridge,
      format: setup.layout.format, channels: setup.layout.channels, period: setup.fill.period,
      buffer: setup.fill.frames, isWokenByClock: setup.wakes.isTimer, isMemoryMapped: setup.isMemoryMapped,
      scheduling: .timeSharing(refusal: nil), message: message),
    key: key)
}

/// What a reading of the position may hide: USB counts in packets of up to 1 ms, sound servers in periods.
private func biasFloor(_ kind: DeviceKind, driver: String, period: Interval) -> Interval {
  guard kind.isHardware else { return period }
  return driver == DeviceKind.usbDriver ? .milliseconds(1) : .microseconds(50)
}

private func openFailure(_ name: String, _ code: Int32) -> Problem {
  let said = String(cString: rt_alsa_last_message())
  let detail = said.isEmpty ? reason(-code) : "\(reason(-code)) (\(said))"
  let found = SoundCard.all
  if name == "default", found.isEmpty, -code == ENOENT {
    return Problem(.deviceMissing, device: name, "this machine has no sound card")
  }
  let cards =
    found.isEmpty
    ? "this machine has no sound card"
    : "sound cards found: " + found.map { "hw:\($0.number) \($0.name)" }.joined(separator: ", ")
  switch -code {
  case EBUSY:
    return Problem(
      .deviceBusy, device: name, "the sound device \(name) is in use by another program",
      remedy: "close that, or play through `default`")
  case EACCES, EPERM:
    return Problem(
      .deviceDenied, device: name, "this user may not open the sound device \(name)",
      remedy: "add the user to the group `audio`")
  case ENOENT, ENODEV, ENXIO:
    return Problem(
      .deviceMissing, device: name, "cannot open the sound device \(name): \(detail); \(cards)",
      remedy: "`aplay -L` lists the names to choose from")
  default:
    return Problem(
      .deviceFailed, device: name, "cannot open the sound device \(name): \(detail); \(cards)",
      remedy: "check it with `aplay -D \(name)`")
  }
}
