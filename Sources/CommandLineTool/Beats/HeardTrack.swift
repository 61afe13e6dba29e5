// SPDX-License-Identifier: Apache-2.0

import GamePacks
import Glibc
import JSON
import StarlightClient
import Wire

/// A track that the daemon plays for one command, as a pack of its own with a click: loaded for it, and unloaded behind it.
final class HeardTrack {
  private let connection: StarlightConnection
  private let folder: TemporaryFolder
  private let pack: String
  private var isLoaded = false
  /// The instant at which the track's own beginning is heard, or would be: the device's delay is in it, for the daemon tells
  /// instants as they are heard.
  private(set) var zeroUs: Int64 = 0
  /// Microseconds.
  let lengthUs: Int64

  /// What there is to read while it plays.
  var descriptor: Int32 { connection.descriptor }

  /// Has the daemon load the sound file; nothing is heard yet.
  init(_ sound: String, gain: Double, _ tool: Tool, interrupt: Int32) throws(ToolFailure) {
    connection = try tool.connect(needsTime: true)
    folder = try TemporaryFolder(named: "heard")
    pack = "beats-\(getpid())"
    let readable = try AnalysedSound.readable(sound, in: folder, interrupt: interrupt)
    let ending = readable.split(separator: ".").last.map(String.init) ?? "wav"
    let file = "music." + ending
    if readable != folder.path + "/" + file { try copyFile(readable, to: folder.path + "/" + file) }
    let measured = try ForeignAudio.measure(folder.path + "/" + file)
    lengthUs = Int64(measured.seconds * 1e6)
    try Self.writeClick(folder.path + "/click.wav")
    let manifest = """
      {
        "name": "\(pack)", "title": "What is heard for `starlight beats`", "version": "1",
        "tracks": { "track": { "file": \(jsonString(file)), "loop": false, "gain": \(decimalText(gain)) } },
        "sounds": { "click": { "file": "click.wav" } }
      }

      """
    try replaceFile(folder.path + "/pack.json", with: Array(manifest.utf8))
    let reading = try PackReloadingCommands.ask(connection, toLoad: folder.path)
    if let problem = reading.problems.first { throw ToolFailure(problem) }
    isLoaded = reading.taken
    try connection.subscribe(to: [.music])
  }

  /// Begins at a place in the track.
  func play(fromUs: Int64) throws(ToolFailure) {
    let result = try connection.ask(
      MusicPlay.self,
      MusicPlay.Params(track: pack + ":track", crossfadeUs: 0, positionUs: fromUs > 0 ? fromUs : nil))
    zeroUs = result.scheduledUs - result.positionUs
  }

  /// Has a click be heard at a place in the track; those that are too late are left out.
  func click(atUs: Int64, pitch: Double) throws(ToolFailure) {
    let instant = zeroUs + atUs
    guard instant > nowUs() else { return }
    _ = try connection.ask(SoundPlay.self, SoundPlay.Params(sound: pack + ":click", atUs: instant, pitch: pitch))
  }

  /// Takes in what the daemon tells; false once the track is heard no more.
  func goesOn() throws(ToolFailure) -> Bool {
    while let told = try connection.next(withinUs: 0) {
      guard let changed = told.payload(MusicChanged.self) else { continue }
      if changed.change == .ended || changed.change == .stopped, told.tUs >= zeroUs { return false }
    }
    return nowUs() < zeroUs + lengthUs + 1_000_000
  }

  /// Ends what is heard, and takes the pack out.
  func end() throws(ToolFailure) {
    guard isLoaded else { return }
    isLoaded = false
    if zeroUs != 0 { _ = try connection.ask(MusicStop.self, MusicStop.Params(fadeUs: 50_000)) }
    _ = try connection.ask(PackUnload.self, PackUnload.Params(pack: pack))
  }

  deinit {
    // Where it ended by an error.
    try? end()
  }

  /// A short, high stroke that stands out from music.
  private static func writeClick(_ path: String) throws(ToolFailure) {
    let stroke = StruckTone(hertz: 1_600, decay: 0.008).frames(seconds: 0.06)
    try writeWave(stroke.map { 0.6 * $0 }, rate: StruckTone.rate, to: path)
  }
}
