// SPDX-License-Identifier: Apache-2.0

import Engine
import FoundationEssentials
import GamePacks
import Haptics
import Host
import Problems
import Wire

extension PackFolders {
  /// Where a daemon started here would look.
  init(onDisk environment: [String: String]) {
    self.init(
      chosen: nil, environment: environment, executable: siblingExecutable("starlight"),
      workingFolder: FileManager.default.currentDirectoryPath)
  }
}

extension PackList.Result {
  /// The packs that a daemon started here would load, read as it reads them, by this program itself.
  init(onDisk environment: [String: String]) {
    let folders = PackFolders(onDisk: environment)
    var catalog = PackLoader(rate: usualRate).catalog(of: folders)
    // Where there is none is told in words of its own.
    catalog.problems.removeAll { $0.kind == .noPack && $0.where.pack == nil }
    // A daemon does not start then.
    for missing in folders.named where !FileManager.default.fileExists(atPath: missing) {
      catalog.problems.append(
        Problem(
          .noPack, file: missing, "there is no folder \(missing), named by $\(PackFolders.variable)",
          remedy: "name a pack's folder, or a folder of such; no starlightd starts until then"))
    }
    self.init(catalog, active: catalog.active, rate: usualRate)
    problems = problems.map(\.withoutDaemon)
    for pack in packs.indices { packs[pack].problems = packs[pack].problems.map(\.withoutDaemon) }
  }
}

/// A daemon's frames a second where nothing else is said.
private let usualRate = HostConfiguration().rate

/// Packs as a daemon would load them, for lint.
struct LintedPacks {
  /// All that a daemon would tell of them, with the file that each is told of.
  private(set) var problems: [(file: String, problem: Problem)] = []
  /// What was most likely not meant, though it is played, likewise.
  private(set) var warnings: [(file: String, problem: Problem)] = []
  /// The files of their patterns, as far as they could be opened.
  private(set) var patterns: [String] = []

  /// All of these, file by file, in the order of their texts.
  var findings: [(file: String, finding: AHAPDiagnostic)] {
    let all: [(file: String, finding: AHAPDiagnostic)] =
      problems.map { ($0.file, packFinding($0.problem)) }
      + warnings.map { ($0.file, packFinding($0.problem, .warning)) }
    return all.sorted { a, b in
      (a.file, a.finding.line, a.finding.column) < (b.file, b.finding.line, b.finding.column)
    }
  }

  /// Reads the packs in `folders`, each the folder of one.
  init(_ folders: [String]) {
    if folders.isEmpty { return }
    let catalog = PackLoader(rate: usualRate).catalog(of: PackFolders(named: folders))
    add(catalog)
    // One that would not count because of its name has faults of its own all the same.
    for folder in folders where !catalog.packs.contains(where: { $0.path == folder }) {
      let isHidden = catalog.problems.contains { $0.kind == .nameTaken && $0.where.file == folder + "/pack.json" }
      if isHidden { add(PackLoader(rate: usualRate).catalog(of: PackFolders(named: [folder]))) }
    }
  }

  private mutating func add(_ catalog: Catalog) {
    // Which pack a daemon makes active is no business of a check.
    problems += catalog.problems.filter { !$0.tellsOfStandIn }.map { ($0.where.file ?? "pack.json", $0) }
    for pack in catalog.leftOut.compactMap(\.pack) { add(pack) }
    for pack in catalog.packs {
      // What is not in a text is told of the manifest.
      let manifest = pack.path + "/pack.json"
      problems += pack.problems.map { ($0.where.line == nil ? manifest : $0.where.file ?? manifest, $0.inPack) }
      add(pack)
    }
  }

  private mutating func add(_ pack: Catalog.Pack) {
    warnings += pack.warnings.map { ($0.where.file ?? pack.path + "/pack.json", $0) }
    let unread = Set(pack.problems.filter { $0.where.field != nil }.compactMap(\.where.asset))
    let read = pack.manifest.patterns.sorted { $0.key < $1.key }.filter { name, entry in
      !entry.file.isEmpty && !unread.contains(Problem.Place.Asset(.pattern, name))
    }
    patterns += read.map { pack.path + "/" + $0.value.file }
  }
}
