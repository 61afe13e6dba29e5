// SPDX-License-Identifier: Apache-2.0

import CRealTime
import Glibc
import Haptics
import Problems
import Synchronization
import Testing
import Timing

@testable import HapticOutput

/// A pad whose thread hangs in it keeps nobody from the pad that comes to its path later.
@Suite struct PadClaimsTests {
  private func pad(_ number: Int) -> HapticPad {
    HapticPad(
      path: "/dev/input/event7", number: number, name: "Pad", bus: 3, vendor: 1, product: 2, effects: [.rumble])
  }

  @Test func whoHasThePadThatHasGoneKeepsNobodyFromTheOneInItsPlace() {
    let claims = PadClaims()
    #expect(claims.take(pad(23)))
    #expect(!claims.contains(pad(24)) && claims.take(pad(24)))
    // Who looked before it came, and who hung until now, leave it to whom it is.
    #expect(!claims.take(pad(23)))
    claims.release(pad(23))
    #expect(claims.contains(pad(24)) && !claims.take(pad(24)))
  }

  @Test func aThreadThatHangsIsKnownByNotLooking() {
    let gate = Gate()
    guard let driver = HapticDriver(Stuck(gate: gate), name: "stuck") else {
      Issue.record("there are no descriptors left")
      return
    }
    let begun = Instant(nanoseconds: rt_now_ns())
    #expect(!driver.hasNotLooked(for: .zero, by: .distantFuture))
    driver.start()
    gate.awaitEntry()
    driver.look()
    driver.look()
    #expect(driver.hasNotLooked(for: .seconds(1), by: begun + .seconds(3_600)))
    #expect(!driver.hasNotLooked(for: .seconds(3_600), by: begun + .seconds(1)))
    #expect(!driver.stop(by: begun))
    gate.open()
    while driver.hasNotLooked(for: .zero, by: .distantFuture) { usleep(1_000) }
  }
}

/// What a backend waits at.
private final class Gate: Sendable {
  private let hasEntered = Atomic(false)
  private let isOpen = Atomic(false)

  func awaitEntry() { while !hasEntered.load(ordering: .acquiring) { usleep(1_000) } }
  func open() { isOpen.store(true, ordering: .releasing) }

  func pass() {
    hasEntered.store(true, ordering: .releasing)
    while !isOpen.load(ordering: .acquiring) { usleep(1_000) }
  }
}

/// A device whose every write waits at a gate.
private struct Stuck: HapticBackend, ~Copyable {
  static let hanging = Problem(.deviceHangs, "it does not answer")
  static let gap: Problem? = nil
  let gate: Gate
  var failure: Problem? { nil }
  var nextDue: Instant? { nil }

  mutating func step(_ commands: [HapticCommand], at now: Instant, isStepped: Bool) { gate.pass() }
  mutating func rejoin(_ playing: HapticMixer, behind left: Int) {}
  mutating func follow(_ clock: EngineClock, beginningAt start: Instant?) {}
  mutating func close(at now: Instant) {}
}
