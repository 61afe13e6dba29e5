// SPDX-License-Identifier: Apache-2.0

import AudioOutput
import CRealTime
import Engine
import Glibc
import Mixing
import Problems
import RealTime
import SoundFiles
import Timing
import Wire

/// The audio output of a running clock: the device or null thread, and the decode thread behind it.
final class LiveAudio {
  let output: AudioOutput
  private var decoder: DecodeThread?
  private var hasLeftDecoder = false
  /// What the audio thread renders, which must not go before that has ended.
  private let controller: MixerController

  init(_ configuration: HostConfiguration, controller: MixerController, feeder: StreamFeeder) throws(HostError) {
    output = AudioOutput(
      AudioOutputConfiguration(
        device: configuration.audioDevice, rate: configuration.rate, period: configuration.period,
        recordPath: configuration.recordPath,
        fillFile: configuration.stateFolder.map { $0 + "/fills" },
        leadFile: configuration.stateFolder.map { $0 + "/leads" },
        wakeFile: configuration.stateFolder.map { $0 + "/wakes" }, idle: configuration.idle),
      mixer: controller.mixer)
    self.controller = controller
    controller.onWork = { [output] in output.endRest() }
    controller.hasRested = { [output] in output.hasRested(past: $0) }
    do throws(Problem) { try output.start() } catch { throw HostError("\(error)") }
    do throws(ThreadError) {
      decoder = try DecodeThread(feeder)
    } catch {
      output.stop()
      throw HostError("cannot start the decode thread: \(String(cString: strerror(error.code)))")
    }
  }

  deinit { _ = stop() }

  var now: Instant { Instant(nanoseconds: rt_now_ns()) }

  var wakeDescriptor: Int32 { output.wake }

  /// What the output is at and can still meet.
  func state(
    controller: MixerController, hapticLead: Interval, pause: EnginePausing, serving: Interval
  ) -> Turn {
    let now = now
    let earliest = output.earliest(at: now)
    let resting = output.restingReach(at: now)
    // Before what the mixer has reached: the other way round a period could pass between them.
    let nextWake = resting?.nextWake ?? output.nextWake
    let mixed = resting?.mixed ?? controller.mixedFrame
    var turn = Turn(
      now: pause.clock.now(at: now), timeline: pause.timeline(resting?.timeline ?? output.timeline),
      mixedFrame: mixed, period: output.period, nextWake: nextWake, serving: serving,
      hapticLead: hapticLead, isHeard: output.isOnDevice, clockNow: now)
    turn.leadToCome = output.leadToCome
    // By then the engine may stand, or have gone on.
    if let earliest {
      turn.reachableFrame = max(turn.reachableFrame, turn.timeline.frame(at: pause.clock.now(at: earliest)) + 1)
    }
    turn.reachableFrame = pause.reachable(
      turn.reachableFrame, mixed: mixed, lookahead: controller.configuration.lookaheadFrames)
    if pause.clock.count > 0 {
      turn.soundLead = output.timeline.instant(ofFrame: reachableOutputFrame(controller)) - now
    }
    return turn
  }

  /// The first frame of the output before which the mixer can still be told to go on.
  func reachableOutputFrame(_ controller: MixerController) -> Int64 {
    let now = now
    let reachable = max(controller.outputFrame, output.timeline.frame(at: now)) + Int64(output.period)
    return output.earliest(at: now).map { max(reachable, output.timeline.frame(at: $0) + 1) } ?? reachable
  }

  func wakeDecoder() { decoder?.wake() }

  /// What the audio thread had to tell since the last call; `isWoken` where its descriptor may be readable.
  func takeNotices(isWoken: Bool) -> [AudioOutputNotice] {
    if isWoken {
      var counter: UInt64 = 0
      _ = read(output.wake, &counter, MemoryLayout<UInt64>.size)
    }
    var notices: [AudioOutputNotice] = []
    output.drainNotices { notices.append($0) }
    return notices
  }

  var scheduling: EngineStatus.Audio.Scheduling {
    if case .fifo = output.description.scheduling { .fifo } else { .other }
  }

  /// What went wrong, if anything did. A recording and tracks that are read are not waited for beyond their instants.
  func stop(recordingBy files: Instant = .distantFuture, decodingBy others: Instant = .distantPast) -> [Problem] {
    decoder?.requestStop()
    let failures = output.stop(recordingBy: files)
    if decoder.take()?.stop(byNanoseconds: others.nanoseconds) == false { hasLeftDecoder = true }
    return failures
  }

  /// Whether a thread was left behind that hangs.
  var hasLeftBehind: Bool { hasLeftDecoder || output.hasLeftBehind }
}
