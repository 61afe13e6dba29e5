// SPDX-License-Identifier: Apache-2.0

/// A bar of `width` characters whose length is `value` (0...1), to an eighth of a character.
func bar(_ value: Double, width: Int) -> String {
  let clamped = value > 0 ? min(value, 1) : 0
  let eighths = Int((clamped * Double(width * 8)).rounded())
  let parts = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]
  return (String(repeating: "█", count: eighths / 8) + parts[eighths % 8]).padded(width)
}

/// A haptic level as a bar whose colour is its sharpness.
func levelBar(intensity: Double, sharpness: Double, width: Int, style: Style) -> String {
  "▕" + style.paint(bar(intensity, width: width), .sharpness(sharpness)) + "▏"
}

/// Where a tap fell in its window: early on the left, late on the right, `●` at the tap, `|` at the beat.
///
/// `width` should be odd, so that there is a middle.
func tapScale(errorUs: Int64?, windowUs: Int64, width: Int) -> String {
  var scale = Array(repeating: Character("·"), count: max(3, width))
  let middle = scale.count / 2
  scale[middle] = "|"
  if let errorUs, windowUs > 0 {
    let share = Double(errorUs) / Double(windowUs)
    let offset = Int((max(-1, min(1, share)) * Double(middle)).rounded())
    scale[middle + offset] = "●"
  }
  return "[" + String(scale) + "]"
}

/// One lane: the place to hit on the left, beats coming in from the right, the far end `spanUs` away.
///
/// `ahead` holds how far off each beat is; a beat that has just gone by stands left of the target.
func laneStrip(ahead: [Int64], spanUs: Int64, width: Int) -> String {
  var strip = Array(repeating: Character("─"), count: max(4, width))
  let target = 2
  strip[target] = "◎"
  let room = Double(strip.count - 1 - target)
  for distance in ahead.sorted(by: >) {
    let column = target + Int((Double(distance) / Double(max(1, spanUs)) * room).rounded())
    if strip.indices.contains(column) { strip[column] = "●" }
  }
  return String(strip)
}
