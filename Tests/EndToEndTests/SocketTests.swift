// SPDX-License-Identifier: Apache-2.0

import Glibc
import Moments
import StarlightClient
import Testing
import Wire

/// The socket of the real daemon, and what it does with what it is sent.
@Suite struct SocketTests {
  @Test func badLinesAreAnsweredAndHurtNobody() throws {
    let game = try SteppedGame()
    let other = try game.daemon.connect()
    let raw = try RawConnection(path: game.daemon.socketPath)
    let cases: [(line: String, kind: String)] = [
      ("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":", "parse"),
      ("[1,2", "parse"),
      ("42", "invalidRequest"),
      ("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"sound.plya\"}", "unknownMethod"),
      ("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"sound.play\",\"params\":{\"sound\":7}}", "invalidParams"),
      ("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"sound.play\",\"params\":{}}", "invalidParams"),
      ("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"sound.play\",\"params\":{\"sound\":\"sfx_clik\"}}", "unknownName"),
      (String(repeating: "[", count: 200) + String(repeating: "]", count: 200), "tooDeep"),
      (String(repeating: "x", count: 1_100_000), "lineTooLong"),
      ("\u{0}\u{1}", "parse"),
    ]
    for (line, kind) in cases {
      let answer = try raw.roundTrip(line)
      #expect(answer.contains("\"kind\":\"\(kind)\""), "\(line.prefix(80)) was answered \(answer.prefix(300))")
    }
    #expect(try raw.roundTrip("{\"id\":5,\"method\":\"clock.now\"}").contains("nowUs"))
    #expect(try other.call(ClockNow.self, Empty()).nowUs == game.nowUs)
  }

  @Test func anUnknownNameIsAnsweredWithTheNearest() throws {
    let game = try SteppedGame()
    do {
      _ = try game.connection.call(SoundPlay.self, SoundPlay.Params(sound: "sfx_clik"))
      Issue.record("sfx_clik must not exist")
    } catch {
      guard case .rpc(let error) = error.kind else { throw error }
      #expect(error.data.candidates?.first == "starlight-sync:sfx_click")
      #expect(error.message == "no sound starlight-sync:sfx_clik; did you mean starlight-sync:sfx_click?")
    }
  }

  @Test func hugeInstantsAreTakenWithoutHarm() throws {
    let game = try SteppedGame()
    for instant in [Int64.max, Int64.min, -1, 0, 1 << 62] {
      _ = try? game.connection.call(SoundPlay.self, SoundPlay.Params(sound: "sfx_click", atUs: instant))
      _ = try? game.connection.call(HapticsTransient.self, HapticsTransient.Params(atUs: instant))
      _ = try? game.connection.call(MusicPlay.self, MusicPlay.Params(track: "main", atUs: instant))
      _ = try? game.connection.call(CueFire.self, CueFire.Params(cue: "segment-lock", atUs: instant))
      _ = try? game.connection.call(RhythmTap.self, RhythmTap.Params(atUs: instant, lane: "left"))
      _ = try? game.connection.call(RhythmTap.self, RhythmTap.Params(agoUs: instant, lane: "left"))
      _ = try? game.connection.call(ClockStep.self, ClockStep.Params(toUs: instant))
    }
    #expect(try game.connection.call(ClockNow.self, Empty()).nowUs >= game.nowUs)
  }

  @Test func theSocketIsTheOwnersAlone() throws {
    let game = try SteppedGame()
    var status = stat()
    #expect(stat(game.daemon.socketPath, &status) == 0)
    #expect(status.st_mode & 0o777 == 0o600)
  }

  @Test func aLiveSocketIsRefusedAndADeadOneReplaced() throws {
    let game = try SteppedGame()
    let directory = try makeTemporaryDirectory()
    defer { removeDirectory(directory) }
    let second = try spawn(
      [DaemonProcess.program("starlightd"), "--socket", game.daemon.socketPath, "--clock", "stepped"], environment: [],
      errorsTo: directory + "/log")
    var status: Int32 = 0
    waitpid(second, &status, 0)
    #expect((status >> 8) & 0xff != 0)
    #expect(try game.connection.call(ClockNow.self, Empty()).nowUs == game.nowUs)

    game.daemon.signal(SIGKILL)
    #expect(game.daemon.wait() == -SIGKILL)
    #expect(access(game.daemon.socketPath, F_OK) == 0)
    let successor = try DaemonProcess(["--clock", "stepped", "--socket", game.daemon.socketPath])
    _ = try StarlightConnection(path: game.daemon.socketPath).call(ClockNow.self, Empty())
    successor.signal(SIGINT)
    #expect(successor.wait() == 0)
    #expect(access(game.daemon.socketPath, F_OK) != 0)
  }

  @Test func theDocumentDescribesEveryMethod() throws {
    let game = try SteppedGame()
    let document = try game.connection.call(method: "rpc.discover", params: Array("{}".utf8))
    let text = String(decoding: document, as: UTF8.self)
    for name in ["music.play", "rhythm.tap", "clock.step", "engine.status", "settings.set", "haptics.transient"] {
      #expect(text.contains("\"\(name)\""))
    }
  }

  @Test func hapticsEndWithTheirClient() throws {
    let game = try SteppedGame()
    let guest = try RawConnection(path: game.daemon.socketPath)
    let request = "{\"id\":1,\"method\":\"haptics.play\",\"params\":{\"pattern\":\"heartbeat\",\"loop\":true}}"
    #expect(try guest.roundTrip(request).contains("player"))
    #expect(try game.step(to: game.nowUs + 100_000).all(HapticsChanged.self).first?.payload.change == .started)
    guest.close()
    // The daemon notices before it reads the next line of anyone.
    _ = try game.connection.call(ClockNow.self, Empty())
    let told = try game.step(to: game.nowUs + 100_000).all(HapticsChanged.self)
    #expect(told.map(\.payload.change) == [.stopped])
  }

  @Test func settingsTakeHoldAtOnce() throws {
    let game = try SteppedGame()
    let settings = try game.connection.call(SettingsSet.self, SettingsSet.Params(haptics: false))
    #expect(settings == Settings(music: true, sound: true, haptics: false))
    #expect(try game.drain().all(SettingsChanged.self).first?.payload.settings == settings)
    _ = try game.connection.call(HapticsTransient.self, HapticsTransient.Params())
    #expect(try game.step(to: game.nowUs + 100_000).all(HapticsLevel.self).isEmpty)
  }
}
