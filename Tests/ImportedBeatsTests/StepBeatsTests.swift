// SPDX-License-Identifier: Apache-2.0

import ImportedBeats
import Testing

/// Simfiles of StepMania, by https://github.com/stepmania/stepmania/wiki/sm and .../ssc.
@Suite struct StepBeatsTests {
  private func chart(_ head: String, style: String = "dance-single", _ notes: String) -> String {
    head + "\n#NOTES:\n \(style):\n :\n Hard:\n 9:\n 0,0,0,0,0:\n\(notes)\n;\n"
  }

  @Test func rowsAreSharedOutOverTheirMeasure() throws {
    let read = try read(
      chart(
        "#TITLE:Signals;\n#MUSIC:signals.ogg;\n#OFFSET:-0.5;\n#BPMS:0.000=120.000;",
        """
        // measure 1
        1000
        0200
        0000
        0341
        ,  // measure 2
        M001
        00L0
        000F
        """), as: .stepMania)
    #expect(read.title == "Signals" && read.audio == "signals.ogg")
    #expect(read.maps[0].name == "Hard")
    #expect(read.maps[0].lanes == ["left", "down", "up", "right"])
    // Half a second before the first beat, then half a second a beat. A row of three lasts a beat and a third.
    #expect(read.maps[0].lines == ["500000 left", "1000000 down", "2000000 up", "2000000 right", "2500000 right"])
    let tempo = try #require(read.maps[0].tempo)
    #expect(tempo.bpm == 120 && tempo.firstBeat == 500_000 && tempo.beatsPerBar == 4)
  }

  @Test func anOffsetAboveNothingBeginsBeforeTheAudio() throws {
    let read = try read(chart("#OFFSET:0.25;\n#BPMS:0=60;", "1000\n0100\n0010\n0001"), as: .stepMania)
    #expect(read.maps[0].lines == ["-250000 left", "750000 down", "1750000 up", "2750000 right"])
    // A bar of four seconds later.
    #expect(read.maps[0].tempo?.firstBeat == 3_750_000)
  }

  @Test func temposStopsDelaysAndWarpsMoveWhatComesBehind() throws {
    func lines(_ head: String) throws -> [String] {
      try read(chart("#BPMS:0=60;\n" + head, "1000\n1000\n1000\n1000"), as: .stepMania).maps[0].lines.map {
        String($0.dropLast(5))
      }
    }
    #expect(try lines("") == ["0", "1000000", "2000000", "3000000"])
    // Twice as fast from beat 1 on.
    #expect(try lines("#BPMS:0=60,1=120;") == ["0", "1000000", "1500000", "2000000"])
    // A stop is behind the note of its row, a delay before it.
    #expect(try lines("#STOPS:1=0.25;") == ["0", "1000000", "2250000", "3250000"])
    #expect(try lines("#DELAYS:1=0.25;") == ["0", "1250000", "2250000", "3250000"])
    // From beat 1 on two beats take no time; what lies there cannot be tapped, but where the beat rests.
    #expect(try lines("#WARPS:1=2;") == ["0", "1000000"])
    #expect(try lines("#WARPS:1=2;#STOPS:2=0.5;") == ["0", "1000000", "1500000"])
    #expect(try lines("#FAKES:1=1.5;") == ["0", "3000000"])
  }

  @Test func aTempoThatChangesIsNoneOfTheTrack() throws {
    for head in ["#BPMS:0=60,1=120;", "#BPMS:0=60;#STOPS:1=1;", "#BPMS:0=60;#WARPS:1=1;"] {
      #expect(try read(chart(head, "1000"), as: .stepMania).maps[0].tempo == nil, "\(head)")
    }
    #expect(try read(chart("#BPMS:0=60,4=60;", "1000"), as: .stepMania).maps[0].tempo?.bpm == 60)
  }

  @Test func eachChartOfAnSSCMayHaveATimingOfItsOwn() throws {
    let text = """
      #VERSION:0.83;
      #TITLE:Two\\: halves;
      #OFFSET:0;
      #BPMS:0=60;
      #STOPS:0=1;
      #NOTEDATA:;
      #STEPSTYPE:dance-single;
      #DIFFICULTY:Easy;
      #NOTES:
      1000
      1000
      ;
      #NOTEDATA:;
      #STEPSTYPE:pump-single;
      #DIFFICULTY:Hard;
      #BPMS:0=120;
      #NOTES:
      10000
      00001
      ;
      """
    let read = try read(text, as: .stepMania)
    #expect(read.title == "Two: halves")
    #expect(read.maps.map(\.name) == ["Easy", "pump-single Hard"])
    // Two rows of a measure are two beats apart.
    #expect(read.maps[0].lines == ["0 left", "3000000 left"])
    #expect(read.maps[1].lines == ["0 down-left", "1000000 down-right"])
  }

  @Test func aTagWithoutItsSemicolonEndsWhereTheNextBegins() throws {
    let read = try read(chart("#TITLE:one #1\n#OFFSET:0\n  #BPMS:0=60;", "1000\n0000"), as: .stepMania)
    #expect(read.title == "one #1")
    #expect(read.maps[0].lines == ["0 left"])
  }

  @Test(arguments: [
    ("hello", "file:1:1: is no simfile of StepMania"),
    ("#OFFSET:x;", "file:1:9: #OFFSET must be a number, and is \"x\""),
    ("#BPMS:0=120,\n8;", "file:2:1: #BPMS holds BEAT=VALUE with commas between, and not \"8\""),
    ("#BPMS:0=-120;", "file:1:7: #BPMS is above 0 here; negative ones are how old files skip"),
    ("#BPMS:0=0;", "file:1:7: #BPMS is above 0 here"),
    ("#STOPS:4=-1;", "file:1:8: #STOPS is not below 0 here"),
    ("#BPMS:1e9=60;", "file:1:7: a beat is 10000000 at most"),
    ("#TITLE:x;\n#NOTES:a:b;", "file:2:1: #NOTES has style, description, difficulty"),
    ("#NOTES:a:b:c:1:0:\n1000\n100\n;", "file:3:1: a row of notes has 3 columns; those before it have 4"),
    ("#NOTES:a:b:c:1:0:\n10x0\n;", "file:2:1: a row of notes holds \"x\", which is none"),
    ("#BPMS:0=0.0001;#NOTES:a:b:c:1:0:\n0000\n1000\n;", "file has a beat 1200000 s from the beginning"),
    ("#TITLE:x;", "file has no beats in it"),
  ])
  func whatIsWrongIsToldByItsPlace(text: String, said: String) {
    #expect(refusal(of: text, as: .stepMania).hasPrefix(said), "\(refusal(of: text, as: .stepMania))")
  }
}
