// SPDX-License-Identifier: Apache-2.0

import Engine

/// A pack as it was read, and the memory of what can be heard of it: what a loader hands to control.
struct LoadedPack: Sendable {
  var pack: Catalog.Pack
  var sounds: PackSounds
  /// What its files came to as it was read, where that was looked at.
  var print: UInt64?
}
