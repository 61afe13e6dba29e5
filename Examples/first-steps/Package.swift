// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

let package = Package(
  name: "first-steps",
  dependencies: [.package(name: "starlight", path: "../..")],
  targets: [
    .executableTarget(
      name: "FirstSteps",
      dependencies: [.product(name: "StarlightClient", package: "starlight")],
      path: ".",
      exclude: ["packs", "sounds.py", "first_steps.py", "first_steps.js", "first_steps.c"],
      sources: ["FirstSteps.swift"])
  ]
)
