// SPDX-License-Identifier: Apache-2.0

import Files
import FoundationEssentials
import GamePacks
import Haptics

extension PackFacts {
  /// Reads every pack that a daemon started here would load.
  init(_ environment: [String: String]) {
    folders = PackSearchPath.folders(
      chosen: nil, environment: environment, executable: siblingExecutable("starlight"))
    packs = PatternLibrary(environment: environment).packs.map(Pack.init(at:))
  }
}

extension PackFacts.Pack {
  fileprivate init(at path: String) {
    self.init(path: path, name: nil, faults: [])
    let manifestPath = path + "/pack.json"
    let manifest: PackManifest
    do {
      let bytes = try readFile(manifestPath, atMost: PackManifest.maximumBytes)
      manifest = try PackManifest.parse(bytes, path: manifestPath)
    } catch let error as PackFaults {
      faults = error.faults.map { .manifest("\($0)") }
      return
    } catch {
      faults = [.manifest("\(error)")]
      return
    }
    name = manifest.name
    let beats = manifest.chapters.values.compactMap { chapter in
      if case .file(let file) = chapter.beats { file } else { nil }
    }
    let files = manifest.tracks.values.map(\.file) + manifest.sounds.values.map(\.file) + beats
    faults = Set(files).sorted().map { path + "/" + $0 }
      .filter { !FileManager.default.isReadableFile(atPath: $0) }.map { .missingFile($0) }
    for pattern in manifest.patterns.values.sorted(by: { $0.file < $1.file }) {
      let file = path + "/" + pattern.file
      guard let bytes = try? readFile(file, atMost: AHAPLimits.bytes) else {
        faults.append(.missingFile(file))
        continue
      }
      do throws(AHAPError) {
        _ = try AHAPDocument.parse(bytes, name: file)
      } catch {
        faults.append(.pattern(file: file, "\(error.name):\(error.line):\(error.column): \(error.reason)"))
      }
    }
  }
}
