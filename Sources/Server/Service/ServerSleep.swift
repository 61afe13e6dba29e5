// SPDX-License-Identifier: Apache-2.0

import Timing
import Wire

/// The system's sleep: the engine is paused before it, and after it waits for a front end that welcomes the player back.
extension Server {
  /// Watches the bus for what it is to do next.
  func watchSleep() {
    let interest = SleepInterest(descriptor: sleepWatch.descriptor, writing: sleepWatch.wantsToWrite)
    guard interest != sleepInterest || unwatched.contains(Token.sleep) else { return }
    if let old = sleepInterest, old.descriptor >= 0, old.descriptor != interest.descriptor {
      loop.forget(old.descriptor)
    }
    sleepInterest = interest
    let watched = interest.descriptor >= 0 ? [interest.descriptor] : []
    watchOrLook(watched, token: Token.sleep, writing: interest.writing)
  }

  /// Does what logind's news ask for. Called each round, so the bus is asked only where it spoke or something is due.
  func followSleep() {
    if hasSleepSpoken || unwatched.contains(Token.sleep) || sleepWatch.due.map({ $0 <= host.now }) ?? false {
      hasSleepSpoken = false
      for news in sleepWatch.take(at: host.now) { follow(news) }
    }
    if isAwaitingWelcome, !isAnybodyListening {
      isAwaitingWelcome = false
      host.endSleep()
    }
    watchSleep()
  }

  /// Does what one of logind's news asks for.
  func follow(_ news: SleepWatch.News) {
    switch news {
    case .goesToSleep:
      isAwaitingWelcome = false
      sleepWatch.allowSleep(at: host.prepareForSleep())
    case .isAwake:
      isAwaitingWelcome = isAnybodyListening
      host.wokeUp(isListening: isAwaitingWelcome)
      sleepWatch.takeLock()
    }
    announce(within: Self.longestTelling)
  }

  /// Whether a client hears that the engine was paused, and so can resume it.
  private var isAnybodyListening: Bool {
    connections.values.contains { $0.channel.standing.condition == .open && $0.channel.topics.contains(.engine) }
  }
}

/// What the event loop was last told about the bus.
struct SleepInterest: Equatable {
  var descriptor: Int32
  var writing: Bool
}
