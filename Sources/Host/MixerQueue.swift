import Mixing

/// The way of commands to the mixer, which has room for so many: what must not get lost waits its turn, and a quarter of
/// the room is kept from sounds, so that music, a stop or a switch gets through while it is full of sounds that wait for
/// their instant.
struct MixerQueue {
  private let controller: MixerController
  /// Stops, gains and pauses for which there was no room, in order.
  private var backlog: [MixerCommand] = []

  init(_ controller: MixerController) { self.controller = controller }

  /// How many wait.
  var count: Int { backlog.count }

  /// Hands `commands` over as one batch. Where they do not fit, the starts among them are given up and answered; the rest
  /// waits.
  mutating func submit(_ commands: [MixerCommand]) -> [VoiceStart] {
    // Only a flood fills more than one batch, and only there is a batch split.
    var refused: [VoiceStart] = []
    var rest = commands[...]
    while !rest.isEmpty {
      let batch = Array(rest.prefix(largestBatch))
      rest = rest.dropFirst(batch.count)
      if !backlog.isEmpty || !isTaken(batch) { refused += wait(batch) }
    }
    submitWaiting()
    return refused
  }

  /// Hands over what waits, as far as there is room.
  mutating func submitWaiting() {
    while !backlog.isEmpty {
      let batch = Array(backlog.prefix(largestBatch))
      guard controller.submit(batch) else { return }
      backlog.removeFirst(batch.count)
    }
  }

  private var largestBatch: Int { controller.configuration.commandCapacity / 4 }

  private func isTaken(_ batch: [MixerCommand]) -> Bool {
    let hasSounds = batch.contains {
      if case .start(let start) = $0, case .resident = start.source { true } else { false }
    }
    let kept = hasSounds ? controller.configuration.commandCapacity / 4 : 0
    return controller.room - batch.count >= kept && controller.submit(batch)
  }

  private mutating func wait(_ batch: [MixerCommand]) -> [VoiceStart] {
    var starts: [VoiceStart] = []
    for command in batch {
      switch command {
      case .start(let start): starts.append(start)
      case .forget(let voice, let frame):
        // What waits can be forgotten here, so that one plan of a voice waits and no more.
        backlog.removeAll { ($0.changes(voice) || $0.forgets(voice)) && $0.frame >= frame }
        backlog.append(command)
      default: backlog.append(command)
      }
    }
    return starts
  }
}

extension MixerCommand {
  fileprivate func forgets(_ voice: VoiceID) -> Bool { if case .forget(voice, _) = self { true } else { false } }
}
