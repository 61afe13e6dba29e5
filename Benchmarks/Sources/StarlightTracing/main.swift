// SPDX-License-Identifier: Apache-2.0

import Glibc
import Timing
import Tracing

/// Times what recording costs the thread that renders, a reading of the clock and a record in its ring, what bringing it into the
/// table costs control, and what telling one life from a full table costs.
///
///     StarlightTracing [ROUNDS]

func now() -> Instant {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Instant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
}

let rounds = CommandLine.arguments.count > 1 ? Int(CommandLine.arguments[1]) ?? 2_000 : 2_000
let batch = 1_024
let ring = TraceRing(capacity: 4_096)
var table = TraceTable()
var readings: [Double] = []
var recordings: [Double] = []
var gatherings: [Double] = []
var frame: Int64 = 0
for _ in 0..<max(rounds, 1) {
  let begin = now()
  var sum: Int64 = 0
  for _ in 0..<batch { sum &+= now().nanoseconds }
  let middle = now()
  for _ in 0..<batch {
    let woken = now()
    ring.record(.period(first: frame, due: woken, woken: woken, done: woken, heard: woken, frames: 128))
    frame += 128
  }
  let end = now()
  precondition(sum != 0)
  readings.append(Double((middle - begin).nanoseconds) / Double(batch))
  recordings.append(Double((end - middle).nanoseconds) / Double(batch))
  ring.drain { table.append($0) }
  gatherings.append(Double((now() - end).nanoseconds) / Double(batch))
}
while table.count < 2 * TraceTable.capacity {
  table.append(TraceRecord(.period(first: 0, due: .zero, woken: .zero, done: .zero, heard: .zero, frames: 128)))
}
let at = now()
table.append(
  TraceRecord(.start(voice: 7, frame: 96, heard: at, at: at, cue: 0, isTrack: false), client: 1, line: 2))
table.append(
  TraceRecord(.asked(id: 7, asked: .distantPast, scheduled: at, at: at, subject: .sound), client: 1, line: 2))
var tellings: [Double] = []
for _ in 0..<200 {
  let begin = now()
  let life = Life.explained(.sound, 7, in: table.kept, rate: 48_000, now: begin)
  precondition(life?.stages.isEmpty == false)
  tellings.append(Double((now() - begin).nanoseconds))
}

func text(_ values: [Double], _ name: String) -> String {
  let sorted = values.sorted()
  let (median, high) = (sorted[sorted.count / 2], sorted[sorted.count * 99 / 100])
  return "\(name): median \(Int(median.rounded())) ns, 99th percentile \(Int(high.rounded())) ns"
}

print(text(readings, "a reading of the clock"))
print(text(recordings, "a reading of the clock and a record"))
print(text(gatherings, "a record brought into the table"))
print(text(tellings, "a life told from \(TraceTable.capacity) records"))
precondition(ring.lost == 0)
