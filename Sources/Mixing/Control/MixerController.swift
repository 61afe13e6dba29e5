// SPDX-License-Identifier: Apache-2.0

import CRealTime
import Synchronization

/// The control side of a mixer: owns its memory, sends it commands, hears its events. One thread at a time uses it.
public final class MixerController {
  /// What the mixer was built for.
  public let configuration: MixerConfiguration
  /// The audio side, for exactly one audio thread at a time; valid while the controller lives.
  public let mixer: UnsafeMutablePointer<Mixer>

  /// Called when something was handed over, for an audio side that sleeps while it has nothing to do.
  public var onWork: (() -> Void)?

  /// Asked, while something is handed over for a frame, whether an audio side that sleeps has let that frame pass.
  public var hasRested: ((_ frame: Int64) -> Bool)?

  /// Told whether a frame had passed, where that is noted, or was: with what it is now, gives what counts.
  public var witnessPassed: ((Bool) -> Bool)?

  /// Asked how much room there is where that is noted, or was: with what it is now, gives what counts.
  public var witnessRoom: ((Int) -> Int)?

  /// Whether what is submitted is held back until `repeatCall` wants it. To be set before anything is.
  public var holdsBack = false

  let link: UnsafeMutablePointer<MixerLink>
  let notes: UnsafeMutablePointer<MixerNotes>?
  private var submitted = 0
  private var heldCommands: [MixerCommand] = []
  private var heldPauses: [PauseStep] = []

  /// A mixer of that configuration, at output frame 0, with the loops that suit this processor.
  public convenience init(_ configuration: MixerConfiguration = MixerConfiguration()) {
    self.init(configuration, kernel: rt_mix_best_kernel())
  }

  /// A mixer with loops other than the best: for comparing them.
  @_spi(Measuring) public init(_ configuration: MixerConfiguration, kernel: rt_mix_kernel) {
    self.configuration = configuration
    link = .allocate(capacity: 1)
    let slots =
      configuration.effectVoices + configuration.effectReserve + configuration.musicVoices + configuration.musicReserve
    link.initialize(
      to: MixerLink(commandCapacity: configuration.commandCapacity, slots: slots, rate: configuration.rate))
    notes = configuration.keepsNotes ? .allocate(capacity: 1) : nil
    notes?.initialize(to: MixerNotes(rate: configuration.rate))
    mixer = .allocate(capacity: 1)
    mixer.initialize(to: Mixer(configuration, kernel: kernel, link: link, notes: notes))
  }

  deinit {
    mixer.deinitialize(count: 1)
    mixer.deallocate()
    link.deinitialize(count: 1)
    link.deallocate()
    notes?.deinitialize(count: 1)
    notes?.deallocate()
  }

  /// Sends a batch, which takes effect as one: either all of it is seen by a period or none. Returns false, with nothing
  /// sent, while so many commands are under way that it does not fit.
  public func submit(_ batch: [MixerCommand]) -> Bool {
    guard batch.count <= room else { return false }
    if holdsBack {
      heldCommands += batch
      return true
    }
    guard case .taken = link.pointee.commands.show(batch) else { return false }
    submitted += batch.count
    onWork?()
    return true
  }

  /// Sends a batch that begins with played frame `frame`, only if the mixer still takes it before it mixes that.
  public func submit(_ batch: [MixerCommand], unlessPassed frame: Int64) -> Submission {
    guard batch.count <= room else { return .full }
    if holdsBack {
      if witnessPassed?(false) ?? false { return .passed }
      heldCommands += batch
      return .taken
    }
    let submission = link.pointee.commands.show(batch, unlessPassed: frame) { hasRested?(frame) ?? false }
    switch submission {
    case .taken: submitted += batch.count
    case .passed: _ = witnessPassed?(true)
    case .full: return .full
    }
    // Also one that slept past the frame is wanted: it is to say where it is.
    onWork?()
    return submission
  }

  /// How many more commands may be under way.
  public var room: Int {
    let room = configuration.commandCapacity - (submitted - link.pointee.carriedOut.load(ordering: .acquiring))
    return witnessRoom?(room) ?? room
  }

  /// How many pauses may be under way at once.
  public static let mostPauses = 8

  /// How many the mixer has been told of whose frame it has not reached, the one that it stands in not counted.
  public var pausesUnderWay: Int { (link.pointee.pauses.count + 1) / 2 }

  /// Lets the mixer stand before played frame `frame`, faded out by then; where that has passed, as soon as it has faded
  /// out. False while so many pauses are under way.
  public func stand(before frame: Int64) -> Bool { tell(.stand(before: frame)) }

  /// Lets it go on where it stands, fading in, once it has stood for `frames` in all since it began, earlier pauses
  /// included; where that has passed, what should have been heard since is passed over. Call it once after each `stand`.
  public func goOn(afterStanding frames: Int64) -> Bool { tell(.goOn(afterStanding: frames)) }

  private func tell(_ step: PauseStep) -> Bool {
    if holdsBack {
      heldPauses.append(step)
      return true
    }
    guard link.pointee.pauses.push(step) else { return false }
    onWork?()
    return true
  }

  /// Lets the mixer's next call find so much of what is held back; false where there is not so much.
  func handOver(commands: Int, pauses: Int) -> Bool {
    guard 0...heldCommands.count ~= commands, 0...heldPauses.count ~= pauses else { return false }
    guard case .taken = link.pointee.commands.show(Array(heldCommands.prefix(commands))),
      link.pointee.pauses.push(contentsOf: Array(heldPauses.prefix(pauses)))
    else { return false }
    heldCommands.removeFirst(commands)
    heldPauses.removeFirst(pauses)
    return true
  }

  /// Hands over what the mixer has said since the last time, oldest first.
  public func drainEvents(_ body: (MixerEvent) -> Void) {
    while let event = link.pointee.events.pop() { body(event) }
  }

  /// The first played frame that a command submitted now can still reach.
  public var mixedFrame: Int64 { link.pointee.mixedFrame.load(ordering: .acquiring) }

  /// The next output frame to be handed to the device, those included through which the mixer stood.
  public var outputFrame: Int64 { link.pointee.outputFrame.load(ordering: .acquiring) }

  /// Whether events wait for `drainEvents`.
  public var hasEvents: Bool { link.pointee.events.count > 0 }

  /// How the mixer fares. Reading begins a new span for the peak and the limiter's gain.
  public func readStatistics() -> MixerStatistics {
    MixerStatistics(
      activeVoices: link.pointee.activeVoices.load(ordering: .relaxed),
      peak: Float(bitPattern: link.pointee.peak.exchange(0, ordering: .relaxed)),
      limiterGain: Float(
        bitPattern: link.pointee.limiterGain.exchange(Float(1).bitPattern, ordering: .relaxed)),
      brokenFrames: link.pointee.brokenFrames.load(ordering: .relaxed))
  }
}
