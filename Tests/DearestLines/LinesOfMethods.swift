// SPDX-License-Identifier: Apache-2.0

import Wire

/// A name as long as its bytes allow and of as few characters as can be.
let marks = "a" + String(repeating: "\u{301}", count: 63)

/// Where all that is felt is written, which is an output that can be set.
let feltPath = "/tmp/starlight-dearest-lines.ndjson"

/// `count` entries in brackets.
func list(_ count: Int, _ entry: (Int) -> String) -> String {
  "[" + (0..<count).map(entry).joined(separator: ",") + "]"
}

private func pattern(_ events: Int, _ type: String = "HapticContinuous") -> String {
  let event = { (n: Int) in
    #"{"Event":{"Time":\#(Double(n) / 100),"EventType":"\#(type)","EventDuration":0.5}}"#
  }
  return #"{"Pattern":\#(list(events, event))}"#
}

/// So many tones that all sound half a minute on, while `points` lead their pitch there.
func manyTones(_ count: Int, under points: Int) -> String {
  let tone = { (n: Int) in
    #"{"Event":{"Time":\#(Double(n) / 1_000),"EventType":"AudioContinuous","EventDuration":30}}"#
  }
  let point = { (n: Int) in #"{"Time":\#(Double(n) / 50),"ParameterValue":0.\#(n % 9)}"# }
  let curve = { (n: Int) in
    #"{"ParameterCurve":{"ParameterID":"AudioPitchControl","Time":\#(Double(n) * 0.32),"#
      + #""ParameterCurveControlPoints":\#(list(16, point))}}"#
  }
  return #"{"Pattern":\#(list(count, tone).dropLast()),\#(list(points / 16, curve).dropFirst())}"#
}

private func map(_ beats: Int) -> String {
  let lanes = ["left", "right", "top"]
  return #"{"bpm":85,"beats":\#(list(beats) { #"{"at":\#(0.5 + Double($0) / 200),"lane":"\#(lanes[$0 % 3])"}"# })}"#
}

/// Params that are granted where what they name is there: the dear ones of each method. `atUs` is put in as `soonUs`.
let granted: [String: [String]] = [
  "session.hello": [#""client":"dearest""#], "session.use": [#""pack":"starlight-sync""#],
  "music.play": [
    #""track":"starlight-sync:audio_bgm_main""#, #""track":"starlight-sync:audio_bgm_main","quantise":"bar""#,
    #""track":"starlight-sync:audio_bgm_main","from":"continue","crossfadeUs":2000000,"atUs":$soonUs"#,
  ],
  "music.stop": ["", #""fadeUs":1000000"#, #""atUs":$soonUs"#], "music.pause": ["", #""atUs":$soonUs"#],
  "music.resume": ["", #""atUs":$soonUs"#],
  "music.seek": [#""positionUs":1000"#, #""positionUs":1000,"atUs":$soonUs"#],
  "music.gain": [#""gain":0.5,"fadeUs":1000000"#, #""gain":0.5,"atUs":$soonUs"#], "music.cancel": [#""plan":$plan"#],
  "sound.play": [
    #""sound":"starlight-sync:sfx_click""#, #""sound":"starlight-sync:sfx_click","loop":true,"atUs":$soonUs"#,
  ],
  "sound.set": [#""id":$id,"gain":0.5,"fadeUs":1000000"#], "sound.stop": ["", #""id":$id"#, #""atUs":$soonUs"#],
  "haptics.play": [
    #""pattern":"starlight-sync:heartbeat","loop":true"#, #""ahap":\#(pattern(10))"#, #""ahap":\#(pattern(1_500))"#,
    #""ahap":\#(pattern(1_500, "AudioContinuous"))"#,
    #""ahap":\#(manyTones(650, under: 1_500)),"offsetUs":29000000,"loop":true"#,
  ],
  "haptics.transient": [#""intensity":1"#], "haptics.continuous": [#""durationUs":1000000"#],
  "haptics.stop": ["", #""player":$player"#, #""atUs":$soonUs"#], "haptics.pause": [#""player":1"#],
  "haptics.resume": [#""player":1"#, #""player":2"#],
  "haptics.seek": [#""player":1,"positionUs":400000"#, #""player":1,"positionUs":29000000"#],
  "haptics.set": [#""player":1,"rate":2"#],
  "haptics.gain": [#""gain":0.5"#],
  "haptics.sendParameters": [
    #""player":1,"intensity":0.5"#,
    #""player":1,"intensity":0.5,"audioVolume":0.5,"audioPan":0.5,"audioPitch":0.5,"audioBrightness":0.5"#,
  ],
  "haptics.scheduleCurve": [
    #""player":1,"control":"intensity","points":\#(list(256) { #"{"timeUs":\#($0),"value":0.\#($0)}"# })"#,
    #""player":1,"control":"audioPitch","points":\#(list(256) { #"{"timeUs":\#($0)000,"value":0.\#($0)}"# })"#,
  ],
  "cue.fire": [
    #""cue":"starlight-sync:finale""#, #""cue":"freefall:intermission""#,
    #""cue":"starlight-sync:finale","quantise":"bar""#, #""cue":"freefall:intermission","atUs":$soonUs"#,
  ],
  "cue.stop": [#""id":$id"#],
  "parameter.set": [
    #""parameter":"starlight-sync:menu","value":1,"overUs":1000000"#,
    #""parameter":"starlight-sync:menu","value":1,"atUs":$soonUs"#,
  ],
  "rhythm.start": [
    #""chapter":"starlight-sync:firewall""#, #""chapter":"starlight-sync:firewall","map":\#(map(6_000))"#,
  ],
  "rhythm.tap": [#""lane":"left""#],
  "rhythm.bind": [#""control":"BTN_SOUTH""#, #""control":"ABS_X+","device":"pad""#], "rhythm.unbind": [""],
  "settings.set": [
    #""music":false"#, #""sound":false"#, #""haptics":false"#, #""masterVolume":0.5,"musicVolume":0.5"#,
  ],
  "devices.set": [#""device":"\#(feltPath)","gain":1"#, #""device":"none","deviceLeadUs":1"#],
  "pack.unload": [#""pack":"freefall""#],
  "engine.stats": ["", #""overUs":60000000"#],
  "trace.explain": ["", #""kind":"cue""#, #""kind":"tap""#, #""kind":"music""#],
  "trace.read": ["", #""from":9223372036854775807"#, #""sinceUs":9223372036854775807"#],
]

private let heartbeat = ("haptics.play", #""pattern":"starlight-sync:heartbeat","loop":true"#)
private let chapter = ("rhythm.start", #""chapter":"starlight-sync:firewall""#)

/// What is asked for before a method: what it names is in the replies, as `$id`, `$player` or `$plan`.
let needed: [String: [(method: String, params: String)]] = [
  "music.cancel": [("music.gain", #""gain":0.5,"atUs":$soonUs"#)],
  "sound.set": [("sound.play", #""sound":"starlight-sync:sfx_click","loop":true"#)],
  "sound.stop": [("sound.play", #""sound":"starlight-sync:sfx_click","loop":true"#)],
  "haptics.stop": [heartbeat], "haptics.pause": [heartbeat], "haptics.resume": [heartbeat], "haptics.seek": [heartbeat],
  "haptics.set": [heartbeat], "haptics.gain": [heartbeat], "haptics.sendParameters": [heartbeat],
  "haptics.scheduleCurve": [heartbeat], "cue.stop": [("cue.fire", #""cue":"starlight-sync:finale","atUs":$soonUs"#)],
  "engine.resume": [("engine.pause", "")], "rhythm.pause": [chapter], "rhythm.resume": [chapter, ("rhythm.pause", "")],
  "rhythm.restart": [chapter], "rhythm.stop": [chapter], "rhythm.tap": [chapter], "rhythm.status": [chapter],
  "rhythm.takeOver": [chapter], "rhythm.unbind": [("rhythm.bind", #""control":"BTN_SOUTH""#)],
]

/// What is put into params by chance, to be refused as late as can be.
let additions: [@Sendable () -> String] = [
  { "\"\(marks)\":1" }, { "\"atUs\":1e-400" }, { "\"atUs\":1" + String(repeating: "0", count: 900) },
  { "\"sound\":\"\(marks)\"" }, { "\"track\":\"\(marks)\"" }, { "\"pattern\":\"\(marks)\"" },
  { "\"cue\":\"\(marks):\(marks)\"" }, { "\"topics\":" + list(400) { _ in "\"\(marks.prefix(1))\"" } },
  { "\"device\":\"" + String(repeating: "a,", count: 500) + "\"" }, { "\"x\":" + list(3_000) { _ in "[{}]" } },
  { "\"ahap\":" + pattern(2_000) }, { "\"points\":" + list(20_000) { _ in "{}" } },
  { "\"map\":" + map(6_000) }, { "\"map\":{\"beats\":" + list(20_000) { _ in "{}" } + "}" },
  { "\"ahap\":{" + (0..<2_000).map { "\"\(marks.utf8.count + $0)\":[]" }.joined(separator: ",") + "}" },
  { (0..<100).map { "\"\($0)\(marks.prefix(1))\":1" }.joined(separator: ",") }, { "\"gain\":0.5" },
]

/// A line of a method; `names` are what stands for `$soonUs` and the like.
func line(_ method: String, _ params: String, _ names: [String: Int64]) -> [UInt8] {
  let filled = names.reduce(params) { $0.replacing($1.key, with: String($1.value)) }
  return Array("{\"id\":1,\"method\":\"\(method)\",\"params\":{\(filled)}}".utf8)
}
