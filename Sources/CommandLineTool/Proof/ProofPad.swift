// SPDX-License-Identifier: Apache-2.0

import HapticInput
import Problems
import StarlightClient
import Wire

/// Which pad a proof plays its taps on.
enum ProofPad: Equatable {
  /// None: nothing is felt.
  case none
  /// One of this program's own, which tells what reaches it.
  case virtual
  /// A real one, felt by channel `channel` of the capture; of that name or path where one was named.
  case real(name: String?, channel: Int)

  /// What `--pad` says for a pad of this program's own.
  static let virtualName = "virtual"

  /// As `--pad` and `--felt-by` say.
  init(pad: String?, feltBy channel: Int?) throws(ToolFailure) {
    switch (pad, channel) {
    case (nil, nil): self = .none
    case (Self.virtualName, nil): self = .virtual
    case (Self.virtualName, _):
      throw .usage("a virtual pad moves nothing that `--felt-by` could feel", hint: "give one of them, or `--pad NAME`")
    case (let name, let channel?): self = .real(name: name, channel: channel)
    case (let name?, nil):
      throw .usage(
        "no pad tells when it moves, and so \(name) cannot be felt alone",
        hint: "add `--felt-by CHANNEL` for an accelerometer or a contact microphone on it, or take `--pad virtual`")
    }
  }

  var isFelt: Bool { self != .none }

  /// Throws where a real pad is to be felt, and of those that there are none plays.
  func check(_ outputs: [EngineStatus.HapticOutput], areHapticsOn: Bool) throws(ToolFailure) {
    if isFelt, !areHapticsOn {
      throw ToolFailure("haptics are switched off", hint: "`starlight settings haptics on`")
    }
    guard case .real(let name, let channel) = self else { return }
    let pads = outputs.filter(\.kind.isFelt)
    let meant = pads.filter { pad in name.map { pad.answers(to: $0) } ?? true }
    if meant.contains(where: \.plays) { return }
    if let silent = meant.first { throw silent.whyItIsSilent }
    if let name {
      throw ToolFailure(
        "no pad is called \(name)",
        hint: pads.isEmpty ? Self.plugIn : "there are: \(pads.map(\.name).joined(separator: ", "))",
        kind: .unknownName)
    }
    throw ToolFailure("no pad is there that could be felt on channel \(channel)", hint: Self.plugIn)
  }

  private static let plugIn = "plug one in, or take `--pad virtual`; `starlight doctor` tells why one is not used"
}

extension EngineStatus.HapticOutput {
  /// As `--haptics` of the daemon names pads.
  fileprivate func answers(to text: String) -> Bool {
    path == text || name.lowercased().contains(text.lowercased())
  }

  fileprivate var plays: Bool { state == .ready && gain > 0 }

  /// Why nothing is felt on it, and what to do about it.
  fileprivate var whyItIsSilent: ToolFailure {
    switch state {
    case .ready:
      ToolFailure(
        "the pad \(name) is at gain 0",
        hint: "`starlight call devices.set '{\"device\":\"\(path ?? name)\",\"gain\":1}'`")
    case .unplugged: ToolFailure("the pad \(name) is unplugged", hint: "plug it in again")
    case .denied, .failed:
      ToolFailure(
        problem?.cause ?? "the pad \(name) does not play", hint: problem?.remedy ?? "`starlight doctor` tells why")
    }
  }
}

/// A pad of this program's own that the daemon has taken: gone with it, and unplugged when let go of.
final class TakenPad {
  /// How long before it is felt the daemon tells it.
  let leadUs: Int64
  private let pad: VirtualPad

  /// How long a daemon may take: where udev grants access, it looks again a second later.
  private static let patienceUs: Int64 = 5_000_000

  /// Plugs it in and waits for the daemon.
  init(_ connection: StarlightConnection, _ signals: borrowing SignalWatch) throws(ToolFailure) {
    let pad: VirtualPad
    do throws(Problem) { pad = try VirtualPad() } catch { throw ToolFailure(error, kind: .failed) }
    do throws(ToolFailure) {
      leadUs = try Self.wait(for: pad, connection, signals)
    } catch {
      pad.unplug()
      throw error
    }
    self.pad = pad
  }

  deinit { pad.unplug() }

  /// When it was told to move.
  var touch: ProofTouch { .told(atUs: pad.beginnings.map(\.microseconds), leadUs: leadUs) }

  private static func wait(
    for pad: VirtualPad, _ connection: StarlightConnection, _ signals: borrowing SignalWatch
  ) throws(ToolFailure) -> Int64 {
    let until = nowUs() + patienceUs
    while true {
      let outputs = try connection.ask(EngineStatus.self, Empty()).haptics
      let found = outputs.first { $0.path == pad.path && $0.kind.isFelt }
      if let found, found.plays { return found.leadUs }
      try signals.endIfAsked()
      if nowUs() >= until {
        if let found { throw found.whyItIsSilent }
        throw ToolFailure(
          "starlightd does not take the pad \(VirtualPad.name) at \(pad.path)",
          hint: "it has to run on this machine and to be told of all pads, `--haptics all`")
      }
      _ = waitReadable([signals.descriptor], microseconds: 50_000)
    }
  }
}
