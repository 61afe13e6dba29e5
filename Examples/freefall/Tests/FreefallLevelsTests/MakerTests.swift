// SPDX-License-Identifier: Apache-2.0

import Foundation
import FreefallLevels
import FreefallRules
import Testing

/// The kept levels are what `freefall-levels make` writes, to the byte: what is changed in the maker is changed in them.
@Suite struct MakerTests {
  /// Thirty that are made in a moment. `make test-long` makes all forty, which takes minutes.
  static let soonMade = [(1, 10), (2, 5), (3, 10), (4, 5)].flatMap { world, last in
    (1...last).map { LevelName(world: world, number: $0) }
  }

  @Test func whatIsMadeInAMomentIsMadeAsItIsKept() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "freefall-levels-" + UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let maker = Process()
    maker.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
      .appending(path: "freefall-levels")
    maker.arguments = ["make", folder.path] + Self.soonMade.map(\.text)
    maker.standardOutput = FileHandle.nullDevice
    try maker.run()
    maker.waitUntilExit()
    try #require(maker.terminationStatus == 0)
    for name in Self.soonMade {
      for file in [LevelFolder.fileName(name), LevelFolder.solutionName(name)] {
        let kept = try Data(contentsOf: URL(filePath: Forty.folder.path).appending(path: file))
        let made = try Data(contentsOf: folder.appending(path: file))
        #expect(made == kept, "\(file): make the levels of its world anew, or mend the maker")
      }
    }
  }
}
