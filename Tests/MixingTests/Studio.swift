// SPDX-License-Identifier: Apache-2.0

import CRealTime
@_spi(Measuring) import Mixing

/// A stereo sample.
struct Frame: Equatable {
  var left: Float
  var right: Float
}

/// The left sample of the counter source's frame number `frame`: 1, 2, 3 ... in steps of 2^-20.
func count(_ frame: Int) -> Float { Float(frame + 1) * 0x1p-20 }

/// How a studio keeps its sources.
enum Keeping: CaseIterable {
  case floats
  /// As 16-bit integers: samples have to be whole numbers of 2^-15.
  case integers
  /// One so, the next otherwise.
  case alternately
}

/// The kernels this processor runs.
let kernels = [rt_mix_kernel.RT_MIX_BASELINE, .RT_MIX_AVX2, .RT_MIX_AVX512].filter {
  $0.rawValue <= rt_mix_best_kernel().rawValue
}

/// A mixer with what is needed to play with it: sources that stay alive, voice numbers, everything it said.
final class Studio {
  let controller: MixerController
  private(set) var events: [MixerEvent] = []
  private let keeping: Keeping
  private var memory: [Samples] = []
  private var rings: [UnsafeMutablePointer<StreamRing>] = []
  private var nextVoice: UInt64 = 1

  init(
    _ configuration: MixerConfiguration = MixerConfiguration(), kernel: rt_mix_kernel = rt_mix_best_kernel(),
    keeping: Keeping = .floats
  ) {
    controller = MixerController(configuration, kernel: kernel)
    self.keeping = keeping
  }

  deinit {
    for samples in memory { samples.address.deallocate() }
    for ring in rings {
      ring.deinitialize(count: 1)
      ring.deallocate()
    }
  }

  // MARK: Sources

  func source(frames: Int, loop: Range<Int>? = nil, _ sample: (Int) -> Frame) -> ResidentSource {
    var values = [Float](repeating: 0, count: 2 * frames)
    for frame in 0..<frames {
      let heard = sample(frame)
      values[2 * frame] = heard.left
      values[2 * frame + 1] = heard.right
    }
    let asIntegers = keeping == .integers || (keeping == .alternately && memory.count % 2 == 1)
    memory.append(asIntegers ? .int16(copy(values.map { Int16($0 * 0x1p15) })) : .float(copy(values)))
    return ResidentSource(samples: memory[memory.count - 1], frames: frames, loop: loop)
  }

  private func copy<Sample>(_ values: [Sample]) -> UnsafePointer<Sample> {
    let room = UnsafeMutablePointer<Sample>.allocate(capacity: max(values.count, 1))
    room.initialize(from: values, count: values.count)
    return UnsafePointer(room)
  }

  /// The same value for ever.
  func constant(_ value: Float) -> ResidentSource {
    source(frames: 64, loop: 0..<64) { _ in Frame(left: value, right: value) }
  }

  /// Left is `count`, right the same below zero: every frame tells its number.
  func counter(frames: Int, loop: Range<Int>? = nil) -> ResidentSource {
    source(frames: frames, loop: loop) { Frame(left: count($0), right: -count($0)) }
  }

  func ring(capacityFrames: Int, layers: Int = 1) -> UnsafeMutablePointer<StreamRing> {
    let ring = UnsafeMutablePointer<StreamRing>.allocate(capacity: 1)
    ring.initialize(to: StreamRing(capacityFrames: capacityFrames, layers: layers))
    rings.append(ring)
    return ring
  }

  /// Writes frames `from`... of the counter to a ring.
  func fill(_ ring: UnsafeMutablePointer<StreamRing>, counting frames: Int) -> Int {
    let from = Int(ring.pointee.framesWritten)
    var samples: [Float] = []
    for frame in from..<from + frames {
      samples.append(count(frame))
      samples.append(-count(frame))
    }
    return samples.withUnsafeBufferPointer { ring.pointee.write(.float($0.baseAddress!), frames: frames) }
  }

  /// Writes the ring's next frames, of as many layers as `sample` is asked for: by layer and frame of the ring.
  func fill(
    _ ring: UnsafeMutablePointer<StreamRing>, frames: Int, layers: Int, _ sample: (Int, Int) -> Frame
  ) -> Int {
    let from = Int(ring.pointee.framesWritten)
    let rooms = (0..<layers).map { layer in
      let room = UnsafeMutablePointer<Float>.allocate(capacity: 2 * frames)
      for index in 0..<frames {
        let value = sample(layer, from + index)
        (room[2 * index], room[2 * index + 1]) = (value.left, value.right)
      }
      return room
    }
    defer { for room in rooms { room.deallocate() } }
    return ring.pointee.write(rooms.map { .float($0) }, frames: frames)
  }

  // MARK: Commands

  func voice() -> VoiceID {
    defer { nextVoice += 1 }
    return VoiceID(rawValue: nextVoice)
  }

  @discardableResult func submit(_ commands: MixerCommand...) -> Bool { controller.submit(commands) }

  /// Starts a resident source and returns its voice.
  @discardableResult func start(
    _ source: ResidentSource, on bus: Bus = .sound, at: Int64, sourceFrame: Int64 = 0, gain: Float = 1,
    fadeIn: Fade = .none, pan: Float = 0, pitch: Float = 1, ducking: DuckRule? = nil, late: LatePolicy = .shift,
    owner: UInt64 = 0, user: UInt32 = 0, sound: UInt32 = 0, instant: Int64 = 0
  ) -> VoiceID {
    let id = voice()
    var start = VoiceStart<VoiceSource>(
      id: id, source: .resident(source), bus: bus, at: at, sourceFrame: sourceFrame, gain: gain, fadeIn: fadeIn,
      pan: pan, pitch: pitch, ducking: ducking, late: late)
    (start.owner, start.user, start.sound, start.instant) = (owner, user, sound, instant)
    submit(.start(start))
    return id
  }

  // MARK: Output

  /// The next `frames` frames, rendered in periods of those lengths in turn.
  func render(_ frames: Int, periods: [Int] = [256]) -> [Frame] {
    let out = UnsafeMutablePointer<Float>.allocate(capacity: 2 * frames)
    defer { out.deallocate() }
    var done = 0
    var turn = 0
    while done < frames {
      let count = min(periods[turn % periods.count], frames - done)
      controller.mixer.pointee.render(into: out + 2 * done, frames: count)
      collect()
      done += count
      turn += 1
    }
    return (0..<frames).map { Frame(left: out[2 * $0], right: out[2 * $0 + 1]) }
  }

  func skip(_ frames: Int) {
    controller.mixer.pointee.skip(frames: frames)
    collect()
  }

  /// Takes over what the mixer has said.
  func collect() { controller.drainEvents { events.append($0) } }
}
