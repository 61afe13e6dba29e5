// SPDX-License-Identifier: Apache-2.0

import ImportedBeats
import Problems
import Testing

/// Beatmaps of osu!, by https://osu.ppy.sh/wiki/en/Client/File_formats/osu_(file_format).
@Suite struct OsuBeatsTests {
  private func map(mode: Int, size: String = "4", timing: String = "0,500,4,2,1,60,1,0", objects: String) -> String {
    """
    osu file format v14

    [General]
    AudioFilename: audio.mp3
    Mode: \(mode)

    [Metadata]
    Title:Signals
    Version:Hard

    [Difficulty]
    CircleSize:\(size)

    [TimingPoints]
    \(timing)

    [HitObjects]
    \(objects)
    """
  }

  @Test func circlesAndTheBeginningsOfSlidersAreBeatsAndSpinnersAreNone() throws {
    let read = try read(
      map(
        mode: 0,
        objects: """
          256,192,706,5,0,0:0:0:0:
          100,100,1412.5,2,0,B|200:100,1,140
          256,192,2000,12,0,4000
          64,64,2118,1,0
          """), as: .osu)
    #expect(read.title == "Signals" && read.audio == "audio.mp3")
    #expect(read.maps.map(\.name) == ["Hard"])
    #expect(read.maps[0].lines == ["706000", "1412500", "2118000"])
  }

  @Test func theKeysOfManiaAreLanesByTheirColumns() throws {
    // floor(x * 4 / 512): 64 is the first of four, 192 the second, 320 the third, 448 the fourth.
    let objects = "64,192,100,1,0\n192,192,200,128,0,900:0:0:0:0:\n320,192,300,1,0\n448,192,300,1,0\n511,192,400,1,0"
    let four = try read(map(mode: 3, objects: objects), as: .osu)
    #expect(four.maps[0].lanes == ["left", "down", "up", "right"])
    #expect(four.maps[0].lines == ["100000 left", "200000 down", "300000 up", "300000 right", "400000 right"])
    // 36, 109 and 475 of seven columns are 0, 1 and 6.
    let seven = try read(map(mode: 3, size: "7", objects: "36,0,1,1,0\n109,0,2,1,0\n475,0,3,1,0"), as: .osu)
    #expect(seven.maps[0].lines == ["1000 1", "2000 2", "3000 7"])
  }

  /// What is said of a map as a whole holds of all its objects, wherever it stands.
  @Test func theModeAndTheKeysMayStandBehindTheHitObjects() throws {
    let head = "osu file format v14\n[General]\nMode: 1\n[HitObjects]\n64,192,100,1,2\n511,192,200,1,0\n"
    let mania = try read(head + "[General]\nMode: 3\n[Difficulty]\nCircleSize:4\n[HitObjects]\n192,0,300,1,0", as: .osu)
    #expect(mania.maps[0].lanes == ["left", "down", "up", "right"])
    #expect(mania.maps[0].lines == ["100000 left", "200000 right", "300000 down"])
    let circles = try read(head + "[General]\nMode: 0", as: .osu)
    #expect(circles.maps[0].lanes.isEmpty && circles.maps[0].lines == ["100000", "200000"])
    let keyless = #expect(throws: Problem.self) { try read(head + "[General]\nMode: 3", as: .osu) }
    #expect(keyless?.where.line == 5 && keyless?.reason.contains("needs a CircleSize of 1 to 18") == true)
  }

  @Test func theRimOfTaikoIsALaneOfItsOwn() throws {
    let read = try read(map(mode: 1, objects: "1,1,10,1,0\n1,1,20,1,2\n1,1,30,1,4\n1,1,40,1,8"), as: .osu)
    #expect(read.maps[0].lines == ["10000 don", "20000 kat", "30000 don", "40000 kat"])
  }

  @Test func oneTempoIsTakenAndSeveralAreNot() throws {
    // 60000 / 352.941176470588 is 170; inherited points are no tempo.
    let one = try read(
      map(mode: 0, timing: "1200,352.941176470588,3,2,1,60,1,0\n5000,-50,4,2,1,60,0,0", objects: "1,1,10,1,0"), as: .osu
    )
    let tempo = try #require(one.maps[0].tempo)
    #expect(abs(tempo.bpm - 170) < 1e-9)
    // 1200 ms less a bar of 1058.8235 ms.
    #expect(tempo.firstBeat == 141_176 && tempo.beatsPerBar == 3)
    let again = try read(
      map(mode: 0, timing: "0,500,4,2,1,60,1,0\n4000,500,4,2,1,60,1,0", objects: "1,1,10,1,0"), as: .osu)
    #expect(again.maps[0].tempo?.bpm == 120)
    for second in ["4000,400,4,2,1,60,1,0", "4100,500,4,2,1,60,1,0", "4000,500,3,2,1,60,1,0"] {
      let two = try read(map(mode: 0, timing: "0,500,4,2,1,60,1,0\n" + second, objects: "1,1,10,1,0"), as: .osu)
      #expect(two.maps[0].tempo == nil, "\(second)")
    }
  }

  @Test func oldMapsCountFromEarlier() throws {
    let old = try read("osu file format v4\r\n[HitObjects]\r\n256,192,1000,1,0\r\n", as: .osu)
    #expect(old.maps[0].lines == ["1024000"])
  }

  @Test(arguments: [
    ("[HitObjects]", "file:1:1: is no beatmap of osu!"),
    ("", "file:1:1: is no beatmap of osu!"),
    ("osu file format v14\n[HitObjects]\n1,2,3", "file:3:1: a hit object has x, y, a time and a type, at least"),
    (
      "osu file format v14\n[HitObjects]\n1,2, drei,1",
      "file:3:6: the time of a hit object must be a number, and is \"drei\""
    ),
    ("osu file format v14\n[HitObjects]\n1,2,nan,1", "file:3:5: the time of a hit object must be a number"),
    ("osu file format v14\n[HitObjects]\n1,2,1e300,1", "file:3:5: a time in milliseconds lies within a day"),
    ("osu file format v14\n[HitObjects]\n1,2,3,1e9", "file:3:7: a type is 0 to 255"),
    ("osu file format v14\n[General]\nMode: 4", "file:3:7: Mode must be 0 to 3, and is \"4\""),
    (
      "osu file format v14\n[General]\nMode:3\n[HitObjects]\n1,2,3,1", "file:5:1: a map of osu!mania needs a CircleSize"
    ),
    ("osu file format v14\n[TimingPoints]\n5", "file:3:1: a timing point has a time and the length of a beat"),
    ("osu file format v14\n[HitObjects]\n", "file has no beats in it"),
    ("osu file format v14\n[General]\nMode:3\n", "file has no beats in it"),
  ])
  func whatIsWrongIsToldByItsPlace(text: String, said: String) {
    #expect(refusal(of: text, as: .osu).hasPrefix(said), "\(refusal(of: text, as: .osu))")
  }
}
