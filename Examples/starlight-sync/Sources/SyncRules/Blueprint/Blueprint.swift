// SPDX-License-Identifier: Apache-2.0

/// Chapter 5: the nodes of a heart are connected in their order by dragging from the last one to the next.
public struct Blueprint: Equatable, Sendable {
  public let rules: BlueprintRules
  /// Where each node is.
  public let places: [Point]
  public private(set) var state: State = .waiting
  /// How many nodes are connected; the first is from the beginning.
  public private(set) var connected = 1
  /// Where the line is drawn to; nil where none is drawn from the last node.
  public private(set) var finger: Point?
  /// The last error: the line snaps back from there.
  public private(set) var snap: Snap?
  /// Since when the next node pulses; nil where it does not.
  public private(set) var pulsesSinceUs: Int64?
  /// When it was left by CONTINUE; nil until then.
  public private(set) var completedUs: Int64?
  private var isDragging = false
  /// Where the finger was looked at last.
  private var last: Point?
  /// The node that the finger is at.
  private var node: Int?
  private var touchedUs: Int64 = 0

  /// How far the chapter is.
  public enum State: Equatable, Sendable {
    /// BEGIN stands.
    case waiting
    case playing
    /// All are connected; CONTINUE stands.
    case won
    /// CONTINUE was pressed.
    case left
  }

  /// A line on its way back.
  public struct Snap: Equatable, Sendable {
    public let from: Point
    public let sinceUs: Int64
  }

  /// How the next node looks.
  public struct Pulse: Equatable, Sendable {
    public let scale: Double
    public let opacity: Double
  }

  init(rules: BlueprintRules) {
    self.rules = rules
    places = (0..<rules.nodes).map(rules.place)
  }

  /// The end of the line that is drawn from the last node: at the finger, or on its way back after an error.
  public func lineEnd(atUs us: Int64) -> Point? {
    guard let snap else { return finger }
    let part = Units.part(of: rules.snapBackUs, sinceUs: snap.sinceUs, atUs: us)
    return part < 1 ? snap.from.towards(places[connected - 1], part: part) : finger
  }

  /// How the next node looks at `us`; nil where it does not pulse.
  public func pulse(atUs us: Int64) -> Pulse? {
    guard let pulsesSinceUs, us >= pulsesSinceUs else { return nil }
    let (past, wayUs) = (us - pulsesSinceUs, max(rules.pulseUs, 1))
    let way = Units.part(of: wayUs, sinceUs: 0, atUs: past % wayUs)
    let part = (past / wayUs).isMultiple(of: Units.thereAndBack) ? way : 1 - way
    return Pulse(
      scale: 1 + (rules.pulseScale - 1) * part, opacity: rules.restingOpacity + (1 - rules.restingOpacity) * part)
  }

  mutating func advance(toUs us: Int64) {
    guard state == .playing, pulsesSinceUs == nil, us - touchedUs >= rules.helpAfterUs else { return }
    pulsesSinceUs = touchedUs + rules.helpAfterUs
  }

  mutating func act(_ act: Act, atUs us: Int64) -> [Outcome] {
    advance(toUs: us)
    switch (state, act) {
    case (.waiting, .begin):
      state = .playing
      touchedUs = us
    case (.won, .proceed):
      (state, completedUs) = (.left, us)
      return [.cue(.blueprintLeft, atUs: us)]
    case (.playing, .touch(let point)) where isNear(point): begin(at: point, atUs: us)
    case (.playing, .drag(let point)) where isNear(point):
      touched(atUs: us)
      return drag(to: point, atUs: us)
    case (.playing, .release):
      touched(atUs: us)
      (isDragging, finger, last, node) = (false, nil, nil, nil)
    default: break
    }
    return []
  }

  private func isNear(_ point: Point) -> Bool { abs(point.x) <= rules.reach && abs(point.y) <= rules.reach }

  private mutating func touched(atUs us: Int64) {
    touchedUs = us
    pulsesSinceUs = nil
  }

  /// A drag begins at the last node that is connected; anywhere else a touch is one that draws nothing.
  private mutating func begin(at point: Point, atUs us: Int64) {
    touched(atUs: us)
    isDragging = point.isWithin(rules.hitRadius, of: places[connected - 1])
    finger = isDragging ? point : nil
    (last, snap) = (point, nil)
    node = node(at: point)
  }

  /// The node that is hit there: where circles overlap the expected one, else the nearest.
  private func node(at point: Point) -> Int? {
    let hit = places.indices.filter { point.isWithin(rules.hitRadius, of: places[$0]) }
    if hit.contains(connected) { return connected }
    return hit.min { point.distance(to: places[$0]) < point.distance(to: places[$1]) }
  }

  /// Looks at the whole way there, so that a quick finger passes no node.
  private mutating func drag(to point: Point, atUs us: Int64) -> [Outcome] {
    guard isDragging, let from = last else { return [] }
    var outcomes: [Outcome] = []
    let looks = max(Int((from.distance(to: point) / rules.lookEvery).rounded(.up)), 1)
    for look in 0..<looks where state == .playing {
      outcomes += enter(from.towards(point, part: Double(look + 1) / Double(looks)), atUs: us)
    }
    last = point
    return outcomes
  }

  private mutating func enter(_ point: Point, atUs us: Int64) -> [Outcome] {
    let before = node
    node = node(at: point)
    if finger != nil { finger = point }
    guard let node, node >= connected else { return [] }
    guard node == connected else {
      guard node != before else { return [] }
      snap = Snap(from: point, sinceUs: us)
      finger = nil
      return [.cue(.wrong, atUs: us)]
    }
    connected += 1
    (finger, snap) = (point, nil)
    if connected == places.count { (state, finger, isDragging) = (.won, nil, false) }
    return [.cue(.connect, atUs: us)]
  }
}
