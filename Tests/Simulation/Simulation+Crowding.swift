// SPDX-License-Identifier: Apache-2.0

import Wire

/// Much that is planned: as much as a user may, much around one instant, and patterns of more than can be heard.
extension Simulation {
  /// Two clients plan all the music that their user may plan; what others ask then costs a few steps, and all of it can be
  /// called off at once without burying anybody.
  mutating func crowd() throws {
    guard clients.count > 2 else { return }
    let far = checks.nowUs + 5_000_000
    try ask(0, "music.play", "{\"track\":\"main\",\"atUs\":\(far)}")
    try settle()
    for client in [1, 2] {
      for index in 0..<1_030 as Range<Int64> {
        try ask(client, "music.gain", "{\"gain\":0.5,\"atUs\":\(far + index * 30_000 + Int64(client) * 15_000)}")
      }
      try settle()
    }
    let before = host.engine.musicSteps
    let lines: Int64 = 8
    for index in 0..<lines {
      let at = far + 100_000_000 + index * 50_000
      try ask(0, "music.seek", "{\"positionUs\":\(index),\"atUs\":\(at)}")
    }
    try ask(0, "music.status", "{}")
    try settle()
    let steps = host.engine.musicSteps - before
    // Once through all, and a few for each line.
    try ensure(steps <= 3_000 + Int(lines) * 100, "\(lines) lines had \(steps) verbs of music thought through")
    if random.oneIn(2) {
      try ask(1, "music.stop", "{}")
      try settle()
    }
  }

  /// Tracks that begin around one instant, and what is put before them again and again within one period.
  mutating func reorder(_ client: Int) throws {
    let at = checks.nowUs + random.integer(12_000...95_000)
    for index in 0..<(6 + Int64(random.next(below: 3))) {
      let track = random.pick(["main", "finale", "once"])
      try ask(client, "music.play", "{\"track\":\"\(track)\",\"atUs\":\(at + index * 50)}")
    }
    // By turns of all, or all by one: more than the mixer takes until it goes on, were it told all of it.
    let isAlone = random.oneIn(3)
    for index in 0..<(isAlone ? 60 : 3 + Int64(random.next(below: 8))) {
      let asking = isAlone ? client : random.next(below: clients.count)
      try ask(asking, "music.gain", "{\"gain\":0.5,\"atUs\":\(at - 50 - index)}")
    }
  }

  /// One client plays as many patterns as it may, of hundreds of sounds in every ten milliseconds, over and over: no more of
  /// them are looked at than could be heard, also after a stall.
  mutating func crowdPatterns(_ client: Int) throws {
    for _ in 0..<16 {
      try ask(client, "haptics.play", "{\"ahap\":\(RequestMaker.dense),\"loop\":true,\"loopEndUs\":10000}")
    }
    try settle()
    try playChapter()
    let (before, fromUs) = (host.engine.patternSoundLooks, checks.nowUs)
    for _ in 0..<3 {
      try step(random.integer(1...100_000))
      try settle()
    }
    if random.oneIn(2) { standStill() }
    try settle()
    try step(random.integer(1...20_000))
    try settle()
    let looks = host.engine.patternSoundLooks - before
    let most = ((checks.nowUs - fromUs) / 10_000 + 16) * 24 * 64
    try ensure(looks <= most, "\(looks) sounds of patterns were looked at in \(checks.nowUs - fromUs) us")
    try ask(client, "haptics.stop", "{}")
  }
}
