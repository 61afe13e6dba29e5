// SPDX-License-Identifier: Apache-2.0

/// What there is to say of a device that was let go or does not answer.
extension DeviceKeeper {
  /// `known` is what was told of it.
  func lossDescription(
    _ opened: OpenedDevice, _ reason: ReleaseReason, of known: AudioOutputDescription
  ) -> AudioOutputDescription {
    if reason == .resting { return restDescription(known) }
    return silence(
      opened,
      opened.device.pointee.isUnwritable(after: reason)
        ? "cannot be written to; make room or a reader for it, and start starlightd again"
        : "\(reason.phrase); trying to open it again")
  }

  /// It is closed, and as good as there.
  private func restDescription(_ known: AudioOutputDescription) -> AudioOutputDescription {
    var description = known
    let card = description.card.map { " (\($0))" } ?? ""
    description.isResting = true
    description.message =
      "resting: \(request.name)\(card) is closed while nothing is to be heard, and opened in time for what is"
    return description
  }

  /// While a thread hangs in it.
  func hangDescription(_ opened: OpenedDevice) -> AudioOutputDescription {
    silence(
      opened,
      opened.device.pointee.isFile
        ? "does not answer; have something read it, and start starlightd again"
        : "does not answer; if it is a sound server, restart that; it is opened again once it answers")
  }

  private func silence(_ opened: OpenedDevice, _ what: String) -> AudioOutputDescription {
    .null(
      rate: request.rate, period: opened.device.pointee.period,
      message: "silent, paced by the clock: the sound device \(request.name) \(what)")
  }
}

extension ReleaseReason {
  /// What happened, in words that follow the device's name.
  var phrase: String {
    switch self {
    case .gone: "went away"
    case .failing: "could not be started again"
    case .stalled: "took no more frames for three seconds"
    case .suspended: "slept for more than three seconds"
    case .unstable: "ran dry too often with periods so short"
    case .hanging: "did not answer for a while"
    case .resting: "rests"
    }
  }
}
