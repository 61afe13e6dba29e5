// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

// A package of its own, so that neither `make build` nor `make test` builds it.
let package = Package(
  name: "starlight-benchmarks",
  dependencies: [.package(name: "starlight", path: "..")],
  targets: [
    .executableTarget(
      name: "StarlightMixing",
      dependencies: [.product(name: "Mixing", package: "starlight")],
      swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]),
    .executableTarget(
      name: "StarlightHaptics",
      dependencies: [
        .product(name: "Haptics", package: "starlight"), .product(name: "Timing", package: "starlight"),
      ],
      swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]),
    .executableTarget(
      name: "StarlightRumble",
      dependencies: [
        .product(name: "HapticOutput", package: "starlight"), .product(name: "Haptics", package: "starlight"),
        .product(name: "Timing", package: "starlight"),
      ],
      swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]),
    .executableTarget(
      name: "StarlightWire",
      dependencies: [.product(name: "Wire", package: "starlight")],
      swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]),
    .executableTarget(
      name: "StarlightTracing",
      dependencies: [
        .product(name: "Timing", package: "starlight"), .product(name: "Tracing", package: "starlight"),
      ],
      swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]),
  ]
)
