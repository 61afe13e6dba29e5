// SPDX-License-Identifier: Apache-2.0

import Files
import FoundationEssentials
import GamePacks
import Haptics
import Problems

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
      faults = error.faults.map(\.problem)
      return
    } catch let refusal as FileRefusal {
      faults = [refusal.problem]
      return
    } catch {
      faults = [Problem(.unreadable, file: manifestPath, "\(error)")]
      return
    }
    name = manifest.name
    func missing(_ asset: Problem.Place.Asset, _ name: String) -> Problem? {
      let file = path + "/" + name
      if FileManager.default.isReadableFile(atPath: file) { return nil }
      return Problem(.missing, "\(file) cannot be read", where: .init(pack: manifest.name, asset: asset, file: file))
    }
    faults =
      manifest.tracks.sorted { $0.key < $1.key }.compactMap { missing(.init(.track, $0), $1.file) }
      + manifest.sounds.sorted { $0.key < $1.key }.compactMap { missing(.init(.sound, $0), $1.file) }
      + manifest.chapters.sorted { $0.key < $1.key }.compactMap { name, chapter in
        if case .file(let file) = chapter.beats { missing(.init(.chapter, name), file) } else { nil }
      }
    for (name, pattern) in manifest.patterns.sorted(by: { $0.key < $1.key }) {
      let asset = Problem.Place.Asset(.pattern, name)
      guard let bytes = try? readFile(path + "/" + pattern.file, atMost: AHAPLimits.bytes) else {
        faults += [missing(asset, pattern.file)].compactMap(\.self)
        continue
      }
      do throws(AHAPError) {
        _ = try AHAPDocument.parse(bytes, name: path + "/" + pattern.file)
      } catch {
        faults.append(error.problem.of(asset).of(pack: manifest.name))
      }
    }
  }
}
