// SPDX-License-Identifier: Apache-2.0

import Files
import Glibc
import Problems
import RealTime

/// Packs that are read again at every save (`starlightd --watch`): what was saved is read once nothing more is.
extension Host {
  /// Watches the folders of all packs, and of those that are left out.
  func watchPacks() throws(HostError) {
    var watch = SavesWatch()
    guard watch.descriptor >= 0 else {
      throw HostError("the folders of packs cannot be watched: \(String(cString: strerror(errno)))")
    }
    watch.watch(engine.catalog.folders)
    saves = consume watch
    tellUnwatched()
  }

  /// Packs came, went or moved; a folder that was read may be another by the same name.
  func watchOtherPacks(andAnew read: String? = nil) {
    saves?.watch(engine.catalog.folders, andAnew: read)
    tellUnwatched()
  }

  private func tellUnwatched() {
    guard let unwatched = saves?.takeUnwatched() else { return }
    untoldProblems.append(
      Problem(
        .unreadable, file: unwatched.folder,
        "saves in \(printable(unwatched.folder)) are not noticed: \(unwatched.reason)",
        remedy: "\(unwatched.remedy); until then read the pack again by hand, by `starlight pack reload`"))
  }

  /// The descriptor of the watch, where there is one.
  var savesDescriptors: [Int32] {
    switch saves {
    case .some(let saves): [saves.descriptor]
    case .none: []
    }
  }

  /// Has what was saved read, once it is whole.
  func followSaves(isWoken: Bool) {
    if isWoken, let saved = saves?.takeSaved() {
      settling.note(saved, at: engine.turn.clockNow.nanoseconds)
      tellUnwatched()
    }
    let due = settling.take(at: engine.turn.clockNow.nanoseconds)
    if !due.isEmpty { ask(for: due, by: .daemon) }
  }
}
