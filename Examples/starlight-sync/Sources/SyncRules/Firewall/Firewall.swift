// SPDX-License-Identifier: Apache-2.0

/// Chapter 4: noise comes from three sides on the beat. The daemon judges, plays and helps; here is what it told.
public struct Firewall: Equatable, Sendable {
  public let rules: FirewallRules
  /// The run that is played; nil until the daemon has begun it.
  public private(set) var run: Int64?
  /// What is in sight, by its beat.
  public private(set) var noises: [Int: Noise] = [:]
  public private(set) var hits = 0
  public private(set) var misses = 0
  /// Not to be shown: help is silent.
  public private(set) var isHelping = false
  /// When it was done; nil until then.
  public private(set) var completedUs: Int64?
  /// When the run is asked for again, after one that somebody stopped.
  private var askAgainUs: Int64?

  /// On its way in: it is drawn from `spawnUs` to `beatUs`, when it arrives.
  public struct Noise: Equatable, Sendable {
    public let lane: Lane
    public let spawnUs: Int64
    public let beatUs: Int64
  }

  init(rules: FirewallRules) { self.rules = rules }

  /// Taps are the daemon's to judge; before the run and after it there is nobody to ask.
  func act(_ act: Act, atUs us: Int64) -> [Outcome] {
    guard case .tap(let lane) = act, let run else { return [] }
    return [.tap(lane, run: run, atUs: us)]
  }

  /// What was told at `us`. A run that somebody stopped was not survived: it is asked for anew.
  mutating func tell(_ telling: Telling, atUs us: Int64) {
    guard completedUs == nil else { return }
    switch telling {
    case .started(let run) where run != self.run:
      self = Firewall(rules: rules)
      self.run = run
    case .spawned(let beat, let lane, let spawnUs, let beatUs, let run) where run == self.run:
      noises[beat] = Noise(lane: lane, spawnUs: spawnUs, beatUs: beatUs)
    case .judged(let verdict, let beat, let run) where run == self.run:
      if verdict == .hit { hits += 1 }
      if verdict == .miss { misses += 1 }
      if let beat { noises[beat] = nil }
    case .helped(let run) where run == self.run: isHelping = true
    case .ended(let isStopped, let run) where run == self.run:
      self.run = nil
      noises = [:]
      if isStopped {
        askAgainUs = us + rules.askAgainUs
      } else {
        completedUs = us
      }
    default: break
    }
  }

  mutating func advance(toUs us: Int64) -> [Outcome] {
    guard let askAgainUs, askAgainUs <= us else { return [] }
    self.askAgainUs = nil
    return [.startChapter(rules.chapter, atUs: askAgainUs)]
  }
}
