// SPDX-License-Identifier: Apache-2.0

import Glibc
import Problems
import Timing

/// Which pads are opened, kept, forgotten and told: what is plugged in goes in, what is to be done with devices comes out.
///
/// A device, once opened, keeps its slot. It lets go of a pad that has gone and takes it back by itself, on its thread; the roster is
/// told at each look where that is.
public struct PadRoster: Sendable {
  /// A pad that is used, or would be.
  public struct Slot: Sendable {
    /// As it was found first; one that was never opened, as it was found last.
    public fileprivate(set) var pad: HapticPad
    /// By which the trace knows it: no other slot has it meanwhile. From 1 on.
    public let number: UInt8
    /// The factor of all that it plays.
    public fileprivate(set) var gain = 1.0
    /// Whether it has a device.
    public fileprivate(set) var isOpened = false
    /// Why it could not be opened.
    fileprivate var problem: Problem?
    /// The pad that its device is to take back, and has not yet.
    fileprivate var awaited: HapticPad?
  }

  /// What is to be done, in order.
  public enum Action: Equatable, Sendable {
    /// Opens that pad for the slot of that number; `opened` or `failed` is told what came of it.
    case open(HapticPad, number: UInt8, gain: Double)
    /// Ends the device of a slot that is no more.
    case end(UInt8)
  }

  /// A pad that is plugged in, wanted and not used, as others had not let go of it or of its path.
  public struct PassedOver: Sendable {
    /// The pad, as it was found last.
    public var pad: HapticPad
    /// When that was seen first.
    public var since: Instant
  }

  /// In the order in which they came.
  public private(set) var slots: [Slot] = []
  /// What was named and is not plugged in.
  public private(set) var missing: [String] = []
  /// What could not be used by the last look.
  public private(set) var passedOver: [PassedOver] = []
  private let selection: HapticSelection
  /// How many slots there may be. One more pad takes the place of one that is away.
  private let most: UInt8
  private var lastNumber: UInt8 = 0
  private var present: [String: HapticPad] = [:]
  private var pads: [HapticPad] = []
  /// Where devices had their pads at the last look.
  private var places: [UInt8: String] = [:]

  /// No pad yet, of which those of `selection` are wanted.
  public init(_ selection: HapticSelection, most: UInt8 = .max) {
    self.selection = selection
    self.most = most
  }

  /// Takes in which pads are plugged in, and where the device of each slot has its own, and forgets those that nobody plugs in again. To
  /// be followed by `open`.
  public mutating func look(_ pads: [HapticPad], places: [UInt8: String]) -> [Action] {
    present = Dictionary(pads.map { ($0.path, $0) }) { $1 }
    self.pads = pads
    missing = selection.missing(among: pads)
    self.places = places
    let gone = slots.filter(isGoneForGood)
    let numbers = Set(gone.map(\.number))
    slots.removeAll { numbers.contains($0.number) }
    return gone.filter(\.isOpened).map { .end($0.number) }
  }

  /// Opens what is plugged in, wanted and free. `claimed` are the paths that devices have, read behind `places`, and once those that
  /// were to end had a moment for it.
  public mutating func open(besides claimed: Set<String>, at now: Instant) -> [Action] {
    for index in slots.indices { slots[index].awaited = nil }
    let used = Set(slots.filter { $0.isOpened && isThere($0) }.compactMap { places[$0.number] })
    var away = slots.indices.filter { !isThere(slots[$0]) }
    var (actions, new, passed): ([Action], [HapticPad], [HapticPad]) = ([], [], [])
    for pad in pads where !used.contains(pad.path) {
      let isWanted = selection.contains(pad)
      if claimed.contains(pad.path) {
        // Whoever has the path has not noticed yet that another pad is there, or is just taking it.
        if isWanted { passed.append(pad) }
      } else if let index = known(pad, &away) {
        if slots[index].isOpened {
          slots[index].awaited = pad
          passed.append(pad)
        } else {
          slots[index].pad = pad
          actions.append(.open(pad, number: slots[index].number, gain: slots[index].gain))
        }
      } else if isWanted {
        new.append(pad)
      }
    }
    var unneeded = away.map { slots[$0].number }
    for pad in new {
      if slots.count >= most, let ended = giveUp(&unneeded) { actions.append(ended) }
      if let number = add(pad) { actions.append(.open(pad, number: number, gain: 1)) }
    }
    let before = passedOver
    passedOver = passed.map { pad in
      let known = before.first { ($0.pad.path, $0.pad.number) == (pad.path, pad.number) }
      return PassedOver(pad: pad, since: known?.since ?? now)
    }
    return actions
  }

  /// The slot of a pad that is not used: the one that it was found for, or one whose pad is away.
  private func known(_ pad: HapticPad, _ away: inout [Int]) -> Int? {
    if let index = slots.firstIndex(where: { !$0.isOpened && $0.pad.path == pad.path && isThere($0) }) { return index }
    return away.firstIndex { slots[$0].pad.isSame(as: pad) }.map { away.remove(at: $0) }
  }

  /// What was to be opened has a device now.
  public mutating func opened(_ number: UInt8) {
    guard let index = slots.firstIndex(where: { $0.number == number }) else { return }
    (slots[index].isOpened, slots[index].problem) = (true, nil)
  }

  /// What was to be opened could not be; it is tried again at each look.
  public mutating func failed(_ number: UInt8, _ problem: Problem) {
    if let index = slots.firstIndex(where: { $0.number == number }) { slots[index].problem = problem }
  }

  /// Holds for the pad until the daemon ends, also when it is opened later, or is away in between.
  public mutating func setGain(_ gain: Double, of number: UInt8) {
    if let index = slots.firstIndex(where: { $0.number == number }) { slots[index].gain = gain }
  }

  /// The slot of that path or name; of several with the name, the first that is plugged in.
  public func slot(called name: String, _ standing: (Slot) -> Standing) -> Slot? {
    if let there = slots.first(where: { standing($0).path == name }) { return there }
    let named = slots.filter { $0.pad.name == name }
    return named.first { standing($0).path != nil } ?? named.first
  }

  /// Whether a slot's pad is plugged in, where its device has it, or where it was found without one.
  private func isThere(_ slot: Slot) -> Bool {
    guard slot.isOpened else {
      let isTaken = slots.contains { $0.isOpened && places[$0.number] == slot.pad.path && isThere($0) }
      return !isTaken && isPad(of: slot, at: slot.pad.path)
    }
    return isPad(of: slot, at: places[slot.number])
  }

  private func isPad(of slot: Slot, at path: String?) -> Bool {
    path.flatMap { present[$0] }.map(slot.pad.isSame) ?? false
  }

  /// A pad that a program made is never plugged in again, and of one that was never opened nothing is known but the gain that it was given.
  private func isGoneForGood(_ slot: Slot) -> Bool {
    if slot.isOpened { return slot.pad.isVirtual && !isPad(of: slot, at: slot.pad.path) }
    return !isThere(slot) && (slot.pad.isVirtual || slot.gain == 1)
  }

  /// A slot for a pad that is new; nil where as many as there may be are plugged in.
  private mutating func add(_ pad: HapticPad) -> UInt8? {
    if slots.count >= most { return nil }
    let taken = Set(slots.map(\.number))
    // That of a pad that has gone is given anew as late as possible: the trace still tells of it.
    repeat { lastNumber = lastNumber >= most ? 1 : lastNumber + 1 } while taken.contains(lastNumber)
    slots.append(Slot(pad: pad, number: lastNumber))
    return lastNumber
  }

  /// Forgets the first of those slots whose pads are away; what is to be done for it, if anything.
  private mutating func giveUp(_ away: inout [UInt8]) -> Action? {
    guard let number = away.first, let index = slots.firstIndex(where: { $0.number == number }) else { return nil }
    away.removeFirst()
    return slots.remove(at: index).isOpened ? .end(number) : nil
  }
}

extension PadRoster {
  /// How a pad stands, as clients are told.
  public struct Standing: Equatable, Sendable {
    /// Whether it plays, and if not why.
    public enum State: Sendable { case ready, unplugged, denied, failed }
    /// Whether it plays, and if not why.
    public var state: State
    /// Where it is plugged in; nil while it is not.
    public var path: String?
    /// Why it does not do what it is told.
    public var problem: Problem?
  }

  /// How a slot stands whose device tells that path and that failure of itself now, as far as the last look knows.
  public func standing(of slot: Slot, at place: String?, _ failure: Problem?) -> Standing {
    if slot.isOpened, isPad(of: slot, at: place) {
      return Standing(state: failure == nil ? .ready : .failed, path: place, problem: failure)
    }
    if !slot.isOpened, isThere(slot) {
      let isDenied = slot.problem?.kind == .padDenied
      return Standing(state: isDenied ? .denied : .failed, path: slot.pad.path, problem: slot.problem)
    }
    if let awaited = slot.awaited, !awaited.isPermitted {
      return Standing(state: .denied, path: awaited.path, problem: .opening(awaited, errno: EACCES))
    }
    if let awaited = slot.awaited, failure?.kind == .padFailed {
      return Standing(state: .failed, path: awaited.path, problem: failure)
    }
    return Standing(state: .unplugged)
  }
}
