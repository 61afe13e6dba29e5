// SPDX-License-Identifier: Apache-2.0

import Testing
import Wire

@testable import CommandLineTool

@Suite struct StatsTests {
  private let stats = EngineStats.Result(
    nowUs: 90_000_000, uptimeUs: 60_000_000, overUs: 10_000_000,
    audio: EngineStats.Audio(
      rate: 48_000, framesRendered: 2_880_000, xruns: 1, lateStarts: 0, voices: 3, peak: 0.5, recentPeriods: 3_750,
      recentFramesLost: 0, load: 0.125, mostLoad: 0.5, latestWakeUs: 250),
    lines: 1_200,
    clients: [
      EngineStats.Client(
        client: 7, user: 1_000, queuedBytes: 4_096, topics: 2, recentLines: 50, processorUs: 20_000,
        mostProcessorUs: 900),
      EngineStats.Client(
        client: 57, user: 1_000, queuedBytes: 1_000, topics: 0, recentLines: 1, processorUs: 10_000,
        mostProcessorUs: 100),
    ],
    outputs: [
      EngineStats.Output(
        device: "A \"pad\"\n\\", recentWrites: 250, refused: 1, slowestUs: 1_500, latestUs: 90)
    ],
    beats: EngineStats.Beats(recent: 20, medianLateUs: 60, highLateUs: 140), sounds: 2, players: 1,
    processorUs: 600_000, residentBytes: 30_000_000, records: 5_000, recordsLost: 0,
    meters: [
      EngineStats.Meter(bus: .music, peakDb: -30), EngineStats.Meter(bus: .sound, peakDb: 3.52),
      EngineStats.Meter(bus: .voice, peakDb: nil), EngineStats.Meter(bus: .haptic, peakDb: -72),
      EngineStats.Meter(bus: .output, peakDb: 0),
    ])

  @Test func aPageForPrometheusHasNamesInBaseUnitsAndEachItsType() {
    let lines = prometheusText(stats).split(separator: "\n").map(String.init)
    let samples = lines.filter { !$0.hasPrefix("#") }
    #expect(samples.contains("starlight_cpu_seconds_total 0.6"))
    #expect(samples.contains("starlight_audio_xruns_total 1"))
    #expect(samples.contains("starlight_audio_wake_late_max_seconds 0.00025"))
    #expect(samples.contains(#"starlight_audio_peak_ratio{bus="music"} 0.0316"#))
    #expect(samples.contains(#"starlight_audio_peak_ratio{bus="voice"} 0.0"#))
    #expect(samples.contains(#"starlight_audio_peak_ratio{bus="output"} 1.0"#))
    #expect(samples.contains(#"starlight_clients{user="1000"} 2"#))
    #expect(samples.contains(#"starlight_client_queued_bytes{user="1000"} 5096"#))
    #expect(samples.contains(#"starlight_client_queued_max_bytes{user="1000"} 4096"#))
    #expect(samples.contains(#"starlight_client_cpu_ratio{user="1000"} 0.003"#))
    #expect(samples.contains(#"starlight_haptic_writes_per_second{device="A \"pad\"\n\\"} 25.0"#))
    #expect(samples.contains(#"starlight_beat_late_seconds{quantile="0.99"} 0.00014"#))
    var typed: [String: String] = [:]
    for line in lines where line.hasPrefix("# TYPE ") {
      let words = line.split(separator: " ")
      #expect(typed.updateValue(String(words[3]), forKey: String(words[2])) == nil)
    }
    for sample in samples {
      let name = String(sample.prefix { $0 != " " && $0 != "{" })
      #expect(name.wholeMatch(of: /starlight_[a-z_]+/) != nil)
      // Only what grows for ever is a total.
      #expect(typed[name] == (name.hasSuffix("_total") ? "counter" : "gauge"), "\(sample)")
    }
    #expect(prometheusText(stats).hasSuffix("\n"))
  }

  /// A client's number is never used again, and whoever scrapes is one: labels of it would make series without end.
  @Test func thePageHasNoSeriesOfASingleClient() {
    var later = stats
    for index in later.clients.indices { later.clients[index].client += 100 }
    #expect(prometheusText(later) == prometheusText(stats))
  }

  @Test func theMostIsNeverToldToBeLessThanTheMean() {
    var light = stats
    (light.audio.load, light.audio.mostLoad) = (0.0041, 0.0044)
    #expect(statsLines(light).joined().contains("0.4 % load (at most 0.4 %)"))
  }

  @Test func peopleAreToldRatesAndWhoDoesNotRead() {
    let text = statsLines(stats).joined(separator: "\n")
    #expect(text.contains("12.5 % load (at most 50.0 %), 375 periods a second, woken 0.25 ms late at most"))
    #expect(
      text.contains("music -30.0 dBFS, sound +3.5 dBFS, haptic -72.0 dBFS, output 0.0 dBFS in the last second"))
    #expect(text.contains("client 57: 0.1 lines a second"))
    #expect(
      text.contains(
        "client 7: 5.0 lines a second, 0.20 % of a core, 0.90 ms for the slowest line, 2 topics, 4.1 kB not read"))
    #expect(text.contains("25.0 writes a second, 1.50 ms the slowest, 0.09 ms late at most, 1 refused"))
    #expect(text.contains("20 told, median 0.06 ms late, p99 0.14 ms"))
  }
}
