// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc
import Moments
import SoundMeasures
import Synchronization

/// The audio of the packs as the programs beside these tests play it, in `share/starlight/packs`. `make test` has it rendered
/// by then; where it is not there, or of other sources, it is rendered now, for this and for later.
enum RenderedPacks {
  /// Where the packs are.
  private static let folder = Result { () throws -> String in
    let build = DaemonProcess.program("").split(separator: "/").dropLast().reduce("") { $0 + "/" + $1 }
    let folder = build + "/share/starlight/packs"
    let log = try makeTemporaryDirectory()
    defer { removeDirectory(log) }
    let pid = try spawn(
      [Repository.path + "/scripts/build-packs", folder, DaemonProcess.program("starlight-synthesis")],
      environment: [], errorsTo: log + "/log")
    var status: Int32 = 0
    while waitpid(pid, &status, 0) < 0, errno == EINTR {}
    guard status == 0 else {
      throw ProcessFailure(
        "the packs were not built: " + ((try? String(contentsOfFile: log + "/log", encoding: .utf8)) ?? ""))
    }
    return folder
  }

  /// The folder that they are in, for a daemon.
  static func path() throws -> String { try folder.get() }

  /// What was read of them: each is listened to by several tests.
  private static let sounds = Mutex<[String: Sound]>([:])

  /// The file of a sound or track of that name.
  static func sound(_ pack: String, _ name: String) throws -> Sound {
    let path = try folder.get() + "/\(pack)/\(name).wav"
    if let sound = sounds.withLock({ $0[path] }) { return sound }
    let sound = try Sound(wave: path)
    sounds.withLock { $0[path] = sound }
    return sound
  }

  /// The size of every file of a pack whose name ends so, together.
  static func bytes(_ pack: String, _ ending: String) throws -> Int {
    let place = try folder.get() + "/" + pack
    return try FileManager.default.subpathsOfDirectory(atPath: place).filter { $0.hasSuffix(ending) }
      .reduce(0) { $0 + ((try FileManager.default.attributesOfItem(atPath: place + "/" + $1)[.size] as? Int) ?? 0) }
  }
}
