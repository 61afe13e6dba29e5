// SPDX-License-Identifier: Apache-2.0

import FreefallLevels
import FreefallRules
import LevelSearch

/// All levels on one sheet, ten a row, as SVG: obstacles in their world's colour, the kept way dotted.
struct Sheet {
  let rules: Rules
  let folder: LevelFolder

  func drawn() throws -> String {
    let (width, height) = (rules.ball.screenWidth, rules.ball.screenHeight)
    let (columns, gap) = (rules.worlds.levelsPerWorld, 30.0)
    let whole = (
      Double(columns) * (width + gap) + gap, Double(rules.worlds.count) * (height + gap * 2) + gap
    )
    var text = """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(whole.0) \(whole.1)" width="\(whole.0 / 2)">
      <rect width="100%" height="100%" fill="#000"/>

      """
    for name in rules.worlds.levels {
      let x = gap + Double(name.number - 1) * (width + gap)
      let y = gap * 2 + Double(name.world - 1) * (height + gap * 2)
      text += "<svg x=\"\(x)\" y=\"\(y)\" width=\"\(width)\" height=\"\(height)\">"
      text += try level(name)
      text += "</svg>\n"
      let parFlips = try folder.file(name).parFlips
      text += "<text x=\"\(x)\" y=\"\(y - 8)\" fill=\"#aaa\" font-size=\"22\">\(name.text), \(parFlips) flips</text>\n"
    }
    return text + "</svg>\n"
  }

  private func level(_ name: LevelName) throws -> String {
    let level = try folder.file(name).level(on: rules.ball, file: name.text)
    let colour = ["#19d3ff", "#ffb02e", "#c86bff", "#e8e8e8"][name.world - 1]
    var text = "<rect width=\"100%\" height=\"100%\" fill=\"#14141c\"/>"
    for obstacle in level.obstacles {
      let paint = "fill=\"\(colour)\" fill-opacity=\"0.25\" stroke=\"\(colour)\" stroke-width=\"3\""
      switch obstacle.shape {
      case .circle(let centre, let radius):
        text += "<circle cx=\"\(centre.x)\" cy=\"\(centre.y)\" r=\"\(radius)\" \(paint)/>"
      case .line(let from, let to):
        text += "<line x1=\"\(from.x)\" y1=\"\(from.y)\" x2=\"\(to.x)\" y2=\"\(to.y)\" \(paint)/>"
      case .polygon(let corners):
        text += "<polygon points=\"\(corners.map { "\($0.x),\($0.y)" }.joined(separator: " "))\" \(paint)/>"
      }
    }
    for place in level.collectibles {
      text += "<circle cx=\"\(place.x)\" cy=\"\(place.y)\" r=\"\(rules.ball.collectibleRadius)\" fill=\"#ffe14d\"/>"
    }
    let goal = level.goalPosition
    text +=
      "<circle cx=\"\(goal.x)\" cy=\"\(goal.y)\" r=\"\(level.goalRadius)\" fill=\"none\" stroke=\"#5dff8f\" stroke-width=\"4\"/>"
    let flips = try folder.solutions(name).solutions[0].flipsUs
    let points = way(level, flipsUs: flips, rules: rules.ball).map { "\($0.x),\($0.y)" }.joined(separator: " ")
    text += "<polyline points=\"\(points)\" fill=\"none\" stroke=\"#fff\" stroke-width=\"2\" stroke-dasharray=\"3 6\"/>"
    let launch = level.launchPosition
    return text + "<circle cx=\"\(launch.x)\" cy=\"\(launch.y)\" r=\"\(rules.ball.radius)\" fill=\"#ff4d6d\"/>"
  }
}
