// SPDX-License-Identifier: Apache-2.0

import SeededNumbers
import Wire

/// The dearest line that was found of a method, and what stood behind it.
struct Dearest {
  var us = 0.0
  var bytes = 0
  var daemon = FullDaemon.empty
  var isGranted = false
}

/// Searches for the line of a method that takes control the longest.
struct DearestSearch {
  let packs: String
  let rounds: Int
  var random: SeededRandom
  private var daemons: [FullDaemon: MeasuredDaemon] = [:]
  /// The method that they have what is needed for.
  private var method = ""

  init(packs: String, rounds: Int, seed: UInt64) {
    (self.packs, self.rounds) = (packs, rounds)
    random = SeededRandom(seed: seed)
  }

  /// The least of `runs`, so that other programs count little. A daemon that granted something is not the same after it.
  private mutating func cost(
    of method: String, _ params: String, soonUs: Int64, in full: FullDaemon, runs: Int
  ) throws -> (us: Double, bytes: Int, isGranted: Bool) {
    if method != self.method { (daemons, self.method) = ([:], method) }
    var least = (us: Double.infinity, bytes: 0, isGranted: false)
    for _ in 0..<runs {
      let daemon = try daemons[full] ?? full.make(packs: packs)
      let names = try daemon.prepare(for: method, soonUs: soonUs)
      let one = try daemon.cost(of: line(method, params, names))
      daemons[full] = one.isGranted ? nil : daemon
      if one.us < least.us { least = one }
    }
    return least
  }

  /// Lines of the method changed by chance, before an empty daemon: what takes longer is kept and changed on.
  mutating func dearestText(of method: String) throws -> Dearest {
    var dearest = Dearest()
    var known = granted[method] ?? [""]
    for round in 0..<rounds {
      var params = known[round < known.count ? round : random.next(below: known.count)]
      if round >= known.count {
        for _ in 0...random.next(below: 3) {
          let addition = additions[random.next(below: additions.count)]()
          params += (params.isEmpty ? "" : ",") + addition
        }
      }
      guard params.utf8.count < Limits().lineBytes - 100 else { continue }
      let taken = try cost(of: method, params, soonUs: 2_000_000, in: .empty, runs: 3)
      if taken.us > dearest.us {
        dearest = Dearest(us: taken.us, bytes: taken.bytes, daemon: .empty, isGranted: taken.isGranted)
        known.append(params)
      }
    }
    return dearest
  }

  /// What the method is granted, before daemons that are full; what it is refused there is not counted.
  mutating func dearestInFull(of method: String) throws -> Dearest {
    var dearest = Dearest()
    for full in FullDaemon.allCases where full != .empty {
      for params in granted[method] ?? [""] {
        let taken = try cost(of: method, params, soonUs: 50_000_000, in: full, runs: 2)
        if taken.isGranted, taken.us > dearest.us {
          dearest = Dearest(us: taken.us, bytes: taken.bytes, daemon: full, isGranted: true)
        }
      }
    }
    return dearest
  }
}
