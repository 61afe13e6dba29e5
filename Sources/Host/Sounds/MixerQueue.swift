// SPDX-License-Identifier: Apache-2.0

import Mixing

/// The way of commands to the mixer, which has room for so many: what must not get lost waits its turn. An eighth of
/// the room is kept from sounds, so that music, a stop or a switch gets through while it is full of sounds that wait for their
/// instant; three quarters of it from what steers the sounds of patterns, which comes in great numbers.
struct MixerQueue {
  private let controller: MixerController
  /// Stops, gains and pauses for which there was no room, in order.
  private var backlog: [MixerCommand] = []
  /// What steers sounds and waits, in order of frames, then of arrival.
  private(set) var steering: [MixerCommand] = []

  init(_ controller: MixerController) { self.controller = controller }

  /// How many wait.
  var count: Int { backlog.count + steering.count }

  /// Hands `commands` over as one batch. Where they do not fit, the starts among them are given up and answered; the rest
  /// waits.
  mutating func submit(_ commands: [MixerCommand]) -> [VoiceStart<VoiceSource>] {
    submit(commands, unlessPassed: nil) ?? []
  }

  /// The same; nil, with nothing handed over, where the mixer may be past `frame` by the time that it takes them. Not looked at of
  /// more than a batch, nor while others wait.
  mutating func submit(_ commands: [MixerCommand], unlessPassed frame: Int64?) -> [VoiceStart<VoiceSource>]? {
    // Only a flood fills more than one batch, and only there is a batch split.
    var refused: [VoiceStart<VoiceSource>] = []
    var rest = commands[...]
    while !rest.isEmpty {
      let batch = Array(rest.prefix(largestBatch))
      rest = rest.dropFirst(batch.count)
      let isAll = batch.count == commands.count
      switch backlog.isEmpty ? submit(batch, unlessPassed: isAll ? frame : nil) : .full {
      case .taken: break
      case .full: refused += wait(batch)
      case .passed: return nil
      }
    }
    submitWaiting()
    return refused
  }

  /// Hands over what steers sounds, behind what of that waits already.
  mutating func steer(_ commands: [MixerCommand]) {
    // Hundreds may come at once, so they are put in their places together.
    var coming: [MixerCommand] = []
    for command in commands {
      if case .retract(let voice, let frame) = command {
        // What waits can be taken back here, so that one plan of a voice waits and no more.
        takeBack(from: &coming) { $0.concerns(voice) && $0.frame >= frame }
      }
      if case .retractDriven(let target, let frame) = command {
        takeBack(from: &coming) { $0.drives(target) && $0.frame >= frame }
      }
      coming.append(command)
    }
    let ordered = coming.enumerated().sorted { ($0.element.frame, $0.offset) < ($1.element.frame, $1.offset) }
    insert(ordered.map(\.element))
    submitWaiting()
  }

  private mutating func takeBack(from coming: inout [MixerCommand], where isMeant: (MixerCommand) -> Bool) {
    coming.removeAll(where: isMeant)
    steering.removeAll(where: isMeant)
  }

  /// Puts what is in order by frames into `steering`, each behind all that is to happen by its frame.
  private mutating func insert(_ ordered: [MixerCommand]) {
    guard let first = ordered.first else { return }
    let changed = place(first.frame)
    var next = changed
    var merged: [MixerCommand] = []
    merged.reserveCapacity(steering.count - changed + ordered.count)
    for command in ordered {
      while next < steering.count, steering[next].frame <= command.frame {
        merged.append(steering[next])
        next += 1
      }
      merged.append(command)
    }
    steering.replaceSubrange(changed..<next, with: merged)
  }

  /// Hands over what waits, as far as there is room.
  mutating func submitWaiting() {
    submit(&backlog, keeping: 0)
    submit(&steering, keeping: controller.configuration.commandCapacity * 3 / 4)
  }

  private func submit(_ waiting: inout [MixerCommand], keeping kept: Int) {
    while !waiting.isEmpty {
      let count = min(waiting.count, largestBatch, controller.room - kept)
      guard count > 0, controller.submit(Array(waiting.prefix(count))) else { return }
      waiting.removeFirst(count)
    }
  }

  private var largestBatch: Int { controller.configuration.commandCapacity / 8 }

  /// Behind all that is to happen by `frame`.
  private func place(_ frame: Int64) -> Int {
    var (low, high) = (0, steering.count)
    while low < high {
      let middle = (low + high) / 2
      if steering[middle].frame <= frame { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private func submit(_ batch: [MixerCommand], unlessPassed frame: Int64?) -> Submission {
    let hasSounds = batch.contains {
      if case .start(let start) = $0, case .resident = start.source { true } else { false }
    }
    let kept = hasSounds ? controller.configuration.commandCapacity / 8 : 0
    guard controller.room - batch.count >= kept else { return .full }
    if let frame { return controller.submit(batch, unlessPassed: frame) }
    return controller.submit(batch) ? .taken : .full
  }

  private mutating func wait(_ batch: [MixerCommand]) -> [VoiceStart<VoiceSource>] {
    var starts: [VoiceStart<VoiceSource>] = []
    for command in batch {
      if case .start(let start) = command { starts.append(start) } else { backlog.append(command) }
    }
    return starts
  }
}
