// SPDX-License-Identifier: Apache-2.0

/// How taps are judged. All lengths are whole microseconds.
public struct RhythmRules: Equatable, Sendable {
  /// Help for a player who misses: from the declaration of miss number `misses` on, later beats have `window`.
  public struct Assist: Equatable, Sendable {
    /// How many misses, in all, bring the help.
    public var misses: Int
    /// Half-width of the wider window, at least that of the plain one.
    public var window: Int64

    /// Help after `misses` misses with windows of +-`window` microseconds.
    public init(misses: Int = 5, window: Int64 = 300_000) {
      self.misses = misses
      self.window = window
    }
  }

  /// Half-width of a beat's window, inclusive at both edges.
  public var window: Int64
  /// The help, or nil for none.
  public var assist: Assist?
  /// How long after its cell's end a miss is declared, so that a tap stamped in time may still arrive.
  /// At least 1: at the declaration itself a tap is too late, and the last instant of a cell has to count.
  public var grace: Int64
  /// Names for hits by their error, the narrowest first, all inside the window.
  public var grades: [Grade] = []
  /// How far ahead of its beat a spawn is told.
  public var spawnLead: Int64
  /// How long the chapter lasts.
  public var length: Int64
  /// How far ahead of now a tap's stamp may lie: clocks are read twice.
  public var futureTolerance: Int64

  /// Rules with the standard values for what is not named: +-150 ms, +-300 ms after 5 misses, 50 ms grace, 2 s spawn
  /// lead, 45 s, 2 ms tolerance.
  ///
  /// Throws where a length is negative or beyond `BeatMap.maximumLength`, the help is narrower than the window, or a grade
  /// is wider than it or not wider than the grade before.
  public init(
    window: Int64 = 150_000, assist: Assist? = Assist(), grace: Int64 = 50_000, spawnLead: Int64 = 2_000_000,
    length: Int64 = 45_000_000, futureTolerance: Int64 = 2_000, grades: [Grade] = []
  ) throws(RhythmRulesError) {
    let fields = [
      ("window", window, 1), ("grace", grace, 1), ("spawnLead", spawnLead, 0), ("length", length, 1),
      ("futureTolerance", futureTolerance, 0), ("assist.window", assist?.window ?? window, window),
      ("assist.after", Int64(assist?.misses ?? 1), 1),
    ]
    for (field, value, least) in fields where value < least || value > BeatMap.maximumLength {
      throw RhythmRulesError(field: field, value: value, least: least)
    }
    for (index, grade) in grades.enumerated() {
      let least = index == 0 ? 1 : grades[index - 1].window + 1
      guard grade.window >= least, grade.window <= window else {
        throw RhythmRulesError(field: "grades." + grade.name, value: grade.window, least: least)
      }
    }
    self.window = window
    self.assist = assist
    self.grades = grades
    self.grace = grace
    self.spawnLead = spawnLead
    self.length = length
    self.futureTolerance = futureTolerance
  }

  /// The standard values.
  public static var standard: RhythmRules { RhythmRules() }

  private init() {
    (window, assist, grace) = (150_000, Assist(), 50_000)
    (spawnLead, length, futureTolerance) = (2_000_000, 45_000_000, 2_000)
  }
}

/// A rule outside its range.
public struct RhythmRulesError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The rule as packs spell it.
  public var field: String
  /// What was asked for, in microseconds (misses for `assist.after`).
  public var value: Int64
  /// The least it may be.
  public var least: Int64

  /// What is wrong with the value, without the rule's name.
  public var reason: String {
    if value > BeatMap.maximumLength { return "is longer than a day" }
    return field == "assist.after" ? "is \(value); the least is \(least)" : "is \(value) us; the least is \(least) us"
  }

  /// The rule and what is wrong with it.
  public var description: String { "\(field) \(reason)" }
}
