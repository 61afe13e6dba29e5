// SPDX-License-Identifier: Apache-2.0

import CRealTime
import RealTime

/// The audio side: turns commands and sources into output frames. Everything it does is fit for a real-time thread.
///
/// Frames are counted from 0 and never restart; while it stands, the next to be played stays the same. Voices are mixed `lookahead` frames before their frame is put out,
/// so that the limiter sees what comes; a command for output frame N acts at exactly frame N all the same. What is
/// rendered depends on nothing but the commands and their frames: any partition into periods gives the same bits.
public struct Mixer: ~Copyable {
  /// Frames mixed at a time, at most.
  static var blockFrames: Int { @_noLocks get { 256 } }

  /// The next frame to be put out of those that are played: what plans, commands and events count in.
  var playFrame: Int64 = 0
  /// Where it stands, and for how long.
  var pause = MixerPause()
  /// The next frame to be mixed: the first that a command can still reach.
  var mixFrame: Int64 = 0
  /// The frames that were passed over last: what was planned for them is in its place, however late it is told.
  var passed = PassedFrames()
  /// The frame after the last that may not have been mixed as silence.
  var soundEnd: Int64 = 0

  let lookahead: Int
  let declick: Fade
  let commandCapacity: Int
  let link: UnsafeMutablePointer<MixerLink>
  /// What it notes of its calls, where it does.
  let notes: UnsafeMutablePointer<MixerNotes>?
  /// What the call under way finds, and has taken of it: what comes later is the next one's.
  var reach = CallReach()

  /// The loops it mixes with.
  let kernel: rt_mix_kernel
  var bank: VoiceBank
  /// Changed by `(buses + index).pointee`: with `buses[index]` the compiler's thread sanitizer makes code it then rejects.
  let buses: UnsafeMutablePointer<BusStrip>
  let busCount: Int
  var schedule: CommandSchedule
  /// Voices that are being taken back, until another command comes.
  var takenBack: TakenBack
  /// The first frame at which a voice that stands on may go on.
  var goesOnAt: Int64 = .max
  /// Those that voices may belong to, by number.
  let families: UnsafeMutablePointer<VoiceFamily>
  let familyCount: Int
  /// Whether the low-pass of a bus may be at work: one look for all, where none is.
  var isDulling = false
  var ducking: DuckEnvelopes
  var limiter: Limiter

  /// Voices that never got a slot; `commandCapacity` bounds them, for a refused start counts as under way till it is told.
  let refusals: UnsafeMutablePointer<Refusal>
  var refusalCount = 0
  var carriedOut = 0

  /// Whose peak the limiter works out as it takes note of the mix, if that of one bus alone.
  var loneBus = LoneBus()

  /// The fade in after frames were lost, or none were put out.
  var recovery = Ramp(steady: 1)

  /// Room for one block of gains, of interpolated samples, and one line for every bus.
  let gains: UnsafeMutablePointer<Float>
  let interpolated: UnsafeMutablePointer<Float>
  /// And of one stem of a voice.
  let stemRoom: UnsafeMutablePointer<Float>
  let pitchFilters = PitchFilters()
  let lines: UnsafeMutablePointer<GainLine>

  init(
    _ configuration: MixerConfiguration, kernel: rt_mix_kernel, link: UnsafeMutablePointer<MixerLink>,
    notes: UnsafeMutablePointer<MixerNotes>?
  ) {
    self.notes = notes
    self.kernel = kernel
    lookahead = configuration.lookaheadFrames
    declick = Fade(frames: Int32(clamping: configuration.declickFrames))
    commandCapacity = configuration.commandCapacity
    self.link = link
    bank = VoiceBank(configuration)
    busCount = Bus.allCases.count
    buses = .allocate(capacity: busCount)
    for index in 0..<busCount {
      (buses + index).initialize(
        to: BusStrip(blockFrames: Mixer.blockFrames, rate: configuration.rate, declick: declick, kernel: kernel))
    }
    familyCount = configuration.families
    families = .allocate(capacity: max(familyCount, 1))
    families.initialize(repeating: VoiceFamily(), count: max(familyCount, 1))
    schedule = CommandSchedule(capacity: configuration.commandCapacity)
    takenBack = TakenBack(capacity: configuration.commandCapacity)
    ducking = DuckEnvelopes(voices: bank.slotCount)
    limiter = Limiter(
      lookahead: configuration.lookaheadFrames, blockFrames: Mixer.blockFrames, rate: configuration.rate, kernel: kernel
    )
    refusals = .allocate(capacity: configuration.commandCapacity)
    refusals.initialize(
      repeating: Refusal(id: VoiceID(rawValue: 0), at: 0, reason: .rejected), count: configuration.commandCapacity)
    gains = .room(2 * Mixer.blockFrames)
    interpolated = .room(2 * Mixer.blockFrames)
    stemRoom = .room(2 * Mixer.blockFrames)
    lines = .allocate(capacity: busCount)
    lines.initialize(repeating: .silent(interpolated), count: busCount)
  }

  deinit {
    bank.deallocate()
    for index in 0..<busCount { buses[index].deallocate() }
    buses.deallocate()
    families.deallocate()
    schedule.deallocate()
    takenBack.deallocate()
    ducking.deallocate()
    limiter.deallocate()
    refusals.deallocate()
    gains.deallocate()
    interpolated.deallocate()
    stemRoom.deallocate()
    pitchFilters.deallocate()
    lines.deallocate()
  }

  /// The next frame to be put out, those included through which it stood.
  public var outputFrame: Int64 { @_noLocks get { playFrame + pause.stood } }

  /// How many commands and slots were looked at since the start, to take back and to find slots: for holding what a call does to
  /// a bound.
  @_spi(Measuring) public var looks: Int { schedule.looks + bank.looks }

  /// Writes the next `frames` output frames to `out`, interleaved stereo, all samples within -1...1.
  @_noLocks public mutating func render(into out: UnsafeMutablePointer<Float>, frames: Int) {
    beginCall(frames)
    takePauses()
    let (first, firstPlayed) = (outputFrame, playFrame)
    if pause.isNear(playFrame) { renderPausing(out, frames) } else { play(into: out, frames: frames) }
    if firstPlayed < limiter.shapedEnd && firstPlayed < playFrame { meterOutput(out, from: first, frames) }
    if notes != nil { noteCall(.render, out, frames) }
  }

  /// Lets `frames` output frames pass that nobody will hear: voices and plans move on, and what follows fades in.
  @_noLocks public mutating func skip(frames: Int) {
    beginCall(frames)
    takePauses()
    if pause.isNear(playFrame) { passPausing(frames) } else { pass(frames: frames) }
    if notes != nil { noteCall(.skip, nil, frames) }
  }

  /// Puts out the next frames that are played.
  @_noLocks mutating func play(into out: UnsafeMutablePointer<Float>, frames: Int) {
    let flushing = DenormalFlushing()
    takeCommands()
    var done = 0
    while done < frames {
      let count = min(frames - done, Mixer.blockFrames)
      mix(upTo: playFrame + Int64(count + lookahead))
      limiter.emit(out + 2 * done, from: playFrame, count: count)
      if recovery.isMoving(at: playFrame) { applyFadeIn(out + 2 * done, count) }
      playFrame += Int64(count)
      done += count
    }
    publish()
    flushing.restore()
  }

  /// Lets the next frames that are played pass.
  @_noLocks mutating func pass(frames: Int) {
    if frames <= 0 { return }
    let flushing = DenormalFlushing()
    takeCommands()
    let target = playFrame + Int64(frames)
    passed.note(playFrame, to: target)
    // Whole turns of the delay are passed without mixing; the rest is mixed, so that the delay holds what comes next.
    let unmixed = max(Int64(frames - lookahead), 0) & ~Int64(limiter.capacity - 1)
    if unmixed > 0 {
      passWithoutMixing(unmixed)
      limiter.pass(frames: unmixed)
      playFrame += unmixed
    }
    while playFrame < target {
      let count = min(target - playFrame, Int64(Mixer.blockFrames))
      playFrame += count
      mix(upTo: playFrame + Int64(lookahead))
    }
    beginFadeIn()
    publish()
    flushing.restore()
  }

  /// Lets what is put out next come up from silence in 5 ms: for an output that was silent until now.
  @_noLocks public mutating func fadeIn() {
    beginFadeIn()
    if let notes { notes.pointee.note(.fadedIn) }
  }

  @_noLocks private mutating func beginFadeIn() {
    recovery = Ramp(from: 0, to: 1, start: playFrame, fade: declick)
  }

  // MARK: Mixing

  /// Mixes the next `frames` frames and goes no further, nothing limited and nothing put out, denormals treated as the thread
  /// does: for measuring what the voices alone cost. The answer is where the last block lies.
  @_spi(Measuring) @_noLocks public mutating func mixAlone(frames: Int) -> UnsafePointer<Float> {
    beginCall(frames)
    takeCommands()
    playFrame += Int64(frames)
    mix(upTo: playFrame, limited: false)
    publish()
    let place = Int(truncatingIfNeeded: mixFrame - Int64(frames)) & (limiter.capacity - 1)
    return UnsafePointer(limiter.delay + 2 * place)
  }

  /// Mixes all frames before `end`, cut where commands act and buses fall silent.
  @_noLocks private mutating func mix(upTo end: Int64, limited: Bool = true) {
    while mixFrame < end {
      let cut = actAndFindCut()
      let place = Int(truncatingIfNeeded: mixFrame) & (limiter.capacity - 1)
      let count = Int(min(min(end, cut) - mixFrame, Int64(Mixer.blockFrames)))
      mixBlock(count, into: limiter.delay + 2 * place)
      limiter.fold(place, count)
      mixFrame += Int64(count)
      if limited {
        limiter.analyse(upTo: mixFrame)
        meterMix(count)
      }
      tell()
    }
  }

  /// Does what is due at `mixFrame` and returns the next frame at which something is.
  @_noLocks private mutating func actAndFindCut() -> Int64 {
    while schedule.nextFrame <= mixFrame { carryOut(schedule.removeFirst()) }
    if goesOnAt <= mixFrame { letGoOn() }
    var cut = min(schedule.nextFrame, goesOnAt)
    for index in 0..<busCount {
      let bus = buses + index
      if bus.pointee.muteAt <= mixFrame {
        bus.pointee.mute()
        recountDucking(on: index)
      }
      cut = min(cut, bus.pointee.muteAt)
    }
    return cut
  }

  /// One block: voices into buses in the order of their slots, buses into `out` in their order.
  @_noLocks private mutating func mixBlock(_ frames: Int, into out: UnsafeMutablePointer<Float>) {
    for index in 0..<busCount { (buses + index).pointee.beginBlock() }
    ducking.sweep(at: mixFrame)
    var slot = bank.sounding.next(from: 0)
    let direct = slot >= 0 ? claim(out, for: bank.voices[slot].bus.index) : -1
    while slot >= 0 {
      if !renderWhole(slot, frames) { renderVoice(slot, frames) }
      slot = bank.sounding.next(from: slot + 1)
    }
    for index in 0..<busCount { (buses + index).pointee.flush(frames) }
    if isDulling { dull(frames) }
    mixBuses(frames, into: out, direct)
    giveBack()
  }

  /// Lets the first bus to sound grow in the mix itself where it has no gain of its own: a pass less, and the same bits.
  @_noLocks private func claim(_ out: UnsafeMutablePointer<Float>, for bus: Int) -> Int {
    if mixFrame < buses[bus].unityFrom || ducking.act(on: bus) || isDulling { return -1 }
    (buses + bus).pointee.sumUp(in: out)
    return bus
  }

  @_noLocks private mutating func mixBuses(_ frames: Int, into out: UnsafeMutablePointer<Float>, _ direct: Int) {
    var straight = 0
    var touched = 0
    var begun = false
    var last = LoneBus.none
    for index in 0..<busCount where buses[index].isTouched {
      last = index
      if index == direct {
        if touched == 0 {
          begun = true
          continue
        }
        (buses + index).pointee.moveOut(frames)
      }
      touched &+= 1
      lines[straight].source = Samples.float(buses[index].sum).run
      let limit = duck(index, at: mixFrame, limit: frames)
      let stretch = buses[index].path.stretch(at: mixFrame, limit: limit, line: lines + straight)
      if stretch.straight && stretch.frames == frames { straight &+= 1 }
    }
    if begun || touched > 0 { soundEnd = mixFrame + Int64(frames) }
    // Before they are added: the sum of the first may be the mix itself.
    noteBuses(touched + (begun ? 1 : 0) > 1 ? LoneBus.several : last, frames)
    if begun && touched == 0 { return }
    if straight == touched && straight > 0 {
      rt_mix_lines(kernel, lines, straight, out, frames, !begun)
      return
    }
    if !begun { rt_zero(out, 2 * frames * MemoryLayout<Float>.stride) }
    for index in 0..<busCount where buses[index].isTouched {
      if !(begun && index == direct) { addBus(index, frames, to: out) }
    }
  }

  /// A bus whose gain does not follow one line through the block.
  @_noLocks private mutating func addBus(_ index: Int, _ frames: Int, to out: UnsafeMutablePointer<Float>) {
    let bus = buses + index
    var done = 0
    while done < frames {
      let frame = mixFrame + Int64(done)
      let limit = duck(index, at: frame, limit: frames - done)
      let stretch = bus.pointee.path.stretch(at: frame, limit: limit, line: lines)
      lines.pointee.source = Samples.float(bus.pointee.sum + 2 * done).run
      if stretch.straight {
        rt_mix_lines(kernel, lines, 1, out + 2 * done, stretch.frames, false)
      } else {
        bus.pointee.path.fill(gains, from: frame, count: stretch.frames, kernel)
        rt_mix_gains(kernel, lines.pointee.source, gains, out + 2 * done, 2 * stretch.frames)
      }
      done += stretch.frames
    }
  }

  @_noLocks private func applyFadeIn(_ out: UnsafeMutablePointer<Float>, _ count: Int) {
    for index in 0..<count {
      let gain = recovery.value(at: playFrame + Int64(index))
      out[2 * index] *= gain
      out[2 * index + 1] *= gain
    }
  }

  // MARK: Passing over

  @_noLocks private mutating func passWithoutMixing(_ frames: Int64) {
    let end = mixFrame + frames
    for index in 0..<busCount { (buses + index).pointee.lowPass.rest() }
    while mixFrame < end {
      let cut = actAndFindCut()
      // A million frames at a time keep the arithmetic of pitched positions within 64 bits.
      let count = min(min(end, cut) - mixFrame, 1 << 20)
      var slot = bank.sounding.next(from: 0)
      while slot >= 0 {
        passVoice(slot, Int(count))
        slot = bank.sounding.next(from: slot + 1)
      }
      giveBack()
      mixFrame += count
      tell()
    }
    // The delay holds what it held.
    soundEnd = mixFrame
  }
}
