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

let package = Package(
  name: "starlight-sync",
  dependencies: [.package(name: "starlight", path: "../..")],
  targets: [
    // The rules of the game: the standard library alone, no clock, no file, no chance of their own.
    .target(name: "SyncRules", swiftSettings: strict),
    // The edges: the daemon's socket, the file of the player's progress, the message.
    .target(
      name: "SyncFrontEnd",
      dependencies: ["SyncRules", "SyncMessage", "CProcess", .product(name: "StarlightClient", package: "starlight")],
      swiftSettings: strict),
    // What Swift cannot call: a process keeps its memory to itself, and begins another.
    .target(name: "CProcess"),
    // Where the message goes, and how it gets there.
    .target(name: "SyncMessage", swiftSettings: strict),
    // Sends the message once: the one program that knows the address.
    .executableTarget(
      name: "starlight-sync-message", dependencies: ["SyncMessage", "CProcess"], path: "Sources/MessageProgram",
      swiftSettings: strict),
    // Plays by itself, as a person would who sees what is drawn.
    .executableTarget(
      name: "starlight-sync-player", dependencies: ["SyncFrontEnd", "starlight-sync-message"],
      path: "Sources/SyncPlayer",
      swiftSettings: strict),
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
    .testTarget(
      name: "SyncFrontEndTests",
      dependencies: [
        "SyncFrontEnd", "SyncMessage", "SyncRules", "starlight-sync-player",
        .product(name: "StarlightClient", package: "starlight"),
      ], swiftSettings: strict),
  ]
)
