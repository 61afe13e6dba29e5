// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// Renders every recording of the packs that lie in `folder`, or the one called `name`, on all processors.
func render(into folder: URL, only name: String?) async throws {
  try await withThrowingTaskGroup(of: Void.self) { group in
    for pack in packs {
      let place = folder.appending(path: pack.name)
      for recording in pack.recordings where name == nil || recording.name == name {
        group.addTask {
          let sound = try PlayedNotes.$ofThis.withValue(PlayedNotes()) { try recording.make(place) }
          try wave(sound).write(to: place.appending(path: recording.name + ".wav"), options: .atomic)
        }
      }
    }
    try await group.waitForAll()
  }
}

/// Why something cannot be rendered.
struct Fault: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
