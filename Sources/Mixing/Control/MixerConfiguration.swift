// SPDX-License-Identifier: Apache-2.0

/// What a mixer is built for. Nothing in it changes while the mixer lives.
public struct MixerConfiguration: Equatable, Sendable {
  /// Frames a second, of every source and of the output.
  public var rate: Int
  /// How far ahead of the output voices are mixed, so that the limiter sees what comes. Part of the output's lead.
  /// A multiple of 16, at least 32.
  public var lookaheadFrames: Int
  /// Effects (every bus but music) that sound at once before one is stolen.
  public var effectVoices: Int
  /// Further slots in which stolen effects fade out.
  public var effectReserve: Int
  /// How many slots of effects each owner has to itself, and how many owners there are at most. Of the slots beyond those one
  /// user has two thirds of what it leaves to others: so many, that one that has all voices replaces all of them at once.
  public var slotsOfAnOwner: Int
  public var owners: Int
  /// Music voices that sound at once before one is stolen.
  public var musicVoices: Int
  /// Further slots in which stolen music fades out.
  public var musicReserve: Int
  /// Commands that may be under way at once, those planned for later included.
  public var commandCapacity: Int
  /// How many families voices may belong to.
  public var families: Int
  /// Whether the calls of the mixer are noted (`MixerNote`), so that they can be made again.
  public var keepsNotes = false

  /// The defaults suit a game: 64 effects, 8 pieces of music, 1 ms of look-ahead. Frames of look-ahead are rounded up.
  public init(
    rate: Int = 48_000, lookaheadFrames: Int? = nil, effectVoices: Int = 64, effectReserve: Int = 384,
    musicVoices: Int = 8, musicReserve: Int = 8, commandCapacity: Int = 4096, families: Int = 0,
    slotsOfAnOwner: Int = 4, owners: Int = 64
  ) {
    self.rate = max(rate, 1_000)
    self.lookaheadFrames = (max(lookaheadFrames ?? self.rate / 1_000, 32) + 15) / 16 * 16
    self.effectVoices = max(effectVoices, 1)
    self.effectReserve = max(effectReserve, 0)
    self.slotsOfAnOwner = max(slotsOfAnOwner, 1)
    self.owners = max(owners, 1)
    self.musicVoices = max(musicVoices, 1)
    self.musicReserve = max(musicReserve, 0)
    self.commandCapacity = max(commandCapacity, 16)
    self.families = min(max(families, 0), 1 << 20)
  }

  /// The shortest ramp without a click: 5 ms.
  public var declickFrames: Int { rate * 5 / 1_000 }
}
