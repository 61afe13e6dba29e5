// SPDX-License-Identifier: Apache-2.0

import JSON
import Outcomes

/// One method of the socket: its name, its params and its result, the single source for daemon, client and document.
///
/// `Params` and `Result` are plain structs of JSON values; every instant and duration is a whole number of microseconds
/// in a field whose name ends in `Us`.
public protocol WireMethod: Sendable {
  /// What a request carries; `Empty` for nothing.
  associatedtype Params: Codable & Sendable
  /// What the reply carries; `Empty` for nothing.
  associatedtype Result: Codable & Sendable
  /// What is known of the params besides their types: a struct of `DescribedParam`s; `Empty` for nothing.
  associatedtype Ranges: Sendable = Empty
  /// `noun.verb`.
  static var name: String { get }
  /// One sentence for people.
  static var summary: String { get }
  /// The ranges and defaults that the daemon checks by.
  static var ranges: Ranges { get }
  /// The kinds of errors that it answers besides those of every method; the OpenRPC document lists them.
  static var refusals: [RPCError.Kind] { get }
  /// The params that are long by nature: they do not count into `Limits.requestBytes`.
  static var longParams: [String] { get }
  /// The params whose texts are no names, and may be longer than `Limits.nameBytes`.
  static var longTexts: [String] { get }
  /// Whether what is dear of it may be left to another thread: its client's later lines wait for the reply, nobody else does.
  static var mayBeLeft: Bool { get }
  /// Whether its params may name an instant that a pause moves.
  static var takesInstants: Bool { get }
  /// Puts `moved(instant)`, in microseconds, in place of each instant of `params` that a pause moves.
  static func moveInstants(of params: inout Params, _ moved: (Int64) -> Int64)
  /// The same of what it answers.
  static func moveInstants(in result: inout Result, _ moved: (Int64) -> Int64)
  /// The instant that `params` name for what they ask for, in microseconds; nothing where they name none.
  static func instantAsked(_ params: Params) -> Int64?
  /// Whether `params` ask that it be moved to where the music comes to a beat.
  static func isQuantised(_ params: Params) -> Bool
  /// Writes what it answers as JSON, as an `Encoder` does; throws where a number is not finite.
  static func write(_ result: Result, to writer: inout JSONWriter) throws
}

extension WireMethod {
  /// None.
  public static var longParams: [String] { [] }
  /// None.
  public static var longTexts: [String] { [] }
  /// None.
  public static var refusals: [RPCError.Kind] { [] }
  /// Served at once.
  public static var mayBeLeft: Bool { false }
  /// By its `encode(to:)`.
  public static func write(_ result: Result, to writer: inout JSONWriter) throws { try writer.write(result) }

  /// Every kind of error that it may answer.
  public static var kindsOfErrors: [RPCError.Kind] {
    RPCError.Kind.ofEveryMethod + refusals + (takesInstants ? [.paused] : [])
  }
}

/// One kind of notification: pushed only to clients that subscribed to its topic.
public protocol WireNotification: Codable, Sendable {
  /// `noun.verb`.
  static var name: String { get }
  /// The topic that carries it.
  static var topic: Topic { get }
  /// One sentence for people.
  static var summary: String { get }
  /// Puts `moved(instant)`, in microseconds, in place of each instant besides `tUs` that a pause moves.
  mutating func moveInstants(_ moved: (Int64) -> Int64)
  /// Whose life it is a stage of, where that can be explained.
  var traced: (kind: TraceKind, id: Int64)? { get }
  /// Writes it as JSON, as an `Encoder` does; throws where a number is not finite.
  func write(to writer: inout JSONWriter) throws
}

extension WireNotification {
  /// By its `encode(to:)`.
  public func write(to writer: inout JSONWriter) throws { try writer.write(self) }

  /// Nobody's.
  public var traced: (kind: TraceKind, id: Int64)? { nil }
}

/// What a client can subscribe to.
public enum Topic: String, Codable, Sendable, CaseIterable {
  /// `music.changed`.
  case music
  /// The beats and markers of the music: ahead, at their instants, and those that will not be after all.
  case beats
  /// `sound.finished`.
  case sound
  /// `haptics.changed`, `haptics.level` and `haptics.unheard`.
  case haptics
  /// The chapter's spawns, beats, judgements, help and end; what bound controls do.
  case rhythm
  /// `cue.fired` and `cue.cancelled`.
  case cue
  /// `parameter.changed`.
  case parameter
  /// `settings.changed`.
  case settings
  /// `devices.changed`.
  case devices
  /// `timeline.corrected`.
  case timeline
  /// `engine.problem`, `engine.paused` and `engine.resumed`.
  case engine
  /// `pack.loading`.
  case packs
}

/// No params, or nothing to answer.
public struct Empty: Codable, Sendable, Equatable {
  /// `{}`.
  public init() {}
}
