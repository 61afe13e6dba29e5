// SPDX-License-Identifier: Apache-2.0

import CRealTime

/// Interleaved stereo samples in memory, left then right. In either layout the same sound mixes to the same bits.
public enum Samples: BitwiseCopyable {
  /// 1 is full scale.
  case float(UnsafePointer<Float>)
  /// 2^15 is full scale.
  case int16(UnsafePointer<Int16>)

  /// Where they begin.
  public var address: UnsafeRawPointer {
    switch self {
    case .float(let floats): UnsafeRawPointer(floats)
    case .int16(let integers): UnsafeRawPointer(integers)
    }
  }

  /// Bytes of memory that one sample takes.
  public var stride: Int {
    switch self {
    case .float: MemoryLayout<Float>.stride
    case .int16: MemoryLayout<Int16>.stride
    }
  }

  /// Sample number `index`, of which 1 is full scale.
  @inline(__always) public subscript(index: Int) -> Float {
    @_noLocks get {
      switch self {
      case .float(let floats): floats[index]
      case .int16(let integers): Float(integers[index]) * 0x1p-15
      }
    }
  }

  /// What is left of them from frame `frame` on.
  @_noLocks @inline(__always) public func from(_ frame: Int) -> Samples {
    switch self {
    case .float(let floats): .float(floats + 2 * frame)
    case .int16(let integers): .int16(integers + 2 * frame)
    }
  }

  /// The same for the loops in C.
  var run: rt_samples {
    @_noLocks @inline(__always) get {
      switch self {
      case .float(let floats): rt_samples(first: floats, layout: .RT_SAMPLES_FLOAT)
      case .int16(let integers): rt_samples(first: integers, layout: .RT_SAMPLES_INT16)
      }
    }
  }

  /// Writes the first `count` of them to `room` as floats.
  func copy(into room: UnsafeMutablePointer<Float>, count: Int) {
    switch self {
    case .float(let floats): room.initialize(from: floats, count: count)
    case .int16: for index in 0..<count { (room + index).initialize(to: self[index]) }
    }
  }
}
