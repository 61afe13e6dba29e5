// SPDX-License-Identifier: Apache-2.0

import Glibc
import Testing

/// The full table, for people: `STARLIGHT_TIMELINE_TABLE=1 swift test -c release --filter TimelineTable`.
@Suite struct TimelineTable {
  @Test(.enabled(if: getenv("STARLIGHT_TIMELINE_TABLE") != nil)) func printTable() {
    print("jitter      ppm period| bias us, rms us, worst rms, 1 s ahead us, settling s, bound us, held % (worst seed)")
    for jitter in Jitter.allCases {
      for ppm in [0.0, 50, 250] {
        for period in [Int64(128), 256] {
          let all = (1...20).map { simulate(jitter, ppm: ppm, period: period, seconds: 120, seed: $0) }
          func column(_ path: KeyPath<Outcome, Double>) -> String {
            pad(mean(all.map { $0[keyPath: path] }[...]), 9)
          }
          let worst = all.map(\.debiased).max() ?? 0
          let held = (all.map(\.contained).min() ?? 0) * 100
          print(
            jitter.rawValue.padded(9) + pad(ppm, 6) + pad(Double(period), 7), column(\.bias), column(\.debiased),
            pad(worst, 9), column(\.ahead), column(\.settling), column(\.bound), pad(held, 9))
        }
      }
    }
  }

  private func pad(_ value: Double, _ width: Int) -> String {
    let text = String((value * 100).rounded() / 100)
    return String(repeating: " ", count: max(0, width - text.count)) + text
  }
}

extension String {
  fileprivate func padded(_ width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}
