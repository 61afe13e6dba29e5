// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

/// Built like the root package: Swift 6, and a warning is an error.
let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
]

let package = Package(
  name: "starlight-sync",
  targets: [
    // The rules of the game: the standard library alone, no clock, no file, no chance of their own.
    .target(name: "SyncRules", swiftSettings: strict),
    // Prints the rules as JSON.
    .executableTarget(
      name: "sync-rules", dependencies: ["SyncRules"], path: "Sources/PrintRules", swiftSettings: strict),
    .target(
      name: "RulesUnderTest", dependencies: ["SyncRules"], path: "Tests/Support/RulesUnderTest",
      swiftSettings: strict),
    // Chance that is the same on every run.
    .target(name: "SeededNumbers", path: "Tests/Support/SeededNumbers", swiftSettings: strict),
    .testTarget(
      name: "SyncRulesTests", dependencies: ["SyncRules", "RulesUnderTest", "SeededNumbers"], swiftSettings: strict),
  ]
)
