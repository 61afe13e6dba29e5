// SPDX-License-Identifier: Apache-2.0

import SeededNumbers

extension RequestMaker {
  mutating func fillMusic(_ sent: inout SimulatedClient.Sent, _ random: inout SeededRandom) {
    name("track", ["main", "finale", "once", "game:main", "other:main"], ["gone", "maine", "x:y"], &random)
    at(&random)
    sent.continues = random.oneIn(3)
    if sent.continues { fields.append("\"from\":\"continue\"") }
    if random.oneIn(4) { fields.append("\"fadeCurve\":\"linear\"") }
    if random.oneIn(5) {
      let loops = random.oneIn(2)
      sent.loops = loops
      fields.append("\"loop\":\(loops)")
    }
    if random.oneIn(3) {
      microseconds("fadeInUs", 0...1_500_000, &random)
      microseconds("fadeOutUs", 0...1_500_000, &random)
    } else {
      microseconds("crossfadeUs", 0...1_500_000, &random)
    }
    number("gain", 0...(world.isCalm ? 1 : 4), &random)
    microseconds("positionUs", 0...2_000_000, &random)
    quantise(&random)
  }
}
