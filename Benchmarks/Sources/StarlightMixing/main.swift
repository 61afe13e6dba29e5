import Glibc
@_spi(Measuring) import Mixing

// The mixer by the rules of Peers/harness.h, whose numbers and line of output are repeated here.
// Usage: StarlightMixing VOICES ramped|steady|limited|pitched [alone]. `alone`: without the limiter and what it looks ahead.

private let rate = 48_000
private let period = 256
private let seconds = 60
private let periods = seconds * rate / period
private let slice = 25
private let sourceFrames = 24_576

private enum Row: String {
  case ramped, steady, limited, pitched
}

private func nanoseconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
}

private func makeSource(_ voice: Int, of voices: Int, _ row: Row) -> ResidentSource {
  let samples = UnsafeMutableRawPointer.allocate(byteCount: 8 * sourceFrames, alignment: 64)
    .bindMemory(to: Float.self, capacity: 2 * sourceFrames)
  let peak = row == .limited ? 0.7 * (3 / Float(voices)).squareRoot() : (row == .pitched ? 0.45 : 0.9) / Float(voices)
  var state = (0x9E37_79B9 &* UInt32(voice + 1)) | 1
  for index in 0..<2 * sourceFrames {
    state ^= state << 13
    state ^= state >> 17
    state ^= state << 5
    samples[index] = peak * (Float(Int32(bitPattern: state)) * 0x1p-31)
  }
  return ResidentSource(samples: UnsafePointer(samples), frames: sourceFrames, loop: 0..<sourceFrames)
}

/// Four significant digits, without Foundation.
private func text(_ value: Double) -> String {
  let scale = value < 1 ? 1e5 : 1e4
  return "\((value * scale).rounded() / scale)"
}

private func run(_ voices: Int, _ row: Row, alone: Bool) {
  let controller = MixerController(MixerConfiguration(rate: rate, effectVoices: voices))
  let whole = Fade(frames: Int32(seconds * rate))
  let started = controller.submit(
    (0..<voices).map { voice in
      .start(
        VoiceStart(
          id: VoiceID(rawValue: UInt64(voice + 1)), source: .resident(makeSource(voice, of: voices, row)), bus: .sound,
          at: 0, fadeIn: row == .ramped ? whole : .none, pitch: row == .pitched ? 1.25 : 1))
    })
  precondition(started, "the mixer takes one start for every voice")

  let out = UnsafeMutablePointer<Float>.allocate(capacity: 2 * period)
  out.initialize(repeating: 0, count: 2 * period)
  var last = UnsafePointer(out)
  var slices: [Double] = []
  var (middle, end, total) = (0.0, 0.0, 0.0)
  var reduced = 0
  let count = periods / slice
  for index in 0..<count {
    let begin = nanoseconds()
    for _ in 0..<slice {
      if alone {
        last = controller.mixer.pointee.mixAlone(frames: period)
      } else {
        controller.mixer.pointee.render(into: out, frames: period)
      }
    }
    slices.append(nanoseconds() - begin)
    total += slices[index]
    var sum = 0.0
    for sample in 0..<2 * period { sum += Double(last[sample]) * Double(last[sample]) }
    if abs(2 * index + 1 - count) < 40 { middle += sum }
    if index >= count - 40 { end += sum }
    controller.drainEvents { _ in }
    if controller.readStatistics().limiterGain < 1 { reduced += 1 }
  }
  precondition((reduced > count / 10) == (row == .limited), "the limiter has to work in its own row, and only there")
  slices.sort()
  let samples = Double(40 * 2 * period)
  print(
    alone ? "starlight-alone" : "starlight", row.rawValue, "\(voices)",
    text(slices[count / 2] / Double(slice * period * voices)), text(total / Double(periods * period * voices)),
    text((middle / samples).squareRoot()), text((end / samples).squareRoot()), separator: ",")
}

let arguments = CommandLine.arguments
if arguments.count >= 3, let voices = Int(arguments[1]), voices > 0, let row = Row(rawValue: arguments[2]) {
  run(voices, row, alone: arguments.count > 3)
} else {
  print("usage: \(arguments[0]) VOICES ramped|steady|limited|pitched [alone]")
  exit(2)
}
