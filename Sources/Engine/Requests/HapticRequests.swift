// SPDX-License-Identifier: Apache-2.0

import Haptics
import JSON
import Timing
import Wire

/// The haptic nouns of the socket.
extension Engine {
  /// `haptics.play`; `inline` is what a document in place of a name was compiled to, where it was already.
  public mutating func playHaptics(
    _ params: HapticsPlay.Params, inline: HapticPattern? = nil, by cause: Cause
  ) throws(RPCError) -> HapticsPlay.Result {
    let (source, pack, pattern) = try pattern(params, inline, by: cause)
    var options = HapticPlayOptions()
    let ranges = HapticsPlay.ranges
    options.gain = try ranges.gain.checked(params.gain)
    options.rate = try ranges.rate.checked(params.rate)
    options.loops = params.loop ?? ranges.loop.fallback
    options.loopEnd = loopEnd(try ranges.loopEnd.checked(params.loopEndUs))
    options.offset = .microseconds(try ranges.offset.checked(params.offsetUs))
    options.isMuted = params.mute ?? ranges.mute.fallback
    let replaced = try params.replaces.map { (id) throws(RPCError) in try playing(id) }
    let owner = HapticBoard.Owner(
      cause: cause, source: source, pack: pack, device: params.device,
      keepAfterDisconnect: .microseconds(try ranges.keepAfterDisconnect.checked(params.keepAfterDisconnectUs)))
    // What is heard and felt together begins when both can.
    let earliest =
      pattern.audioEvents.isEmpty ? turn.earliestHaptic : max(turn.earliestHaptic, turn.earliestSound)
    let (at, late) = try schedule(params.atUs, earliest: earliest)
    let player = try asked { () throws(VerbRefusal) in
      try startHaptics(
        pattern, owner: owner, options: options, replacing: replaced, at: at, isAsap: params.atUs == nil || late > .zero
      )
    }
    return HapticsPlay.Result(
      source: source, player: player.map { Int64($0.rawValue) }, skipped: player == nil ? .hapticsOff : nil,
      scheduledUs: at.microseconds, lateUs: late.microseconds,
      durationUs: options.pass(of: pattern).microseconds)
  }

  /// `haptics.transient`.
  public mutating func playTransient(
    _ params: HapticsTransient.Params, by cause: Cause
  ) throws(RPCError) -> HapticsPlay.Result {
    let ranges = HapticsTransient.ranges
    let intensity = try ranges.intensity.checked(params.intensity)
    let sharpness = try ranges.sharpness.checked(params.sharpness)
    let owner = HapticBoard.Owner(
      cause: cause, source: "transient",
      keepAfterDisconnect: .microseconds(try ranges.keepAfterDisconnect.checked(params.keepAfterDisconnectUs)))
    return try play(
      .transient(intensity: intensity, sharpness: sharpness), owner: owner, requestedUs: params.atUs)
  }

  /// `haptics.continuous`.
  public mutating func playContinuous(
    _ params: HapticsContinuous.Params, by cause: Cause
  ) throws(RPCError) -> HapticsPlay.Result {
    let ranges = HapticsContinuous.ranges
    let intensity = try ranges.intensity.checked(params.intensity)
    let sharpness = try ranges.sharpness.checked(params.sharpness)
    let duration = Interval.microseconds(try ranges.duration.checked(params.durationUs))
    let owner = HapticBoard.Owner(
      cause: cause, source: "continuous",
      keepAfterDisconnect: .microseconds(try ranges.keepAfterDisconnect.checked(params.keepAfterDisconnectUs)))
    return try play(
      .continuous(intensity: intensity, sharpness: sharpness, duration: duration), owner: owner,
      requestedUs: params.atUs)
  }

  private mutating func play(
    _ pattern: HapticPattern, owner: HapticBoard.Owner, requestedUs: Int64?
  ) throws(RPCError) -> HapticsPlay.Result {
    let (at, late) = try schedule(requestedUs, earliest: turn.earliestHaptic)
    let player = try asked { () throws(VerbRefusal) in
      try startHaptics(pattern, owner: owner, at: at, isAsap: requestedUs == nil || late > .zero)
    }
    return HapticsPlay.Result(
      source: owner.source, player: player.map { Int64($0.rawValue) }, skipped: player == nil ? .hapticsOff : nil,
      scheduledUs: at.microseconds, lateUs: late.microseconds,
      durationUs: pattern.duration.microseconds)
  }

  /// Where a looping player goes back; 0 means its pattern's end.
  func loopEnd(_ us: Int64) -> Interval? { us == 0 ? nil : .microseconds(us) }

  /// Compiles a document sent in place of a pattern's name. Only computes: any thread may call it.
  public static func inlinePattern(_ document: JSONText) throws(RPCError) -> HapticPattern {
    guard document.weight <= HapticsPlay.longestInline else {
      throw RPCError(
        .invalidParams, "ahap has more than \(HapticsPlay.longestInline) bytes, white space not counted",
        hint: "put the pattern into a pack, where it is compiled once, and play it by name")
    }
    let pattern: HapticPattern
    do throws(AHAPError) {
      pattern = HapticPattern(try AHAPDocument.parse(document.bytes, name: "ahap").document)
    } catch {
      throw RPCError(.invalidParams, "ahap cannot be read: \(error)", hint: "starlight lint FILE tells more")
    }
    if let event = pattern.audioEvents.first(where: { $0.source != .tone }),
      case .waveform(let path, _) = event.source
    {
      throw RPCError(
        .invalidParams, "ahap names a sound file, \(excerpt(path)), which an inline document may not",
        hint: "put the pattern and the file into a pack, and play it by name")
    }
    return pattern
  }

  private func pattern(
    _ params: HapticsPlay.Params, _ inline: HapticPattern?, by cause: Cause
  ) throws(RPCError) -> (source: String, pack: PackGeneration?, pattern: HapticPattern) {
    switch (params.pattern, params.ahap) {
    case (let name?, nil):
      let (key, pattern, pack) = try asset(.pattern, name, in: \.patterns, by: cause)
      return (key.description, pack, pattern)
    case (nil, let document?):
      if let inline { return ("inline", nil, inline) }
      return ("inline", nil, try Self.inlinePattern(document))
    default:
      throw RPCError(
        .invalidParams, "haptics.play wants either pattern, a name, or ahap, a document",
        hint: "\(method: "pack.list") names every pattern")
    }
  }
}
