// SPDX-License-Identifier: Apache-2.0

import Glibc
import Mixing
import Testing
import Timing

@testable import AudioOutput

/// For people, on a device of their own: `STARLIGHT_TEST_DEVICE=hw:0 STARLIGHT_TEST_SECONDS=10 swift test --filter LiveDevice`.
@Suite struct LiveDevice {
  @Test(.enabled(if: getenv("STARLIGHT_TEST_DEVICE") != nil)) func report() throws {
    let mixer = TestMixer()
    var configuration = AudioOutputConfiguration(device: String(cString: getenv("STARLIGHT_TEST_DEVICE")))
    configuration.period = number("STARLIGHT_TEST_PERIOD")
    if getenv("STARLIGHT_TEST_RECORD") != nil { configuration.recordPath = "/tmp/starlight-live.wav" }
    let output = AudioOutput(configuration, mixer: mixer.pointer)
    try output.start()
    print(output.description.message, output.description.notes)
    for _ in 0..<(number("STARLIGHT_TEST_SECONDS") ?? 5) {
      sleep(1)
      output.drainNotices { print("notice \($0)") }
      let (timeline, now) = (output.timeline, output.statistics)
      let ppm = (timeline.nanosecondsPerFrame * 48_000 / 1e9 - 1) * 1e6
      print(
        "frames \(now.framesRendered) lost \(now.framesLost) underruns \(now.underruns) late \(now.lateWakes)",
        "latest \(now.latestWake.microseconds) us latency \(now.latency.microseconds) us drift \(Int(ppm)) ppm",
        "bound \(timeline.errorBound.microseconds) us", now.isPacedByClock ? "clock" : "device")
    }
    for failure in output.stop() { print(failure) }
  }

  private func number(_ name: String) -> Int? { getenv(name).flatMap { Int(String(cString: $0)) } }
}
