// SPDX-License-Identifier: Apache-2.0

import FreefallRules

/// What the command line asks for.
struct Options {
  var socket: String?
  var state: String?
  var log: String?
  var seed: UInt64 = 1
  var levels = "Levels"
  /// Who has not played before has done all levels before this one.
  var first: LevelName?
  /// Play ends behind this level, and its intermission where one comes.
  var last = LevelName(world: 4, number: 10)
  /// Cues that the front end does not fire.
  var dropped: Set<String> = []
  /// SIGKILL of itself, so long after a level was entered.
  var kill: Moment?
  /// Where somebody is to kill the daemon and start another: a line is printed, and both are waited for.
  var daemonLoss: Moment?

  /// Where the system is to sleep: a line is printed.
  var sleep: Moment?
  /// How often, in microseconds, a picture takes a fifth of a second to draw; nil for never.
  var stallEveryUs: Int64?
  /// Whether it makes mistakes, pauses and turns its switches.
  var isClumsy = true
  /// How the switches stand at first of a player who turns all of them at every moment; nil for one who does not.
  var restless: Restless?

  /// So long after a level was entered for the first time.
  struct Moment {
    let level: LevelName
    let afterUs: Int64

    /// `W1L3:US`.
    init?(_ text: String) {
      let parts = text.split(separator: ":")
      guard parts.count == 2, let level = LevelName(String(parts[0])), let us = Int64(parts[1]), us >= 0 else {
        return nil
      }
      self.level = level
      afterUs = us
    }
  }

  static let usage = """
    usage: freefall-player [--socket PATH] [--state FOLDER] [--log FILE] [--seed N] [--levels FOLDER] [--from LEVEL]
                           [--until LEVEL] [--leave-out NAME]... [--kill-self LEVEL:US] [--kill-daemon LEVEL:US] [--sleep LEVEL:US]
                           [--stall-every US] [--deft] [--restless SOUND,TOUCH,MUSIC]
    Plays Freefall from where the player left it to the end, as a person does who knows its levels. With a daemon on the
    stepped clock it steps the clock itself. LEVEL is W1L1 to W4L10.
    """

  /// Nil where the arguments are none of these.
  init?(_ arguments: [String]) {
    var rest = arguments[...]
    while let option = rest.popFirst() {
      if option == "--deft" {
        isClumsy = false
        continue
      }
      guard let value = rest.popFirst() else { return nil }
      switch option {
      case "--socket": socket = value
      case "--state": state = value
      case "--log": log = value
      case "--levels": levels = value
      case "--leave-out": dropped.insert(value)
      case "--restless":
        guard let switches = Restless(value) else { return nil }
        restless = switches
      case "--sleep":
        guard let moment = Moment(value) else { return nil }
        sleep = moment
      case "--stall-every":
        guard let us = Int64(value), us > 0 else { return nil }
        stallEveryUs = us
      case "--seed":
        guard let number = UInt64(value) else { return nil }
        seed = number
      case "--from":
        guard let level = LevelName(value) else { return nil }
        first = level
      case "--until":
        guard let level = LevelName(value) else { return nil }
        last = level
      case "--kill-self":
        guard let moment = Moment(value) else { return nil }
        kill = moment
      case "--kill-daemon":
        guard let moment = Moment(value) else { return nil }
        daemonLoss = moment
      default: return nil
      }
    }
  }
}
