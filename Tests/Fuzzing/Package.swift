// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

/// What reads bytes that others wrote, and what its fuzzer uses.
let fuzzers: [(name: String, uses: [String])] = [
  ("FuzzJSON", ["JSON", "Wire"]),
  ("FuzzAHAP", ["Haptics", "PatternTools", "Timing"]),
  ("FuzzPack", ["Engine", "GamePacks", "Haptics", "Timing", "Wire"]),
  ("FuzzBeats", ["ImportedBeats", "Problems", "Rhythm"]),
  ("FuzzWire", ["Engine", "Host", "Timing", "Wire"]),
  ("FuzzSound", ["Problems", "SoundFiles", "Mixing"]),
]

// A package of its own, so that neither `make build` nor `make test` builds it. Each program is libFuzzer's: it brings
// `main`, and calls `LLVMFuzzerTestOneInput`.
let package = Package(
  name: "starlight-fuzzing",
  dependencies: [.package(name: "starlight", path: "../..")],
  targets: [.target(name: "FuzzSupport", swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)])]
    + fuzzers.map { fuzzer in
      .executableTarget(
        name: fuzzer.name,
        dependencies: ["FuzzSupport"] + fuzzer.uses.map { .product(name: $0, package: "starlight") },
        swiftSettings: [
          .swiftLanguageMode(.v6), .treatAllWarnings(as: .error), .unsafeFlags(["-parse-as-library"]),
        ])
    }
)
