// SPDX-License-Identifier: Apache-2.0

import Glibc
import HapticOutput
import Haptics
import Timing

/// What deciding when to write to a pad takes of the thread that does it, with players that loop patterns; no pad is needed, and
/// what the system makes of the writes is not in it.
///
///     StarlightRumble SECONDS INTERVALS PLAYERS FILE
///
/// Plays the AHAP file with so many players that begin one behind the other, for so many seconds of a clock that is stepped from one
/// instant at which there is something to do to the next, for pads that take a write each so many milliseconds (`4,8,16`). Prints a
/// line for each of these: the interval, the processor's time in percent of the clock's, how often it looked, how often it wrote.

/// The processor time of this thread, in nanoseconds.
func processorTime() -> Int64 {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}

func contents(_ path: String) -> [UInt8] {
  guard let file = fopen(path, "r") else { fatalError("\(path) cannot be read") }
  defer { fclose(file) }
  var bytes: [UInt8] = []
  var part = [UInt8](repeating: 0, count: 1 << 16)
  while case let count = fread(&part, 1, part.count, file), count > 0 { bytes += part[..<count] }
  return bytes
}

/// Players that loop a pattern; none begins with another, as none does that clients ask for one by one.
func commands(_ pattern: HapticPattern, players: Int, from start: Instant) -> [HapticCommand] {
  (0..<players).map { number in
    .start(
      HapticPlayerID(rawValue: UInt64(number + 1)), pattern, source: "dense",
      at: start + .microseconds(Int64(number) * 1_013), options: HapticPlayOptions(loops: true))
  }
}

/// What an ordinary pad needs, eccentric masses, but for how often it takes a write.
let motors = MotorProfile(floor: 0.08)

func measure(_ pattern: HapticPattern, players: Int, interval: Int64, seconds: Int64) {
  let start = Instant(microseconds: 1_000_000)
  var schedule = RumbleSchedule(motors: motors, timing: RumbleTiming(interval: .milliseconds(interval)), now: start)
  var (looks, writes) = (0, 0)
  schedule.apply(commands(pattern, players: players, from: start), at: start) { _, _ in writes += 1 }
  // All are there, and what may be looked at one by one is spent, before it counts.
  let counted = start + .seconds(2)
  let end = counted + .seconds(Double(seconds))
  var begun: Int64 = 0
  while let due = schedule.nextDue, due <= end {
    if begun == 0, due >= counted { (begun, looks, writes) = (processorTime(), 0, 0) }
    schedule.advance(to: due) { _, _ in writes += 1 }
    looks += 1
  }
  let used = begun == 0 ? 0 : processorTime() - begun
  let percent = (Double(used) / 1e7 / Double(seconds) * 100).rounded() / 100
  print(interval, percent, looks, writes)
}

let arguments = CommandLine.arguments
guard arguments.count == 5, let seconds = Int64(arguments[1]), let players = Int(arguments[3]) else {
  fatalError("usage: StarlightRumble SECONDS INTERVALS PLAYERS FILE")
}
let pattern = HapticPattern(try AHAPDocument.parse(contents(arguments[4]), name: "dense").document)
for interval in arguments[2].split(separator: ",").compactMap({ Int64($0) }) {
  measure(pattern, players: players, interval: interval, seconds: seconds)
}
