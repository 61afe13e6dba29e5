// SPDX-License-Identifier: Apache-2.0

/// How the demo is shown: lines that stay, and on a terminal a board below them that is drawn over and over.
final class DemoShow {
  let out: Terminal
  private let isSilent: Bool
  private var frame = LiveFrame()
  private var waiting: [String] = []
  private var isLive = false

  /// `isSilent` shows nothing at all.
  init(out: Terminal, isSilent: Bool) {
    self.out = out
    self.isSilent = isSilent
  }

  var drawsBoard: Bool { out.isInteractive && !isSilent }
  var style: Style { out.style }

  /// A line that stays; above the board where there is one.
  func line(_ text: String) {
    if isSilent { return }
    // A line that breaks would push the board about.
    if isLive { waiting.append(clipped(text, to: out.width)) } else { out.line(text) }
  }

  /// Draws the board anew, below what was said since.
  func draw(_ board: [String]) {
    guard drawsBoard else { return }
    if !isLive { out.write(LiveFrame.begin) }
    isLive = true
    out.write(frame.update(scrolled: waiting, frame: [""] + board, size: out.size, style: out.style))
    waiting = []
  }

  /// Takes the board away and gives the cursor back.
  func finish() {
    guard isLive else { return }
    out.write(frame.update(scrolled: waiting, frame: [], size: out.size, style: out.style) + LiveFrame.end)
    waiting = []
    isLive = false
  }
}
