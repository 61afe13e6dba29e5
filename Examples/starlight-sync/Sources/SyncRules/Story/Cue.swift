// SPDX-License-Identifier: Apache-2.0

/// A cue of the pack `starlight-sync`, by its name there: what is heard and felt at one moment. Those of Firewall are
/// fired by the daemon, as the chapter's feedback.
public struct Cue: Hashable, Sendable {
  public let name: String

  public static let press = Cue(name: "press")
  /// Begins the music, too.
  public static let snap = Cue(name: "snap")
  public static let collect = Cue(name: "collect")
  public static let tick = Cue(name: "tick")
  public static let settle = Cue(name: "settle")
  public static let solve = Cue(name: "solve")
  public static let connect = Cue(name: "connect")
  public static let wrong = Cue(name: "wrong")
  /// Fades the music out.
  public static let blueprintLeft = Cue(name: "blueprint-left")
  /// The resistance of the slider, until it is stopped.
  public static let slider = Cue(name: "slider")
  /// Ends the resistance and begins the song.
  public static let finale = Cue(name: "finale")
}
