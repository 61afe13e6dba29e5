// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import FreefallLevels
import FreefallRules
import Glibc
import LevelSearch
import SeededNumbers

/// The seed of the forty levels that are kept.
let seed: UInt64 = 20

let usage = """
  freefall-levels make FOLDER [NAME...]   make all levels, or those named (W1L3), into FOLDER, none like one before it
                                          in its world; minutes, in release
  freefall-levels check FOLDER            ask for ways with fewer flips than par, what is forgiven, and random plays
  freefall-levels draw FOLDER             all levels on one sheet, as SVG
  freefall-levels rules                   every number of the game, as JSON
  """

func write(_ value: some Encodable, to path: String) throws {
  let encoder = JSONEncoder()
  encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
  var text = String(decoding: try encoder.encode(value), as: UTF8.self)
  // What stands on one line is read at a glance: numbers and places.
  text = text.replacing(#/([\[{])\s+([^\[\]{}]*?)\s+([\]}])/#) { found in
    let parts = found.2.split(separator: "\n").map { String($0.trimmingPrefix(while: \.isWhitespace)) }
    let space = found.1 == "{" ? " " : ""
    return "\(found.1)\(space)\(parts.joined(separator: " "))\(space)\(found.3)"
  }
  text = text.replacing(" : ", with: ": ")
  try Data((text + "\n").utf8).write(to: URL(filePath: path))
}

func make(folder: String, only: [String]) throws {
  let (rules, kept) = (Rules.designed, LevelFolder(path: folder))
  for name in rules.worlds.levels where only.isEmpty || only.contains(name.text) {
    let before = rules.worlds.levels.filter { $0.world == name.world && $0.number < name.number }
    let ways = try before.map { name in
      let level = try kept.file(name).level(on: rules.ball, file: name.text)
      return way(level, flipsUs: try kept.solutions(name).solutions[0].flipsUs, rules: rules.ball)
    }
    var maker = Maker(rules: rules.ball, name: name, seed: seed)
    guard let made = maker.make(besides: ways) else {
      print("\(name.text): none found")
      exit(1)
    }
    try write(made.file, to: folder + "/" + LevelFolder.fileName(name))
    try write(made.solutions, to: folder + "/" + LevelFolder.solutionName(name))
    let (flips, obstacles) = (made.file.parFlips, made.file.obstacles.count)
    print("\(name.text): \(flips) flips, \(obstacles) obstacles, par \(made.file.parTime) s")
    fflush(nil)
  }
}

func percent(_ share: Double) -> String { "\((share * 1000).rounded() / 10) %" }

func check(folder: String) throws {
  let rules = Rules.designed
  var random = Seeded(seed: seed)
  var isGood = true
  for (name, level) in try LevelFolder(path: folder).levels(rules).sorted(by: { $0.key < $1.key }) {
    let fewer = fewestFlips(level, rules: rules.ball, atMost: level.parFlips - 1, every: 1)
    let share = randomShare(level, rules: rules.ball, plays: 2000, random: &random)
    let kept = try LevelFolder(path: folder).solutions(name)
    let erring = erringShare(
      level, flipsUs: kept.solutions[0].flipsUs, marginUs: kept.marginUs, rules: rules.ball, plays: 2000,
      random: &random)
    let isSeldom = name.world < 3 || share <= 0.05
    let forgiven = forgivenUs(level, kept, rules: rules.ball)
    let ask = Ask(name)
    isGood = isGood && fewer == nil && isSeldom && erring == 1 && (ask.marginUs..<ask.tooMuchUs).contains(forgiven)
    print("\(name.text): par \(level.parFlips) flips, \(percent(share)) of random plays finish", terminator: "")
    print(", \(percent(erring)) where each flip errs for itself, \(forgiven / 1000) ms forgiven", terminator: "")
    print(fewer.map { ", BUT \($0.count) flips do: \($0)" } ?? "", isSeldom ? "" : ", TOO MANY")
  }
  exit(isGood ? 0 : 1)
}

let words = CommandLine.arguments.dropFirst()
switch (words.first, words.dropFirst().first) {
case ("make", let folder?): try make(folder: folder, only: Array(words.dropFirst(2)))
case ("check", let folder?): try check(folder: folder)
case ("rules", nil): print(String(decoding: try JSONEncoder().encode(Rules.designed), as: UTF8.self))
case ("draw", let folder?): print(try Sheet(rules: .designed, folder: LevelFolder(path: folder)).drawn())
default:
  print(usage)
  exit(2)
}
