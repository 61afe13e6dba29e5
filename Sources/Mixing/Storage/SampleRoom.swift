// SPDX-License-Identifier: Apache-2.0

extension UnsafeMutablePointer<Float> {
  /// Room for `count` samples, all of them 0, that begins where a cache line does: wide loads and stores that straddle two
  /// lines take twice as long.
  static func room(_ count: Int) -> UnsafeMutablePointer<Float> {
    let room = UnsafeMutableRawPointer.allocate(byteCount: count * MemoryLayout<Float>.stride, alignment: 64)
    return room.initializeMemory(as: Float.self, repeating: 0, count: count)
  }
}
