// SPDX-License-Identifier: Apache-2.0

import Haptics
import Timing

/// Patterns being drawn while they play, one after the other, or one again and again as its file is saved.
struct Audition {
  private let tool: Tool
  private let player: any AuditionPlayer
  private let manner: AuditionManner
  private let library: PatternLibrary
  private var frame = LiveFrame()
  private var hasToldSilence = false
  private var out: Terminal { tool.out }

  private enum Outcome {
    case finished
    case interrupted
  }

  init(tool: Tool, player: any AuditionPlayer, manner: AuditionManner, library: PatternLibrary) {
    self.tool = tool
    self.player = player
    self.manner = manner
    self.library = library
  }

  /// Plays until the end of what there is to play, or a signal.
  mutating func run(_ sources: AuditionSources) throws(ToolFailure) -> ExitCode {
    let signals = SignalWatch()
    switch sources {
    case .one(let text):
      let source = try library.source(text, tool.errors)
      if tool.invocation[AuditionCommand.repeats] {
        try playAsSaved(library.editable(source), signals)
      } else {
        source.complain(to: tool.errors)
        _ = try play(AuditionedPattern(source, library.document(of: source)), signals)
      }
      return .success
    case .folder(_, let files): return try play(files, signals)
    }
  }

  private mutating func play(_ files: [String], _ signals: borrowing SignalWatch) throws(ToolFailure) -> ExitCode {
    while true {
      var failures = 0
      for (index, file) in files.enumerated() {
        if index > 0 { out.line() }
        do throws(ToolFailure) {
          let source = try PatternSource(file)
          source.complain(to: tool.errors)
          let pattern = AuditionedPattern(source, try library.document(of: source))
          let place = "\(index + 1) of \(files.count)"
          if try play(pattern, place: place, signals) == .interrupted { return .success }
        } catch {
          if error == ToolFailure(daemonHasEnded, kind: .daemonEnded) { throw error }
          failures += 1
          tool.errors.tell(error)
        }
      }
      if !tool.invocation[AuditionCommand.loop] || failures == files.count {
        return failures == 0 ? .success : .failure
      }
    }
  }

  /// Plays one to its end.
  private mutating func play(
    _ pattern: AuditionedPattern, place: String? = nil, _ signals: borrowing SignalWatch
  ) throws(ToolFailure) -> Outcome {
    var scene = Scene(AuditionScreen(title: pattern.title, document: pattern.document, tool: tool, place: place))
    begin(&scene)
    if !player.canPlay, !out.isInteractive {
      tellSilence()
      return .finished
    }
    defer { finish(&scene) }
    scene.start(pattern, atUs: try player.start(pattern))
    tellSilence()
    while true {
      if out.isAbandoned || signals.take() != nil {
        try player.stop()
        return .interrupted
      }
      if let end = try player.endSoFar() {
        if let failure = end.failure(pattern.title) { throw failure }
        return .finished
      }
      draw(&scene)
      wait(signals, playing: true)
    }
  }

  /// Plays one, and again as often as its file is saved.
  private mutating func playAsSaved(
    _ file: EditedFile, _ signals: borrowing SignalWatch
  ) throws(ToolFailure) {
    let watch = try SaveWatch(file.path)
    var edit = try file.first()
    var scene = Scene(AuditionScreen(title: file.title, document: edit.pattern.document, tool: tool))
    scene.saying = edit.lines(style: out.style, width: out.readableWidth)
    begin(&scene)
    defer { finish(&scene) }
    scene.start(edit.pattern, atUs: try player.start(edit.pattern))
    tellSilence()
    while true {
      if out.isAbandoned || signals.take() != nil { return try player.stop() }
      if watch.takeSave() {
        let isNew = edit.take(file.read())
        scene.saying = edit.lines(style: out.style, width: out.readableWidth)
        if isNew {
          scene.screen = AuditionScreen(title: file.title, document: edit.pattern.document, tool: tool)
          do throws(ToolFailure) {
            scene.start(edit.pattern, atUs: try player.start(edit.pattern))
          } catch {
            // The next save may be played again; a daemon that has gone is noticed below.
            scene.saying = error.lines().map { out.style.paint($0, .bad) } + scene.saying
          }
        }
        if !out.isInteractive { begin(&scene) }
      }
      if let end = try player.endSoFar() {
        if end == .daemonEnded { throw ToolFailure(daemonHasEnded, kind: .daemonEnded) }
        scene.isPlaying = false
      }
      draw(&scene)
      wait(signals, watch.descriptor, playing: scene.isPlaying)
    }
  }

  /// On a terminal it stands under the picture; a reader behind a pipe is told once, apart from the picture.
  private mutating func tellSilence() {
    guard !out.isInteractive, !hasToldSilence else { return }
    if let silence = player.silence {
      tool.errors.tell(silence)
    } else if case .deaf(let deafness) = player.audibility {
      tool.errors.note("it is not heard: \(deafness.reason)", hint: deafness.remedy)
    } else {
      return
    }
    hasToldSilence = true
  }

  // MARK: drawing and waiting

  /// What is on the screen, and since when it plays.
  private struct Scene {
    var screen: AuditionScreen
    var saying: [String] = []
    var isPlaying = false
    private var pattern: HapticPattern?
    private var startUs: Int64 = 0

    init(_ screen: AuditionScreen) { self.screen = screen }

    mutating func start(_ pattern: AuditionedPattern, atUs: Int64) {
      (self.pattern, startUs, isPlaying) = (pattern.pattern, atUs, true)
    }

    /// Where in the pattern playback is; nil when it is not.
    func position(_ manner: AuditionManner) -> Interval? {
      guard isPlaying, let duration = pattern?.duration else { return nil }
      let elapsed = Interval.seconds(Double(nowUs() - startUs) / 1e6 * manner.rate)
      guard manner.loops, duration > .zero, elapsed > .zero else { return elapsed }
      return Interval(nanoseconds: elapsed.nanoseconds % duration.nanoseconds)
    }
  }

  /// Where nothing is drawn over, it is drawn once, before it plays.
  private mutating func begin(_ scene: inout Scene) {
    if out.isInteractive {
      frame = LiveFrame()
      out.write(LiveFrame.begin)
    } else {
      for line in scene.screen.lines(below: scene.saying) { out.line(line) }
    }
  }

  private mutating func draw(_ scene: inout Scene) {
    guard out.isInteractive else { return }
    let below = player.notes.flatMap(faint) + scene.saying
    let lines = scene.screen.lines(playhead: scene.position(manner), below: below)
    out.write(frame.update(frame: lines, size: out.size, style: out.style))
  }

  private mutating func finish(_ scene: inout Scene) {
    scene.isPlaying = false
    draw(&scene)
    if out.isInteractive { out.write(LiveFrame.end) }
  }

  /// Until there is something to do: a save, an end, a signal, or the next picture where one is drawn.
  private func wait(_ signals: borrowing SignalWatch, _ watch: Int32? = nil, playing: Bool) {
    let untilEnd = player.endUs.map { max(0, $0 - nowUs()) } ?? 60_000_000
    let untilFrame: Int64 = playing && out.isInteractive ? 33_000 : 60_000_000
    _ = waitReadable(
      player.descriptors + [signals.descriptor] + (watch.map { [$0] } ?? []), output: out.descriptor,
      microseconds: min(playing ? untilEnd : 60_000_000, untilFrame))
  }

  private func faint(_ text: String) -> [String] {
    hanging(text, indent: 2, width: out.width).map { out.style.paint($0, .dim) }
  }
}
