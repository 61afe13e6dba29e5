// SPDX-License-Identifier: Apache-2.0

import Glibc
import Mixing
import Timing
import Tracing
import Wire

extension Host {
  /// How the daemon fares; what of it is recent was over in the last `over`, and comes to `tally`. Its clients are the server's to
  /// tell.
  public func stats(over: Interval, _ tally: TraceTally) -> EngineStats.Result {
    let audio = audioStatus
    let names = haptics.traceNames
    let uptime = now - startedAt
    let resources = resources.current
    return EngineStats.Result(
      nowUs: now.microseconds, uptimeUs: uptime.microseconds, overUs: min(over, uptime).microseconds,
      audio: EngineStats.Audio(
        rate: configuration.rate, framesRendered: audio.framesRendered, xruns: audio.xruns,
        lateStarts: audio.lateStarts, voices: audio.activeVoices, peak: audio.peak,
        recentPeriods: tally.periods.number, recentFramesLost: tally.framesLost,
        load: tally.load(rate: configuration.rate), mostLoad: tally.mostLoad(rate: configuration.rate),
        latestWakeUs: tally.periods.latest.microseconds),
      lines: trace.linesServed, clients: [],
      outputs: tally.writes.sorted { $0.key < $1.key }.map { device, writes in
        EngineStats.Output(
          device: names[device] ?? "unplugged", recentWrites: writes.number, refused: writes.refused,
          slowestUs: writes.most.microseconds, latestUs: writes.latest.microseconds)
      },
      beats: EngineStats.Beats(
        recent: tally.beats, medianLateUs: tally.beatLateness(0.5)?.microseconds,
        highLateUs: tally.beatLateness(0.99)?.microseconds),
      sounds: engine.soundCount, players: engine.playerCount, processorUs: resources.cpuUs,
      residentBytes: resources.residentBytes, records: Int64(trace.count), recordsLost: Int64(lostTrace),
      meters: meters)
  }

  /// How loud each bus was in the second up to what is heard now: by what the mixer keeps, and so the same for all who ask.
  private var meters: [EngineStats.Meter] {
    let heard = controller.meters(at: outputTimeline.frame(at: now))
    return EngineStats.Meter.Bus.allCases.map { bus in
      let peak =
        switch bus {
        case .music: heard[.music]
        case .sound: heard[.sound]
        case .voice: heard[.voice]
        case .haptic: heard[.haptic]
        case .output: heard.output
        }
      return EngineStats.Meter(bus: bus, peakDb: peak > 0 ? (2_000 * log10(Double(peak))).rounded() / 100 : nil)
    }
  }
}
