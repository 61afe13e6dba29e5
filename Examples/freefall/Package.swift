// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

/// Built like the root package: Swift 6, a warning is an error, and a module is compiled as a whole.
let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .unsafeFlags(
    [
      "-disable-batch-mode", "-whole-module-optimization", "-num-threads", "2", "-no-emit-module-separately-wmo",
    ], .when(configuration: .debug)),
]

/// Also in debug builds: forty levels are flown through some million times.
let quick: [SwiftSetting] = strict + [.unsafeFlags(["-O"], .when(configuration: .debug))]

let package = Package(
  name: "freefall",
  dependencies: [.package(name: "starlight", path: "../..")],
  targets: [
    // The rules of the game: the standard library alone, no clock, no file, no chance of their own.
    .target(name: "FreefallRules", swiftSettings: quick),
    // What is read and written as JSON: level files, kept solutions, what is stored of a player.
    .target(name: "FreefallLevels", dependencies: ["FreefallRules"], swiftSettings: strict),
    // The thin edges: the daemon's socket, by StarlightClient, and the state file.
    .target(
      name: "FreefallFrontEnd",
      dependencies: [
        "FreefallRules", "FreefallLevels", .product(name: "StarlightClient", package: "starlight"),
      ], swiftSettings: strict),
    // A player without a screen, who finishes the game by what a person can do.
    .executableTarget(
      name: "freefall-player",
      dependencies: ["FreefallRules", "FreefallLevels", "FreefallFrontEnd", "SeededNumbers"],
      path: "Sources/FreefallPlayer", swiftSettings: strict),
    // Chance that is the same on every run, for the maker of levels and for tests.
    .target(name: "SeededNumbers", swiftSettings: strict),
    // All ways through a level, for its maker and for tests.
    .target(name: "LevelSearch", dependencies: ["FreefallRules"], swiftSettings: quick),
    // Makes the forty level files, asks whether they hold what they should, and draws them.
    .executableTarget(
      name: "freefall-levels", dependencies: ["FreefallRules", "FreefallLevels", "LevelSearch", "SeededNumbers"],
      path: "Sources/LevelMaker", swiftSettings: quick),
    .target(
      name: "RulesUnderTest", dependencies: ["FreefallRules"], path: "Tests/Support/RulesUnderTest",
      swiftSettings: strict),
    .testTarget(
      name: "FreefallRulesTests", dependencies: ["FreefallRules", "RulesUnderTest", "SeededNumbers"],
      swiftSettings: strict),
    .testTarget(
      name: "FreefallLevelsTests",
      dependencies: [
        "FreefallRules", "FreefallLevels", "LevelSearch", "RulesUnderTest", "SeededNumbers", "freefall-levels",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "FreefallFrontEndTests",
      dependencies: ["FreefallFrontEnd", "FreefallRules", "FreefallLevels", "RulesUnderTest", "SeededNumbers"],
      swiftSettings: strict),
  ]
)
