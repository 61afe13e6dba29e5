// SPDX-License-Identifier: Apache-2.0

import Glibc
import Mixing
import Problems
import Testing

@testable import SoundFiles

/// What decoded sound may take of memory.
@Suite struct SoundRoomTests {
  let directory = TestDirectory()

  private func named(_ path: String) -> String { String(path.dropFirst(directory.path.count + 1)) }

  private func wave(_ frames: Int, named name: String = "") -> String {
    directory.sound(.wav16, rate: 48_000, channels: 2, frames: frames, named: name, signal: busySignal)
  }

  @Test func aFileIsDecodedOnceByWhateverNamesItIsKnown() throws {
    let path = wave(2_048)
    symlink(path, directory("by-link"))
    link(path, directory("by-hard-link"))
    let another = wave(2_048, named: "-another")
    let room = PackRoom()
    let pool = SoundPool(folder: directory.path, rate: 48_000, room: room)
    let sound = try pool.sound(named(path))
    for name in [named(path), "./" + named(path), "by-link", "by-hard-link"] {
      #expect(try pool.sound(name) === sound, "\(name)")
    }
    #expect(room.pack.takenBytes == 8_192 && room.all.takenBytes == 8_192)
    let other = try pool.sound(named(another))
    #expect(other !== sound)
    #expect(room.pack.takenBytes == 16_384)
  }

  @Test func whatIsLetGoOfGivesItsRoomBack() throws {
    let (integers, room) = (wave(2_048), PackRoom())
    // Resampled, and with what it is when it loops.
    let floats = directory.sound(.wav16, rate: 44_100, channels: 2, frames: 4_410, signal: busySignal)
    do {
      let sounds = [
        try LoadedSound(path: integers, rate: 48_000, room: room),
        try LoadedSound(path: floats, rate: 48_000, room: room),
      ]
      // 8,192 bytes; 4,800 frames of floats once, and 9,600 for the loop.
      #expect(room.pack.takenBytes == 8_192 + 40_960 + 77_824)
      #expect(room.all.takenBytes == room.pack.takenBytes)
      #expect(sounds.map(\.residentBytes) == [8_192, 3 * 38_400])
    }
    #expect(room.pack.takenBytes == 0 && room.all.takenBytes == 0)
  }

  @Test func aSoundFitsToTheLastPageAndNotBeyond() throws {
    let pages = 10 * 4_096
    #expect(try LoadedSound(path: wave(10_240), rate: 48_000, room: PackRoom(most: pages)).frames == 10_240)
    let path = wave(10_241)
    let error = #expect(throws: Problem.self) {
      try LoadedSound(path: path, rate: 48_000, room: PackRoom(most: pages))
    }
    #expect(error?.kind == .tooLarge && error?.where.file == path)
    #expect(
      error?.description
        == "there is no room for \(path), which takes 44 KiB: what is decoded of a pack takes 40 KiB at most; list what is "
        + "long under the pack's tracks, which are streamed, or shorten it; 16 bits at the engine's rate take half")
  }

  @Test func whatIsNotOf16BitsAtTheEnginesRateCountsTwice() throws {
    for (format, rate, fits) in [(Format.wav16, 48_000, true), (.wav24, 48_000, false), (.wav16, 44_100, false)] {
      let path = directory.sound(format, rate: rate, channels: 2, frames: 10_240, signal: busySignal)
      let room = PackRoom(most: 10 * 4_096)
      #expect(((try? LoadedSound(path: path, rate: 48_000, room: room)) != nil) == fits, "\(path)")
    }
  }

  @Test func packsShareOneRoomAndEachIsHeldToItsOwn() throws {
    let path = wave(10_240)
    // While it is decoded it takes twice as much.
    let all = SoundRoom(most: 3 * 40_960)
    let first = try LoadedSound(path: path, rate: 48_000, room: PackRoom(within: all))
    let second = try LoadedSound(path: path, rate: 48_000, room: PackRoom(within: all))
    let third = PackRoom(within: all)
    let error = #expect(throws: Problem.self) { try LoadedSound(path: path, rate: 48_000, room: third) }
    #expect(error?.kind == .noMemory && error?.remedy?.contains("pack unload") == true)
    #expect(all.takenBytes == 2 * 40_960 && third.pack.takenBytes == 0)
    withExtendedLifetime((first, second)) {}
  }

  /// A header that promises a minute has a minute's room asked for, and nothing kept of it once its file breaks off.
  @Test func aHeaderThatLiesIsBelievedForRoomAlone() throws {
    let file = directory.sound(.flac, rate: 48_000, channels: 2, frames: 4_800, signal: busySignal)
    var bytes = directory.contents(named(file))
    // The low 32 bits of the number of frames, in STREAMINFO: 2,400,000, 50 s.
    bytes.replaceSubrange(22..<26, with: [0x00, 0x24, 0x9F, 0x00])
    let path = directory.bytes("lying.flac", bytes)
    let small = PackRoom(most: 1 << 20)
    #expect(throws: Problem.self) { try LoadedSound(path: path, rate: 48_000, room: small) }
    let refused = #expect(throws: Problem.self) { try LoadedSound(path: path, rate: 48_000, room: small) }
    #expect(refused?.kind == .tooLarge && refused?.reason.contains("takes 9.2 MiB") == true)
    let room = PackRoom()
    let broken = #expect(throws: Problem.self) { try LoadedSound(path: path, rate: 48_000, room: room) }
    #expect(broken?.kind == .truncated)
    #expect(room.pack.takenBytes == 0 && room.all.takenBytes == 0)
  }

  @Test func moreThanTheHeaderPromisesIsNotDecoded() throws {
    let file = directory.sound(.flac, rate: 48_000, channels: 2, frames: 48_000, signal: busySignal)
    var bytes = directory.contents(named(file))
    bytes.replaceSubrange(22..<26, with: [0, 0, 0, 100])
    let sound = try LoadedSound(path: directory.bytes("short.flac", bytes), rate: 48_000)
    #expect(sound.frames == 100 && sound.residentBytes == 400)
  }

  @Test func headsOfTracksAreCounted() throws {
    let path = wave(96_000)
    let room = PackRoom()
    do {
      let track = try StreamedTrack(path: path, rate: 48_000, room: room)
      // 0.3 s in 16 bits; to play it once or repeated is to begin it alike.
      #expect(track.residentBytes == 57_600 && room.pack.takenBytes == 61_440)
    }
    #expect(room.pack.takenBytes == 0)
    #expect(throws: Problem.self) { try StreamedTrack(path: path, rate: 48_000, room: PackRoom(most: 57_344)) }
  }

  @Test func whatTheSystemDoesNotGiveIsToldAndGivesItsRoomBack() {
    let room = PackRoom(most: .max, within: SoundRoom(most: .max))
    let error = #expect(throws: Problem.self) { try SampleBlock(bytes: 1 << 50, for: "/game/bell.wav", in: room) }
    #expect(error?.kind == .noMemory && error?.where.file == "/game/bell.wav" && error?.remedy != nil)
    #expect(room.pack.takenBytes == 0 && room.all.takenBytes == 0)
  }

  @Test func aProcessThatMayHaveNoMoreMemoryGoesOnWithoutTheSound() async {
    await #expect(processExitsWith: .success) {
      let directory = TestDirectory()
      let long = directory.sound(.wav16, rate: 48_000, channels: 2, frames: 50 * 48_000, signal: busySignal)
      let short = directory.sound(.wav16, rate: 48_000, channels: 2, frames: 4_800, signal: busySignal)
      _ = try LoadedSound(path: short, rate: 48_000)
      var pages = 0
      if let file = fopen("/proc/self/statm", "r") {
        withUnsafeMutablePointer(to: &pages) { pointer in
          withVaList([pointer]) { _ = vfscanf(file, "%ld", $0) }
        }
        fclose(file)
      }
      var limit = rlimit()
      limit.rlim_cur = rlim_t(pages * Int(getpagesize()) + (12 << 20))
      limit.rlim_max = limit.rlim_cur
      guard pages > 0, setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0 else { exit(2) }
      do throws(Problem) {
        _ = try LoadedSound(path: long, rate: 48_000)
        exit(3)
      } catch {
        guard error.kind == .noMemory else { exit(4) }
      }
      exit(try LoadedSound(path: short, rate: 48_000).frames == 4_800 ? 0 : 5)
    }
  }
}
