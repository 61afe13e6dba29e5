// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Testing

/// The manifest gives the arrows; the compiler does not stop an import that happens to be built already. This does.
@Suite struct ModuleArrowTests {
  let modules: [(name: String, imports: [String])]

  init() throws {
    modules = try Self.manifestModules()
  }

  @Test func theManifestListsEveryModule() throws {
    let onDisk = try FileManager.default.contentsOfDirectory(atPath: Self.root + "/Sources")
    // What CTagLib alone includes is no arrow of anybody's.
    let swiftModules = onDisk.filter { !Self.isSystemLibrary($0) && $0 != "CTagLibrary" }
    #expect(Set(swiftModules) == Set(modules.map(\.name)).union(["starlight", "starlightd"]))
  }

  @Test func everyArrowPointsUp() {
    var above: Set<String> = []
    for module in modules {
      for name in module.imports where !Self.isSystemLibrary(name) {
        #expect(above.contains(name), "\(module.name) depends on \(name), which is not above it in Package.swift")
      }
      above.insert(module.name)
    }
  }

  @Test func noFileImportsWhatItsModuleMayNot() throws {
    let known = Set(modules.map(\.name))
    for module in modules {
      for (file, imported) in try Self.imports(ofModule: module.name) {
        let isOurs = known.contains(imported) || Self.isSystemLibrary(imported)
        #expect(
          !isOurs || module.imports.contains(imported),
          "\(file) imports \(imported), which Package.swift does not allow \(module.name)")
      }
    }
  }

  @Test func noUnusedArrowIsDeclared() throws {
    for module in modules {
      let used = Set(try Self.imports(ofModule: module.name).map(\.imported))
      for name in module.imports {
        #expect(used.contains(name), "\(module.name) may import \(name) but never does")
      }
    }
  }

  @Test func theCoreReadsNoClockOpensNoFileAndStartsNoThread() throws {
    let pure = [
      "Problems", "Fades", "Outcomes", "Timing", "Partitioning", "Tracing", "Suggestions", "JSON", "CommandTable",
      "Mixing", "Haptics", "PatternTools", "Rhythm", "ImportedBeats", "GamePacks", "Wire", "Engine", "ClosedLoop",
    ]
    let forbidden = ["rt_now_ns", "clock_gettime", "fopen(", "O_RDONLY", "pthread_create", "FileManager", "Date()"]
    for module in pure {
      for (path, text) in try Self.sources(ofModule: module) {
        for word in forbidden { #expect(!text.contains(word), "\(path) must not use \(word): \(module) is pure") }
      }
    }
  }

  @Test func theEnginesVerbsSpeakNoWire() throws {
    for (path, text) in try Self.sources(ofModule: "Engine") where !path.contains("/Requests/") {
      #expect(!text.contains(".Params"), "\(path) must not take the params of a method: requests do")
    }
  }

  @Test func theDaemonIsBuiltWithoutFoundation() throws {
    let way = [
      "Timing", "Partitioning", "Suggestions", "Problems", "JSON", "Fades", "Outcomes", "Mixing", "Haptics", "Rhythm",
      "GamePacks", "Wire",
      "Engine", "Files", "Tracing", "RealTime", "SoundFiles", "AudioOutput", "HapticOutput", "ControlInput",
      "Journal", "CommandTable", "Host", "Server",
    ]
    for module in way {
      for (file, imported) in try Self.imports(ofModule: module) {
        #expect(!imported.hasPrefix("Foundation"), "\(file) imports \(imported)")
        // Else all of it, and of its parser, would be in the program.
        #expect(imported != "_StringProcessing" && imported != "RegexBuilder", "\(file) imports \(imported)")
      }
    }
  }

  /// What changes belongs to somebody who is passed on: two of a kind in one process must not meet. A signal handler alone has
  /// nothing else to be reached by.
  @Test func nothingThatChangesIsTheProcesss() throws {
    for module in modules {
      for (path, text) in try Self.sources(ofModule: module.name) where !path.hasSuffix("Terminal/SignalWatch.swift") {
        let found = text.matches(
          of:
            /(?m)^(?: *(?:\w+ )*static (?:let|var) |(?:private |fileprivate |package |public )?(?:let|var) )\w+[^\n]*(?:Mutex|Atomic)[<(]/
        )
        #expect(found.isEmpty, "\(path): \(found.map { String($0.output) })")
      }
    }
  }

  @Test func examplesStandOnTheClientAlone() throws {
    let examples = try FileManager.default.subpathsOfDirectory(atPath: Self.root + "/Examples").filter {
      $0.hasSuffix(".swift") && !$0.contains(".build/")
    }
    #expect(examples.contains("first-steps/Package.swift"))
    let ours = Set(modules.map(\.name)).subtracting(["StarlightClient"])
    for file in examples {
      let text = try String(contentsOfFile: Self.root + "/Examples/" + file, encoding: .utf8)
      for name in Self.importedModules(text) {
        #expect(!ours.contains(name), "\(file) imports \(name): a game has StarlightClient alone")
      }
      for product in text.matches(of: /product\(\s*name:\s*"([^"]*)"/) {
        #expect(product.1 == "StarlightClient", "\(file) uses \(product.1): a game has StarlightClient alone")
      }
      // As a stranger would.
      #expect(!text.contains(/@testable\s+import\s+StarlightClient/), "\(file) looks into StarlightClient")
    }
  }

  @Test func importsAreFoundHoweverTheyAreWritten() {
    let text = """
      import A
      @testable import B
      public import C
      internal import D
      @_spi(X) @preconcurrency import E.F
      import struct G.H
        import I // why
      let text = "import J"
      // import K
      """
    #expect(Self.importedModules(text) == ["A", "B", "C", "D", "E", "G", "I"])
  }

  private static let root = #filePath.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 }

  private static func isSystemLibrary(_ name: String) -> Bool {
    ["CRealTime", "CALSA", "CSoundFile", "CSoxr", "CTagLib", "CEvdev", "CSystemd"].contains(name)
  }

  private static func sources(ofModule module: String) throws -> [(path: String, text: String)] {
    let folder = root + "/Sources/" + module
    return try FileManager.default.subpathsOfDirectory(atPath: folder).filter { $0.hasSuffix(".swift") }.map { file in
      (module + "/" + file, try String(contentsOfFile: folder + "/" + file, encoding: .utf8))
    }
  }

  private static func imports(ofModule module: String) throws -> [(file: String, imported: String)] {
    try sources(ofModule: module).flatMap { path, text in importedModules(text).map { (path, $0) } }
  }

  private static func importedModules(_ text: String) -> [String] {
    text.split(separator: "\n").compactMap { line in
      let words = line.split(separator: " ")
      guard let at = words.firstIndex(of: "import"), at + 1 < words.count else { return nil }
      let levels: Set<Substring> = ["public", "package", "internal", "fileprivate", "private"]
      guard words[..<at].allSatisfy({ $0.hasPrefix("@") || levels.contains($0) }) else { return nil }
      let kinds: Set<Substring> = ["struct", "class", "enum", "protocol", "typealias", "func", "var", "let"]
      let name = kinds.contains(words[at + 1]) && at + 2 < words.count ? words[at + 2] : words[at + 1]
      return String(name.prefix { $0 != "." })
    }
  }

  /// Reads `("Name", ["A", "B"])` entries of the manifest's `modules` list.
  private static func manifestModules() throws -> [(name: String, imports: [String])] {
    let manifest = try String(contentsOfFile: root + "/Package.swift", encoding: .utf8)
    let start = try #require(manifest.firstRange(of: "let modules:"))
    let body = manifest[start.upperBound...]
    let end = try #require(body.firstRange(of: "\n]\n"))
    let entry = /\(\s*"(\w+)",\s*\[([^\]]*)\]\s*\)/
    return body[..<end.lowerBound].matches(of: entry).map { match in
      (String(match.1), match.2.matches(of: /"(\w+)"/).map { String($0.1) })
    }
  }
}
