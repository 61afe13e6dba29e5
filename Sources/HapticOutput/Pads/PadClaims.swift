// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Which pads are in use, so that of two of one kind each device keeps its own.
///
/// A path is given to another pad once one has gone, and who still has the one that has gone, as a thread that hangs in it, keeps
/// nobody from the new one.
public final class PadClaims: Sendable {
  /// The kernel's number of the pad that is in use at each path.
  private let numbers = Mutex<[String: Int]>([:])

  /// No pad in use.
  public init() {}

  /// Whether `pad` was free; it no longer is.
  func take(_ pad: HapticPad) -> Bool {
    numbers.withLock { numbers in
      if let taken = numbers[pad.path], taken >= pad.number { return false }
      numbers[pad.path] = pad.number
      return true
    }
  }

  /// It is free again; one that came after it at its path stays in use.
  func release(_ pad: HapticPad) {
    numbers.withLock { if $0[pad.path] == pad.number { $0[pad.path] = nil } }
  }

  /// Whether that pad is in use.
  public func contains(_ pad: HapticPad) -> Bool { numbers.withLock { $0[pad.path] == pad.number } }
}

/// Where one device's pad is plugged in, told by its thread to whoever asks.
final class PadPlace: Sendable {
  private let current: Mutex<HapticPad?>

  init(_ pad: HapticPad) { current = Mutex(pad) }

  /// The pad as it is plugged in; nil while it is not.
  var pad: HapticPad? { current.withLock { $0 } }
  func move(to pad: HapticPad?) { current.withLock { $0 = pad } }
}
