// SPDX-License-Identifier: Apache-2.0

import SyncFrontEnd
import SyncRules

/// What a player is told on its command line.
struct Options {
  var socket: String?
  var state: String?
  var log: String?
  var seed: UInt64 = 1
  /// Cues and methods that the front end leaves out.
  var leftOut: Set<String> = []
  /// How long into which chapters this program kills itself, in microseconds of the game's clock.
  var killsSelf: [Int: Int64] = [:]
  /// Likewise, where it asks for its daemon's death.
  var killsDaemon: [Int: Int64] = [:]
  /// Likewise, where it asks for the system to sleep.
  var sleeps: [Int: Int64] = [:]
  /// How often, in microseconds, a picture takes a fifth of a second to draw; nil for never.
  var stallEveryUs: Int64?
  /// The chapter that was reached before, where nothing is stored.
  var firstChapter = 1
  /// The chapter after which it is enough; 6 is the end.
  var lastChapter = 6
  /// Whether it makes mistakes, lets itself be helped, is called away, and moves its switches.
  var isClumsy = true
  /// How the switches stand at first of a player who moves all of them at every moment; nil for one who does not.
  var restless: Restless?

  static let usage = """
    usage: starlight-sync-player --socket PATH --state FOLDER --log FILE [--seed N] [--from CHAPTER] [--until CHAPTER] [--deft]
             [--kill-self CHAPTER:US ...] [--kill-daemon CHAPTER:US ...] [--sleep CHAPTER:US ...] [--leave-out NAME ...]
             [--stall-every US] [--restless SOUND,TOUCH,MUSIC]
    """

  /// Why the command line is not understood, in a sentence.
  struct Failure: Error {
    var text: String
  }

  init(_ arguments: [String]) throws(Failure) {
    var rest = arguments[...]
    while let word = rest.popFirst() {
      if word == "--help" { throw Failure(text: "it plays Starlight Sync to its end, as a person can") }
      if word == "--deft" {
        isClumsy = false
        continue
      }
      guard let value = rest.popFirst() else { throw Failure(text: "\(word) stands without what it says") }
      switch word {
      case "--socket": socket = value
      case "--state": state = value
      case "--log": log = value
      case "--leave-out": leftOut.insert(value)
      case "--seed": seed = try Self.number(value, of: word)
      case "--from": firstChapter = try Self.number(value, of: word)
      case "--until": lastChapter = try Self.number(value, of: word)
      case "--kill-self": try Self.place(value, of: word, in: &killsSelf)
      case "--kill-daemon": try Self.place(value, of: word, in: &killsDaemon)
      case "--sleep": try Self.place(value, of: word, in: &sleeps)
      case "--stall-every": stallEveryUs = try Self.number(value, of: word)
      case "--restless":
        guard let switches = Restless(value) else { throw Failure(text: "\(word) takes such as on,off,on") }
        restless = switches
      default: throw Failure(text: "there is no \(word)")
      }
    }
  }

  private static func number<Number: FixedWidthInteger>(_ text: some StringProtocol, of word: String) throws(Failure)
    -> Number
  {
    guard let number = Number(text) else { throw Failure(text: "\(word) takes a number, and \(text) is none") }
    return number
  }

  private static func place(_ text: String, of word: String, in places: inout [Int: Int64]) throws(Failure) {
    let parts = text.split(separator: ":")
    guard parts.count == 2 else { throw Failure(text: "\(word) takes CHAPTER:US, such as 2:1500000") }
    places[try number(parts[0], of: word)] = try number(parts[1], of: word)
  }
}
