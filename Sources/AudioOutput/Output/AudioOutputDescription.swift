// SPDX-License-Identifier: Apache-2.0

import Problems
import RealTime
import Timing

/// What is playing, for `devices.list`, `engine.status` and people.
public struct AudioOutputDescription: Equatable, Sendable {
  /// What kind of output.
  public enum Kind: String, Sendable {
    /// An ALSA PCM.
    case alsa
    /// Nothing is heard; the clock paces.
    case null
  }

  /// The PCM's name as opened (`default`, `hw:0`, ...), or `none`.
  public var device: String
  /// Whether a PCM takes the frames, or the clock alone.
  public var kind: Kind
  /// The sound card's own name, where there is one behind the PCM.
  public var card: String?
  /// ALSA's type of the PCM (`HW`, `PLUG`, `IOPLUG`, ...).
  public var type: String
  /// The engine's frames a second, also the PCM's: alsa-lib bridges to hardware of another rate.
  public var rate: Int
  /// Set when alsa-lib converts the rate: what the device itself was asked for in vain.
  public var isResampled: Bool
  /// The PCM's sample format; nil for the null device.
  public var format: SampleFormat?
  /// The PCM's channels.
  public var channels: Int
  /// Frames a period.
  public var period: Int
  /// Frames kept ahead of the device.
  public var buffer: Int
  /// Whether the clock wakes for it, because the card's own periods are longer than those that are written.
  public var isWokenByClock = false
  /// How much later than the device tells it is heard, as calibrated: it is given all that much earlier.
  public var lead = Interval.zero
  /// Whether it is closed for as long as nothing is to be heard.
  public var isResting = false
  /// Whether frames are written straight into the PCM's memory.
  public var isMemoryMapped: Bool
  /// How the audio thread is scheduled.
  public var scheduling: ThreadScheduling
  /// One or more sentences for people: what plays, or what was found instead and what would help.
  public var message: String
  /// What the system granted: real-time priority, locked memory; each with its remedy where it did not.
  public var notes: [String] = []
  /// What is not as it should be, one sentence each with the remedy.
  public var problems: [Problem] = []

  /// The null device, with a message.
  static func null(rate: Int, period: Int, message: String) -> AudioOutputDescription {
    AudioOutputDescription(
      device: AudioOutputConfiguration.nullDevice, kind: .null, card: nil, type: "NONE", rate: rate,
      isResampled: false, format: nil, channels: 2, period: period, buffer: period, isMemoryMapped: false,
      scheduling: .timeSharing(refusal: nil), message: message)
  }
}
