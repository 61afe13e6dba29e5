import Haptics
import StarlightClient
import Timing
import Wire

/// One pattern being drawn, and played if there is something to play it.
struct Audition {
  let tool: Tool
  let title: String
  let document: AHAPDocument

  private var rate: Double { tool.invocation[AuditionCommand.rate] ?? 1 }
  private var loops: Bool { tool.invocation[AuditionCommand.loop] }
  private var out: Terminal { tool.out }

  /// The picture, as it is before and after playing.
  func drawOnce() {
    for line in [heading] + picture(playhead: nil) { out.line(line) }
  }

  /// Plays through the daemon until the pattern's end or a signal, drawing as it goes.
  func play(_ source: PatternSource, through connection: StarlightConnection) throws(ToolFailure) {
    let status = try connection.ask(EventsSubscribe.self, EventsSubscribe.Params(topics: [.haptics])).snapshot
    let hasPad = status.haptics.contains { !["log", "null"].contains($0.kind) }
    let listener = hasPad || !out.isInteractive ? nil : listener()
    let result = try connection.ask(
      HapticsPlay.self,
      HapticsPlay.Params(
        pattern: source.name, ahap: source.inline, rate: rate == 1 ? nil : rate, loop: loops ? true : nil))
    let played = PlayedPattern(player: result.player)
    _ = listener?.start(at: Instant(microseconds: result.scheduledUs), loops: loops)
    let note =
      listener.map(heardNote)
      ?? (hasPad ? [] : [faint("the daemon has no pad, and no sound device is open here: it is only drawn")])
    guard out.isInteractive else {
      if let failure = try played.waitForEnd(connection).failure(title) { throw failure }
      return
    }
    let signals = SignalWatch()
    var frame = LiveFrame()
    out.write(LiveFrame.begin)
    defer {
      out.write(frame.update(frame: [heading] + picture(playhead: nil) + note, size: out.size) + LiveFrame.end)
      listener?.fadeOut()
    }
    while !out.isBroken {
      if let end = try played.endSoFar(connection) {
        if let failure = end.failure(title) { throw failure }
        return
      }
      if signals.take() != nil {
        _ = try connection.ask(HapticsStop.self, HapticsStop.Params(player: result.player))
        return
      }
      out.write(
        frame.update(frame: [heading] + picture(playhead: position(sinceUs: result.scheduledUs)) + note, size: out.size)
      )
      _ = waitReadable([connection.descriptor, signals.descriptor], microseconds: 33_000)
    }
  }

  /// Draws on this program's own clock.
  func playAlone() throws(ToolFailure) {
    let signals = SignalWatch()
    var frame = LiveFrame()
    let listener = listener()
    let start = listener?.start(at: nil, loops: loops).microseconds ?? nowUs()
    let note = [faint("no daemon answers: drawn on this program's own clock")] + (listener.map(heardNote) ?? [])
    out.write(LiveFrame.begin)
    defer {
      out.write(frame.update(frame: [heading] + picture(playhead: nil) + note, size: out.size) + LiveFrame.end)
      listener?.fadeOut()
    }
    while !out.isBroken, signals.take() == nil {
      let head = position(sinceUs: start)
      if !loops, head >= duration { return }
      out.write(frame.update(frame: [heading] + picture(playhead: head) + note, size: out.size))
      _ = waitReadable([signals.descriptor], microseconds: 33_000)
    }
  }

  /// What lets the pattern be heard, where it may and can.
  private func listener() -> HapticListener? {
    if tool.invocation[AuditionCommand.silent] { return nil }
    return HapticListener(
      HapticPattern(document), device: tool.invocation[AuditionCommand.device] ?? tool.environment["STARLIGHT_DEVICE"],
      speed: rate)
  }

  private func heardNote(_ listener: HapticListener) -> [String] {
    [faint("heard through \(listener.device): intensity as loudness, sharpness as pitch")]
  }

  private func faint(_ text: String) -> String { "  " + out.style.paint(text.cut(to: max(10, out.width - 2)), .dim) }

  private var duration: Interval { HapticPattern(document).duration }

  /// Where in the pattern one is, `startUs` being its beginning.
  private func position(sinceUs startUs: Int64) -> Interval {
    let elapsed = Interval.seconds(Double(nowUs() - startUs) / 1e6 * rate)
    guard loops, duration > .zero, elapsed > .zero else { return elapsed }
    return Interval(nanoseconds: elapsed.nanoseconds % duration.nanoseconds)
  }

  private func picture(playhead: Interval?) -> [String] {
    let size = out.size
    let columns = max(20, min(size.columns, 120) - EnvelopePicture.margin - 8)
    let wanted = tool.invocation[AuditionCommand.height] ?? 8
    let room = out.isInteractive ? size.rows - EnvelopePicture.frameRows - 5 : wanted
    var picture = EnvelopePicture(envelope: Envelope(document, columns: columns), style: out.style)
    picture.height = max(2, min(wanted, room))
    picture.playhead = playhead
    return picture.lines()
  }

  private var heading: String {
    auditionHeading(title, document, rate: rate, style: out.style)
  }
}

/// "heartbeat  2.35 s, 8 transients, 2 continuous, peak 0.90".
func auditionHeading(_ title: String, _ document: AHAPDocument, rate: Double, style: Style) -> String {
  let pattern = HapticPattern(document)
  let envelope = Envelope(document, columns: 400)
  let peak = envelope.columns.map { max($0.body, $0.spike ?? 0) }.max() ?? 0
  let transients = document.events.count { $0.type == .transient }
  let continuous = document.events.count { $0.type == .continuous }
  let audio = document.events.count - transients - continuous
  var parts = [length(pattern.duration.microseconds)]
  if transients > 0 { parts.append(count(transients, "transient")) }
  if continuous > 0 { parts.append("\(continuous) continuous") }
  if audio > 0 { parts.append("\(audio) audio") }
  parts.append("peak \(fixed(peak, 2))")
  if rate != 1 { parts.append("played at \(fixed(rate, 2)) of its speed") }
  return style.paint(title, .bold) + "  " + parts.joined(separator: ", ")
}
