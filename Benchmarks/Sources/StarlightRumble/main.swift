// SPDX-License-Identifier: Apache-2.0

import Glibc
import HapticOutput
import Haptics
import Timing

/// What deciding when to write to a pad takes of the thread that does it, with players that loop patterns; no pad is needed, and
/// what the system makes of the writes is not in it.
///
///     StarlightRumble SECONDS INTERVALS PLAYERS RATE FILE [flood]
///
/// Plays the AHAP file with so many players that begin one behind the other, at that rate, for so many seconds of a clock that is
/// stepped from one instant at which there is something to do to the next, for pads that take a write each so many milliseconds
/// (`4,8,16`); 0 is the log. Prints a line for each of these: the interval, the processor's time in percent of the clock's, how
/// often it looked, how often it wrote. With `flood` a volume is set a hundred times a millisecond besides, which a device's thread takes
/// in once a millisecond.

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
func commands(_ pattern: HapticPattern, players: Int, rate: Double, from start: Instant) -> [HapticCommand] {
  (0..<players).map { number in
    .start(
      HapticPlayerID(rawValue: UInt64(number + 1)), pattern, source: "dense",
      at: start + .microseconds(Int64(number) * 1_013), options: HapticPlayOptions(loops: true, rate: rate))
  }
}

/// What an ordinary pad needs, eccentric masses, but for how often it takes a write.
let motors = MotorProfile(floor: 0.08)

/// What decides what is put out, and when.
enum Output {
  case pad(RumbleSchedule)
  case log(HapticStepper)

  init(interval: Int64, now: Instant) {
    self =
      interval == 0
      ? .log(HapticStepper(now: now))
      : .pad(RumbleSchedule(motors: motors, timing: RumbleTiming(interval: .milliseconds(interval)), now: now))
  }

  var nextDue: Instant? {
    switch self {
    case .pad(let schedule): schedule.nextDue
    case .log(let stepper): stepper.nextDue
    }
  }

  mutating func apply(_ commands: [HapticCommand], at now: Instant) {
    switch self {
    case .pad(var schedule):
      schedule.apply(commands, at: now) { _, _ in }
      self = .pad(schedule)
    case .log(var stepper):
      stepper.apply(commands, at: now) { _ in }
      self = .log(stepper)
    }
  }

  mutating func advance(to instant: Instant, _ write: () -> Void) {
    switch consume self {
    case .pad(var schedule):
      schedule.advance(to: instant) { _, _ in write() }
      self = .pad(schedule)
    case .log(var stepper):
      stepper.advance(to: instant) { _ in write() }
      self = .log(stepper)
    }
  }
}

func measure(_ pattern: HapticPattern, players: Int, rate: Double, interval: Int64, seconds: Int64, isFlooded: Bool) {
  let start = Instant(microseconds: 1_000_000)
  var output = Output(interval: interval, now: start)
  var (looks, writes) = (0, 0)
  output.apply(commands(pattern, players: players, rate: rate, from: start), at: start)
  // All are there, and what may be looked at one by one is spent, before it counts.
  let counted = start + .seconds(2)
  let end = counted + .seconds(Double(seconds))
  var begun: Int64 = 0
  let volumes = (0..<100).map { HapticCommand.volume(0.5 + Double($0 % 50) / 100) }
  var flood = isFlooded ? start : end + .seconds(1)
  while let due = output.nextDue.map({ min($0, flood) }), due <= end {
    if due == flood {
      flood += .milliseconds(1)
      output.apply(volumes, at: due)
    }
    if begun == 0, due >= counted { (begun, looks, writes) = (processorTime(), 0, 0) }
    output.advance(to: due) { writes += 1 }
    looks += 1
  }
  let used = begun == 0 ? 0 : processorTime() - begun
  let percent = (Double(used) / 1e7 / Double(seconds) * 100).rounded() / 100
  print(interval, percent, looks, writes)
}

let arguments = CommandLine.arguments
guard arguments.count == 6 || arguments.last == "flood", let seconds = Int64(arguments[1]),
  let players = Int(arguments[3]),
  let rate = Double(arguments[4])
else {
  fatalError("usage: StarlightRumble SECONDS INTERVALS PLAYERS RATE FILE [flood]")
}
let pattern = HapticPattern(try AHAPDocument.parse(contents(arguments[5]), name: "dense").document)
for interval in arguments[2].split(separator: ",").compactMap({ Int64($0) }) {
  measure(
    pattern, players: players, rate: rate, interval: interval, seconds: seconds, isFlooded: arguments.count == 7)
}
