// SPDX-License-Identifier: Apache-2.0

import SeededNumbers

/// Requests about haptic players.
extension RequestMaker {
  mutating func fillHaptics(
    _ method: String, _ sent: inout SimulatedClient.Sent, _ random: inout SeededRandom
  ) {
    switch method {
    case "haptics.play":
      if random.oneIn(5) {
        fields.append("\"ahap\":\(random.pick(Self.documents))")
      } else {
        name("pattern", ["thud", "hum", "swell", "other:thud"], ["thudd", "hum.ahap"], &random)
      }
      at(&random, farthest: 3_000_000_000)
      number("gain", 0...1, &random)
      number("rate", 0.1...(world.isCalm ? 1 : 10), &random)
      let loops = random.oneIn(4)
      if loops { fields.append("\"loop\":true") }
      microseconds("loopEndUs", 1...2_000_000, &random)
      microseconds("offsetUs", 0...1_000_000, &random)
      if random.oneIn(6) { fields.append("\"mute\":true") }
      if random.oneIn(6), !world.players.isEmpty {
        let other = random.pick(Array(world.players.suffix(6)))
        otherPlayer = other
        fields.append("\"replaces\":\(other)")
      }
      microseconds("keepAfterDisconnectUs", 0...4_000_000, &random)
    case "haptics.transient", "haptics.continuous":
      number("intensity", 0...1, &random)
      number("sharpness", 0...1, &random)
      if method == "haptics.continuous" {
        fields.append("\"durationUs\":\(random.oneIn(9) ? extreme(&random) : random.integer(1...3_000_000))")
      }
      at(&random, farthest: 3_000_000_000)
    case "haptics.stop":
      if !random.oneIn(4) { player(&random) }
      at(&random)
    case "haptics.pause", "haptics.resume":
      player(&random)
      at(&random)
    case "haptics.seek":
      player(&random)
      fields.append("\"positionUs\":\(random.oneIn(9) ? extreme(&random) : random.integer(0...2_000_000))")
      at(&random)
    case "haptics.set":
      player(&random)
      if random.oneIn(2) { fields.append("\"mute\":\(random.oneIn(2))") }
      if random.oneIn(3) { fields.append("\"loop\":\(random.oneIn(2))") }
      number("rate", 0.1...(world.isCalm ? 1 : 10), &random)
      number("gain", 0...1, &random)
      microseconds("loopEndUs", 0...2_000_000, &random)
      at(&random)
    case "haptics.sendParameters":
      player(&random)
      number("intensity", 0...1, &random)
      number("sharpness", -1...1, &random)
      number("audioVolume", 0...1, &random)
      for control in ["audioPan", "audioPitch", "audioBrightness"] where random.oneIn(3) {
        number(control, -1...1, &random)
      }
      at(&random)
    case "haptics.scheduleCurve":
      player(&random)
      fields.append("\"control\":\"\(random.pick(Self.controls))\"")
      var time: Int64 = 0
      let points = (0..<random.next(below: 5)).map { _ in
        time &+= random.oneIn(15) ? extreme(&random) / 2 : random.integer(0...400_000)
        return "{\"timeUs\":\(time),\"value\":\(random.pick(["0", "0.5", "1", "-1", "7"]))}"
      }
      fields.append("\"points\":[\(points.joined(separator: ","))]")
      at(&random)
    default: break
    }
  }

  private mutating func player(_ random: inout SeededRandom) {
    let known = world.players.suffix(8)
    let player = known.isEmpty || random.oneIn(12) ? extreme(&random) : random.pick(Array(known))
    otherPlayer = player
    fields.append("\"player\":\(player)")
  }

  private static let controls = [
    "intensity", "sharpness", "audioVolume", "audioPan", "audioPitch", "audioBrightness",
  ]

  /// Far more sounds than can be heard, none of which is loud.
  static let dense: String = {
    let events = (0..<300).map { index in
      #"{"Event":{"Time":\#(index * 5)e-6,"EventType":"AudioContinuous","EventDuration":0.001,"EventParameters":["#
        + #"{"ParameterID":"AudioVolume","ParameterValue":0}]}}"#
    }
    return "{\"Pattern\":[\(events.joined(separator: ","))]}"
  }()

  /// Taps 4 us apart, each stronger than the one before, so that every one is a change: as many as a line may have.
  static let denseTaps: String = {
    let events = (0..<900).map { index in
      #"{"Event":{"Time":\#(index * 4)e-6,"EventType":"HapticTransient","EventParameters":["#
        + #"{"ParameterID":"HapticIntensity","ParameterValue":\#(Double(index + 1) / 1_000)}]}}"#
    }
    return "{\"Pattern\":[\(events.joined(separator: ","))]}"
  }()

  /// Tones that begin 10 us apart.
  static func tones(_ count: Int, lasting seconds: Double, volume: Double) -> String {
    let events = (0..<count).map { index in
      #"{"Event":{"Time":\#(index * 10)e-6,"EventType":"AudioContinuous","EventDuration":\#(seconds),"EventParameters":["#
        + #"{"ParameterID":"AudioVolume","ParameterValue":\#(volume)}]}}"#
    }
    return "{\"Pattern\":[\(events.joined(separator: ","))]}"
  }

  private static let documents = [
    dense,
    #"{"Pattern":[{"Event":{"Time":0,"EventType":"HapticTransient"}}]}"#,
    #"{"Pattern":[{"Event":{"Time":0,"EventType":"AudioContinuous","EventDuration":1e-6,"EventParameters":[{"ParameterID":"AudioVolume","ParameterValue":0.1},{"ParameterID":"AudioBrightness","ParameterValue":0}]}}]}"#,
    #"{"Pattern":[{"Event":{"Time":86000,"EventType":"HapticContinuous","EventDuration":30}}]}"#,
    #"{"Pattern":[]}"#, #"{"Patern":1}"#, "[]", "null", #""hum""#,
    #"{"Pattern":[{"ParameterCurve":{"ParameterID":"HapticIntensityControl","Time":-1,"ParameterCurveControlPoints":[{"Time":1e300,"ParameterValue":1e300}]}}]}"#,
  ]
}
