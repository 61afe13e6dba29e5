// SPDX-License-Identifier: Apache-2.0

import AudioOutput
import ControlInput
import Files
import Glibc
import Timing
import Tracing
import Wire

/// What a host is started with.
public struct HostConfiguration: Sendable {
  /// Whether time runs by itself or by `clock.step`.
  public var clock = ClockKind.live
  /// Folders that are packs or hold them, named by hand: of packs of one name the first counts, and the other is a problem.
  public var packFolders: [String] = []
  /// Folders looked in behind these by habit: a pack in one of them gives way to one of its name further ahead.
  public var usualPackFolders: [String] = []
  /// The pack whose names need no prefix; the first with tracks or sounds when missing.
  public var activePack: String?
  /// The engine's frames a second, 8 000...192 000.
  public var rate = 48_000
  /// The ALSA device; `default` when missing, `none` for the clock alone.
  public var audioDevice: String?
  /// Frames a period; the device's usual when missing.
  public var period: Int?
  /// How long nothing is heard before a sound card is let go; nil for never.
  public var idle: Interval? = IdlePolicy.standardIdle
  /// A WAV file of everything that is played.
  public var recordPath: String?
  /// The pads to be felt: `all`, `none`, or names and paths with commas between. All when missing; none on a stepped clock.
  public var haptics: String?
  /// An NDJSON file of everything that is felt; nowhere when missing.
  public var hapticLogPath: String?
  /// Stepped clock only: how much earlier than it is felt a pad would have to be told of it. The log needs no time.
  public var steppedHapticLead = Interval.zero

  /// Whether `rhythm.bind` may name devices that are no game pads.
  public var allowsKeyboards = false
  /// The input devices that can be bound; those of the system when missing, and none on a stepped clock.
  public var controls: (any ControlSystem)?

  /// The user whose clients may have packs read.
  public var owner = geteuid()

  /// Whether packs are read again whenever something in their folders was saved.
  public var watchesPacks = false

  /// Where what devices turned out to need is kept from one run to the next; nowhere when missing.
  public var stateFolder: String?

  /// A file of all that the engine is told, by which the run can be done again; nowhere when missing.
  public var journalPath: String?

  /// The longest that it may become, in bytes.
  var mostJournalBytes = JournalFile.mostBytes

  /// What a journal that is replayed begins with; nil for a run of its own.
  var replayed: JournalHead?

  /// How long all files together are waited for at the end.
  var filePatience = Interval.milliseconds(UnansweredFile.patience)

  /// How many records of what was done are kept.
  var traceRecords = TraceTable.capacity

  /// The defaults: live, 48 kHz, the default device.
  public init() {}
}

/// Why a host could not be put together.
public struct HostError: Error, Sendable, CustomStringConvertible {
  /// The thing, the reason and the remedy.
  public let message: String
  /// What belongs to it, a line each: what was found instead, what is wrong with it.
  public let details: [String]

  init(_ message: String, details: [String] = []) {
    self.message = message
    self.details = details
  }

  /// The message, and the details behind it.
  public var description: String { ([message] + details).joined(separator: "; ") }
}
