// SPDX-License-Identifier: Apache-2.0

import Haptics

/// A pattern drawn as SVG: intensity as height, sharpness as colour and as a line of its own, taps as spikes.
public struct HapticPicture: Sendable {
  /// In pixels.
  public var width = 960
  /// Above the picture; nothing is written when empty.
  public var title: String

  private static let oldColour = "#3f7fe0"
  private static let newColour = "#e0701b"

  /// A picture of that title.
  public init(title: String = "") { self.title = title }

  /// What a sharpness of 0 to 1 is drawn in: round is deep blue, crisp is bright orange.
  public static func colour(_ sharpness: Double) -> String { SVGCanvas.colour(sharpness) }

  /// `pattern` as the text of an SVG file.
  public func svg(_ pattern: HapticPattern) -> String {
    let outline = HapticOutline(pattern)
    var canvas = SVGCanvas(width: width, title: title, seconds: outline.duration)
    canvas.axes()
    canvas.gradient(outline)
    canvas.area(outline)
    for spike in outline.spikes { canvas.spike(spike, colour: SVGCanvas.colour(spike.sharpness)) }
    canvas.sharpness(outline)
    canvas.sharpnessLegend()
    return canvas.text()
  }

  /// Two patterns over each other, `old` in blue and `new` in orange.
  public func svg(old: HapticPattern, new: HapticPattern, oldName: String, newName: String) -> String {
    let outlines = [HapticOutline(old), HapticOutline(new)]
    var canvas = SVGCanvas(width: width, title: title, seconds: outlines.map(\.duration).max() ?? 0)
    canvas.axes()
    for (outline, colour) in zip(outlines, [Self.oldColour, Self.newColour]) {
      canvas.area(outline, colour: colour)
      for spike in outline.spikes { canvas.spike(spike, colour: colour) }
      canvas.sharpness(outline, colour: colour)
    }
    canvas.legend([(oldName, Self.oldColour), (newName, Self.newColour)])
    return canvas.text()
  }
}
