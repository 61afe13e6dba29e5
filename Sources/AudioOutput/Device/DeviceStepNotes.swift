// SPDX-License-Identifier: Apache-2.0

/// What the control side makes of a card that was to be woken for by the clock and turns out to move in steps.
extension DeviceKeeper {
  /// Tells that a device wakes by itself after all, and remembers what it needs for that.
  func noteSteps() {
    guard shared.pointer.pointee.wakesByItself.exchange(false, ordering: .relaxed) else { return }
    let known: FillMemory? = state.withLock { state in
      guard let opened = state.opened, state.description.isWokenByClock else { return nil }
      let device = opened.device.pointee
      state.description.buffer = max(state.description.buffer, shared.pointer.pointee.fill.load(ordering: .acquiring))
      state.description.wakesByItself(ownPeriod: device.ownPeriod)
      guard device.canGrow else { return nil }
      let needed = max(state.description.buffer, WakeSource.needed(ownPeriod: device.ownPeriod))
      state.memory.remember(needed, for: opened.key)
      return state.memory
    }
    if let known { write(known) }
  }

  /// What a device that is open comes down to at the least, because its position may have turned out to move in steps; 0 where
  /// it has not.
  func leastBySteps(of opened: OpenedDevice, _ description: AudioOutputDescription) -> Int {
    let device = opened.device.pointee
    guard device.kind == .card, device.ownPeriod > WakeSource.longestOwn, !description.isWokenByClock else { return 0 }
    return WakeSource.needed(ownPeriod: device.ownPeriod)
  }
}

extension AudioOutputDescription {
  /// What is told of a device with such periods of its own for which the clock wakes.
  static func waking(ownPeriod: Int) -> String { ", woken by the clock (the card's own are of \(ownPeriod))" }

  /// The device, for which the clock woke, wakes by itself from here on.
  mutating func wakesByItself(ownPeriod: Int) {
    isWokenByClock = false
    let waking = Self.waking(ownPeriod: ownPeriod)
    guard let begin = message.indices.first(where: { message[$0...].hasPrefix(waking) }) else { return }
    message.replaceSubrange(
      begin..<message.index(begin, offsetBy: waking.count),
      with: ", woken by the card each \(ownPeriod), for its position moves in steps, with \(buffer) frames ahead")
  }
}
