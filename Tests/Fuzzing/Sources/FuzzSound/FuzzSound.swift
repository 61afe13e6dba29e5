// SPDX-License-Identifier: Apache-2.0

import FuzzSupport
import Glibc
import Mixing
import Problems
import SoundFiles

/// Loads a sound file as an effect and as a track, once and looping, and reads what comes.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  // In memory, not on a disk.
  let path = "/dev/shm/starlight-fuzz-\(getpid())"
  guard let file = fopen(path, "wb") else { fatalError("cannot write \(path)") }
  fwrite(data, 1, count, file)
  fclose(file)
  defer { unlink(path) }
  loadSound(path)
  for loop in [TrackLoop.automatic, .none, .wholeFile] { loadTrack(path, loop) }
  return 0
}

private func loadSound(_ path: String) {
  let sound: LoadedSound
  do throws(Problem) {
    sound = try LoadedSound(path: path, rate: 48_000)
  } catch {
    return check(error, path)
  }
  require(sound.frames > 0 && sound.seconds <= 61, "it has \(sound.frames) frames")
  withExtendedLifetime(sound) {
    for loops in [false, true] {
      let source = sound.source(loop: loops)
      require(source.frames > 0, "a source of \(source.frames) frames")
      require(
        0 <= source.loopStart && source.loopStart <= source.loopEnd && source.loopEnd <= source.frames,
        "frames \(source.loopStart) to \(source.loopEnd) of \(source.frames) repeat")
      // Every sample can be read, and is a number.
      for index in 0..<(2 * source.frames) { require(source.samples[index].isFinite, "sample \(index)") }
    }
  }
}

private func loadTrack(_ path: String, _ loop: TrackLoop) {
  let track: StreamedTrack
  do throws(Problem) {
    track = try StreamedTrack(path: path, rate: 48_000, loop: loop, headSeconds: 0.01)
  } catch {
    return check(error, path)
  }
  require(track.frames > 0, "it has \(track.frames) frames")
  if let loop = track.loop {
    require(0 <= loop.lowerBound && loop.lowerBound < loop.upperBound, "\(loop) repeats")
    // Each end is rounded to a frame of its own.
    require(loop.upperBound <= track.frames + 1, "\(loop) repeats of \(track.frames) frames")
  }
  let feeder = StreamFeeder(rate: 48_000, streams: 2, ringSeconds: 0.1)
  for position in [0, track.frames / 2, track.frames - 1] {
    guard let stream = try? feeder.open(track, fromFrame: position) else { continue }
    for _ in 0..<3 { feeder.pump() }
    for failure in feeder.drainFailures() { check(failure.error, path) }
    feeder.close(stream.id)
    feeder.pump()
  }
  require(feeder.openCount == 0, "\(feeder.openCount) streams are open")
}

private func check(_ error: Problem, _ path: String) {
  require(error.description.contains(path) && !error.reason.isEmpty && error.where.file != nil, "\(error) says nothing")
}
