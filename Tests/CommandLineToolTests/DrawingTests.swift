// SPDX-License-Identifier: Apache-2.0

import Haptics
import Testing
import Timing

@testable import CommandLineTool

@Suite struct DrawingTests {
  @Test(arguments: [(0.0, "    "), (0.5, "██  "), (1.0, "████"), (0.28, "█▏  "), (2.0, "████"), (-1.0, "    ")])
  func barsAreExactToAnEighth(value: Double, text: String) {
    #expect(bar(value, width: 4) == text)
  }

  @Test func aBarThatIsNotANumberIsEmpty() {
    #expect(bar(.nan, width: 3) == "   ")
  }

  @Test(arguments: [
    (Int64(0), "[·····●·····]"), (-150_000, "[●····|·····]"), (150_000, "[·····|····●]"), (60_000, "[·····|·●···]"),
    (400_000, "[·····|····●]"),
  ])
  func aTapStandsWhereItFellInItsWindow(error: Int64, text: String) {
    #expect(tapScale(errorUs: error, windowUs: 150_000, width: 11) == text)
  }

  @Test func aTapThatHitNothingIsNotOnTheScale() {
    #expect(tapScale(errorUs: nil, windowUs: 150_000, width: 7) == "[···|···]")
  }

  @Test func beatsComeInFromTheRightAndPassTheTarget() {
    #expect(laneStrip(ahead: [], spanUs: 2_000_000, width: 13) == "──◎──────────")
    #expect(laneStrip(ahead: [2_000_000], spanUs: 2_000_000, width: 13) == "──◎─────────●")
    #expect(laneStrip(ahead: [1_000_000, 0], spanUs: 2_000_000, width: 13) == "──●────●─────")
    #expect(laneStrip(ahead: [-400_000], spanUs: 2_000_000, width: 13) == "●─◎──────────")
    #expect(laneStrip(ahead: [-900_000, 9_000_000], spanUs: 2_000_000, width: 13) == "──◎──────────")
  }

  @Test func aPictureShowsAreaSpikesSharpnessAndTime() {
    var envelope = Envelope(columns: Array(repeating: .init(), count: 12), span: .milliseconds(600))
    envelope.columns[0].spike = 1
    envelope.columns[0].spikeSharpness = 1
    envelope.columns[3].spike = 0.375
    envelope.columns[4].body = 0.5
    envelope.columns[4].bodySharpness = 0.25
    envelope.columns[5].body = 1
    envelope.columns[5].bodySharpness = 0.5
    envelope.columns[6].body = 0.03125
    var picture = EnvelopePicture(envelope: envelope)
    picture.height = 4
    #expect(
      picture.lines() == [
        "",
        "  1.0 ┤┃    █",
        "      │┃    █",
        "  0.5 ┤┃  ╻██",
        "      │┃  ┃██▁",
        "    0 ├┸──┸────────",
        "sharp │█",
        "      │█  ▁▄█▁",
        "      └┬─────────┬─",
        "       0 s       0.5",
      ])
  }

  @Test func thePlayheadStandsWherePlaybackIsAndGoesAtTheEnd() {
    let envelope = Envelope(columns: Array(repeating: .init(), count: 10), span: .seconds(1))
    var picture = EnvelopePicture(envelope: envelope, height: 2, sharpnessHeight: 0)
    picture.playhead = .milliseconds(500)
    #expect(
      picture.lines()
        == [
          "            ▼", "  1.0 ┤     ┊", "      │     ┊", "    0 ├──────────", "      └┬────────┬",
          "       0 s      1",
        ])
    picture.playhead = .seconds(1)
    #expect(picture.lines()[0].isEmpty)
  }

  @Test func coloursAppearOnlyWhereTheyAreWanted() {
    var envelope = Envelope(columns: [.init()], span: .seconds(1))
    envelope.columns[0].body = 1
    let plain = EnvelopePicture(envelope: envelope, style: .plain).lines().joined()
    let coloured = EnvelopePicture(envelope: envelope, style: .coloured).lines().joined()
    #expect(!plain.contains("\u{1B}"))
    #expect(Style.coloured.visible(coloured).contains("\u{1B}[38;5;27m█"))
  }

  @Test func aTransientIsASpikeAsFeltOnTopOfTheBody() {
    let document = AHAPDocument(events: [
      AHAPEvent(.transient, time: 0.5, parameters: [.intensity: 0.25, .sharpness: 0.375]),
      AHAPEvent(.continuous, time: 0.25, duration: 0.75, parameters: [.intensity: 0.5, .sharpness: 0.75]),
    ])
    let envelope = Envelope(document, columns: 4)
    #expect(envelope.span == .seconds(1))
    #expect(envelope.columns.map(\.spike) == [nil, nil, 0.75, nil])
    #expect(envelope.columns.map(\.body) == [0, 0.5, 0.5, 0.5])
    #expect(envelope.columns[2].spikeSharpness == 0.625)
    #expect(envelope.columns[1].bodySharpness == 0.75)
  }

  @Test func aPeakBetweenTwoColumnsIsNotLost() {
    let document = AHAPDocument(events: [
      AHAPEvent(.continuous, time: 0.4, duration: 0.01, parameters: [.intensity: 1]),
      AHAPEvent(.continuous, time: 0, duration: 1, parameters: [.intensity: 0.25]),
    ])
    #expect(Envelope(document, columns: 2).columns[0].body == 1)
  }
}
