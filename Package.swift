// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import Glibc
import PackageDescription

/// Every Swift target is built alike: Swift 6, and a warning is an error.
let inParts: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
]

/// Also in debug builds a module is compiled as a whole: of compilers that each compile a part, each reads all of it, which
/// costs a sixth more from clean. A module so large that a change of one file should not compile it all is built `inParts`.
let strict: [SwiftSetting] =
  inParts + [
    .unsafeFlags(
      [
        "-disable-batch-mode", "-whole-module-optimization", "-num-threads", "2", "-no-emit-module-separately-wmo",
      ], .when(configuration: .debug))
  ]

/// Also in debug builds: what goes through minutes of sound, sample by sample, or through text, byte by byte, takes a
/// hundredth of the time so.
let quick: [SwiftSetting] = strict + [.unsafeFlags(["-O"], .when(configuration: .debug))]

/// For every module of the daemon: Swift's library of regular expressions, which each file imports without a word and a search for a
/// text in a text uses, would be a megabyte in the program.
let withoutRegularExpressions: [SwiftSetting] = [
  .unsafeFlags(["-Xfrontend", "-disable-implicit-string-processing-module-import"])
]

/// For every module of the daemon: whether two accesses to a variable overlap is looked at as it runs in debug builds, which `make test`
/// makes, and in releases made with `STARLIGHT_CHECKED=1`, as the long searches and the fuzzers are. In others it would be an eighth of
/// what control does for a tap (Benchmarks/README.md).
let uncheckedOverlaps: [SwiftSetting] =
  Context.environment["STARLIGHT_CHECKED"] == nil
  ? [.unsafeFlags(["-enforce-exclusivity=unchecked"], .when(configuration: .release))] : []

/// Whether the system's loader knows packed relocations: that of glibc 2.36 does.
let packsRelocations: Bool = {
  var version = [CChar](repeating: 0, count: 64)
  confstr(Int32(_CS_GNU_LIBC_VERSION), &version, version.count - 1)
  let numbers = version.prefix { $0 != 0 }.split(separator: CChar(UInt8(ascii: "."))).map { digits in
    digits.reduce(0) { sum, digit in sum * 10 + Int(digit) - 48 }
  }
  return numbers.count > 1 && numbers[1] >= 36
}()

/// A program exports nothing: the names of Swift's library, which it has inside, are a megabyte that the loader would keep in memory.
/// So is the list of the places that the loader fills in, unless it is packed, as the linker of the toolchain can.
let program: [LinkerSetting] = [
  .unsafeFlags(
    ["-use-ld=lld", "-Xlinker", "--no-export-dynamic", "-Xlinker", "--exclude-libs=ALL"]
      + (packsRelocations ? ["-Xlinker", "-z", "-Xlinker", "pack-relative-relocs"] : []))
]

/// For every module of the daemon: each function is a section of its own, for `hotCode`.
let functionsApart: [SwiftSetting] = [
  .unsafeFlags(["-Xfrontend", "-function-sections"], .when(configuration: .release))
]

/// The functions that a client's line takes lie together in the daemon, in the order of that list, about that of the way. A thread
/// that slept finds few of their pages in the caches: so they are few (Benchmarks/README.md). Names that the program lacks do no
/// harm.
let hotCode: [LinkerSetting] = [
  .unsafeFlags(
    [
      "-Xlinker", "--symbol-ordering-file=\(Context.packageDirectory)/scripts/hot-functions",
      "-Xlinker", "--no-warn-symbol-ordering",
    ], .when(configuration: .release))
]

/// A module may import only modules listed above it; `Tests/ArchitectureTests` holds this list against the sources.
let modules: [(name: String, imports: [String])] = [
  ("RealTime", ["CRealTime"]),
  ("Problems", []),
  ("Fades", []),
  ("Outcomes", []),
  ("Timing", []),
  ("Partitioning", []),
  ("Tracing", ["Outcomes", "Partitioning", "RealTime", "Timing"]),
  ("Journal", []),
  ("Suggestions", []),
  ("JSON", []),
  ("CommandTable", ["Suggestions"]),
  ("Files", ["Problems", "CommandTable"]),
  ("Mixing", ["RealTime", "CRealTime", "Fades"]),
  ("Haptics", ["Problems", "Timing", "Partitioning", "Suggestions", "JSON"]),
  ("PatternTools", ["Timing", "JSON", "Haptics"]),
  ("Rhythm", ["Partitioning"]),
  ("ImportedBeats", ["Problems", "Rhythm"]),
  ("GamePacks", ["Problems", "Fades", "Timing", "Suggestions", "JSON", "Rhythm"]),
  ("Wire", ["Problems", "Fades", "Outcomes", "JSON"]),
  (
    "Engine",
    [
      "Problems", "Fades", "Outcomes", "Timing", "Suggestions", "JSON", "Mixing", "Haptics", "Rhythm", "GamePacks",
      "Wire",
    ]
  ),
  ("SoundFiles", ["CSoundFile", "CSoxr", "CTagLib", "Problems", "Files", "RealTime", "Mixing"]),
  ("AudioOutput", ["CRealTime", "CALSA", "Files", "RealTime", "Problems", "Timing", "Tracing", "Mixing"]),
  ("AudioInput", ["CRealTime", "CALSA", "RealTime", "Problems", "Timing"]),
  ("HapticInput", ["CRealTime", "RealTime", "Problems", "Timing"]),
  ("ClosedLoop", ["Timing"]),
  ("HapticOutput", ["CRealTime", "CEvdev", "Files", "RealTime", "Problems", "Timing", "Tracing", "JSON", "Haptics"]),
  ("ControlInput", ["CRealTime", "CEvdev", "RealTime", "Problems", "Timing", "HapticOutput"]),
  (
    "Host",
    [
      "CRealTime", "RealTime", "Problems", "Outcomes", "CommandTable", "Files", "Timing", "Tracing", "Journal",
      "Suggestions", "JSON", "Mixing", "Haptics", "Rhythm", "GamePacks", "Wire", "Engine", "SoundFiles", "AudioOutput",
      "HapticOutput",
      "ControlInput",
    ]
  ),
  (
    "Server",
    [
      "CRealTime", "CSystemd", "RealTime", "Problems", "Outcomes", "Timing", "Tracing", "Suggestions", "CommandTable",
      "GamePacks",
      "Wire",
      "Engine", "Host",
    ]
  ),
  ("StarlightClient", ["Problems", "Fades", "Outcomes", "Wire"]),
  (
    "CommandLineTool",
    [
      "CRealTime", "RealTime", "Problems", "Fades", "Outcomes", "Files", "Timing", "Suggestions", "JSON",
      "CommandTable",
      "Mixing", "Haptics", "PatternTools", "Rhythm", "ImportedBeats", "GamePacks", "Wire", "Engine", "SoundFiles",
      "AudioOutput",
      "AudioInput", "HapticInput", "ClosedLoop",
      "HapticOutput", "Host", "StarlightClient",
    ]
  ),
]

/// What a module's tests use besides the module and what it imports.
let testSupport: [String: [String]] = [
  "Timing": ["SeededNumbers"], "Mixing": ["CAllocationCounter", "SeededNumbers"],
  "HapticOutput": ["SeededNumbers"], "Haptics": ["CAllocationCounter", "SeededNumbers", "PatternTools"],
  "JSON": ["SeededNumbers"], "SoundFiles": ["SeededNumbers"], "Rhythm": ["ChapterOracle", "SeededNumbers"],
  "Engine": ["MusicOracle", "SeededNumbers"], "Tracing": ["SeededNumbers"],
  "Host": ["HangingDisk", "SeededNumbers", "WaveBytes"],
  "AudioOutput": ["CSoundFile", "SeededNumbers"],
  "ClosedLoop": ["SeededNumbers"], "Server": ["FakeLogind", "IdleStatus", "SeededNumbers"],
  "StarlightClient": ["IdleStatus", "SeededNumbers"], "CommandLineTool": ["IdleStatus", "SeededNumbers"],
  "Wire": ["SeededNumbers"], "Files": ["SeededNumbers"],
]

/// What Benchmarks and Tests/Fuzzing, which are packages of their own, build upon.
let forOtherPackages = [
  "Problems", "Timing", "Tracing", "JSON", "Mixing", "Haptics", "PatternTools", "Rhythm", "ImportedBeats", "GamePacks",
  "Wire", "Engine", "SoundFiles", "HapticOutput", "Host",
]

let package = Package(
  name: "starlight",
  products: [
    .executable(name: "starlightd", targets: ["starlightd"]),
    .executable(name: "starlight", targets: ["starlight"]),
    .library(name: "StarlightClient", targets: ["StarlightClient"]),
  ] + forOtherPackages.map { .library(name: $0, targets: [$0]) },
  targets: [
    .systemLibrary(name: "CALSA", pkgConfig: "alsa", providers: [.apt(["libasound2-dev"])]),
    .systemLibrary(name: "CSoundFile", pkgConfig: "sndfile", providers: [.apt(["libsndfile1-dev"])]),
    .systemLibrary(name: "CSoxr", pkgConfig: "soxr", providers: [.apt(["libsoxr-dev"])]),
    .systemLibrary(name: "CEvdev", pkgConfig: "libevdev", providers: [.apt(["libevdev-dev", "libudev-dev"])]),
    .systemLibrary(name: "CSystemd", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]),
    .systemLibrary(name: "CTagLibrary", pkgConfig: "taglib", providers: [.apt(["libtag1-dev"])]),
    .target(name: "CTagLib", dependencies: ["CTagLibrary"], linkerSettings: [.linkedLibrary("stdc++")]),
    .target(name: "CRealTime", dependencies: ["CALSA"]),
  ]
    + modules.map { module in
      .target(
        name: module.name,
        dependencies: module.imports.map { .byName(name: $0) },
        swiftSettings: (["JSON", "ClosedLoop"].contains(module.name) ? quick : strict)
          + (module.name == "CommandLineTool" ? [] : withoutRegularExpressions)
          + (["CommandLineTool", "StarlightClient"].contains(module.name) ? [] : uncheckedOverlaps + functionsApart),
        linkerSettings: [.linkedLibrary("m")]
      )
    }
    + [
      .executableTarget(
        name: "starlightd", dependencies: ["Server"], swiftSettings: strict + withoutRegularExpressions,
        linkerSettings: program + hotCode),
      .executableTarget(
        name: "starlight", dependencies: ["CommandLineTool"], swiftSettings: strict, linkerSettings: program),
      .executableTarget(name: "starlight-synthesis", path: "Synthesis", swiftSettings: quick),
    ]
    + [
      .target(name: "CAllocationCounter", path: "Tests/Support/CAllocationCounter"),
      // Apart from the tests that use it: what sd-bus includes hides parts of Glibc from files beside its importer.
      .target(
        name: "FakeLogind", dependencies: ["CSystemd"], path: "Tests/Support/FakeLogind", swiftSettings: strict),
      // A disk that stops answering, by FUSE and a program in Python.
      .target(
        name: "HangingDisk", path: "Tests/Support/HangingDisk", exclude: ["disk.py"], swiftSettings: strict),
      .target(name: "IdleStatus", dependencies: ["Wire"], path: "Tests/Support/IdleStatus", swiftSettings: strict),
      .target(name: "SeededNumbers", path: "Tests/Support/SeededNumbers", swiftSettings: strict),
      .target(name: "WaveBytes", path: "Tests/Support/WaveBytes", swiftSettings: quick),
      .target(
        name: "ChapterOracle", dependencies: ["SeededNumbers"], path: "Tests/Support/ChapterOracle",
        swiftSettings: quick),
      .target(
        name: "MusicOracle", dependencies: ["Outcomes", "Timing", "Wire"], path: "Tests/Support/MusicOracle",
        swiftSettings: quick),
      .target(name: "SoundMeasures", path: "Tests/Support/SoundMeasures", swiftSettings: quick),
      // The tables of moments, the real daemon beside them, and what ought to be heard and felt.
      .target(
        name: "Moments", dependencies: ["Wire", "StarlightClient", "WaveBytes"], path: "Tests/Support/Moments",
        swiftSettings: quick),
    ]
    + [
      .target(name: "CKernelRig", path: "Tests/KernelRig/CKernelRig"),
      .executableTarget(
        name: "KernelRigGuest",
        dependencies: ["CALSA", "CRealTime", "CKernelRig", "RealTime", "Wire", "StarlightClient", "WaveBytes"],
        path: "Tests/KernelRig/Guest", swiftSettings: strict),
    ]
    + [
      .target(
        name: "Simulation",
        dependencies: [
          "Outcomes", "Timing", "Wire", "Engine", "Host", "Server", "MusicOracle", "SeededNumbers", "WaveBytes",
        ],
        path: "Tests/Simulation", exclude: ["Program"], swiftSettings: strict),
      .executableTarget(
        name: "starlight-simulation", dependencies: ["Simulation"], path: "Tests/Simulation/Program",
        swiftSettings: strict),
      .executableTarget(
        name: "starlight-dearest-lines",
        dependencies: ["CRealTime", "ControlInput", "Wire", "Host", "Server", "SeededNumbers"],
        path: "Tests/DearestLines", swiftSettings: strict),
      .testTarget(
        name: "SimulationTests",
        dependencies: ["ChapterOracle", "SeededNumbers", "Timing", "Wire", "Engine", "Host", "Server", "Simulation"],
        swiftSettings: strict),
      // Plays a game's own program beside the real daemon, and compares what was heard and felt.
      .executableTarget(
        name: "starlight-played", dependencies: ["Moments", "FakeLogind", "Wire", "StarlightClient", "starlightd"],
        path: "Tests/PlayedGames", swiftSettings: quick),
    ]
    + modules.map { module in
      .testTarget(
        name: module.name + "Tests",
        dependencies: ([module.name] + module.imports + (testSupport[module.name] ?? [])).map { .byName(name: $0) },
        exclude: module.name == "Haptics" ? ["Fixtures", "Oracle"] : [],
        swiftSettings: module.name == "Engine" ? inParts : strict
      )
    }
    + [
      .testTarget(name: "ArchitectureTests", swiftSettings: strict),
      .testTarget(name: "SoundMeasuresTests", dependencies: ["SoundMeasures"], swiftSettings: strict),
      .testTarget(
        name: "EndToEndTests",
        dependencies: [
          "CRealTime", "Problems", "Wire", "StarlightClient", "Timing", "HangingDisk", "SoundMeasures", "Moments",
          "starlightd",
          "starlight",
          "starlight-synthesis",
        ], exclude: ["Fixtures"], swiftSettings: strict),
    ]
)

/// `STARLIGHT_ONLY=Mixing,SoundFiles swift test` builds and tests these modules and what they need, in a fraction of the time.
if let only = Context.environment["STARLIGHT_ONLY"] {
  var wanted = only.split(separator: ",").flatMap { [String($0), $0 + "Tests"] }
  var kept: Set<String> = []
  while let name = wanted.popLast() {
    guard let target = package.targets.first(where: { $0.name == name }), kept.insert(name).inserted else { continue }
    for case .byNameItem(let dependency, _) in target.dependencies { wanted.append(dependency) }
  }
  package.targets.removeAll { !kept.contains($0.name) }
  package.products.removeAll { !kept.contains($0.name) }
}
