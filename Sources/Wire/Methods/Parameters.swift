// SPDX-License-Identifier: Apache-2.0

/// Has a parameter move to a value from an instant on, and all that follows it with it.
public enum ParameterSet: WireMethod {
  public static let name = "parameter.set"
  public static let summary =
    "Moves a pack's parameter, and all that it drives by curves, to a value in a straight line, over 10 ms by default."
  public static let refusals: [RPCError.Kind] = [.unknownName, .unavailable, .busy]

  public struct Params: QuantisedParams, Codable, Sendable, Equatable {
    /// `pack:parameter`, or a bare name of the pack that the client uses.
    public var parameter: String
    /// The value that it moves to, 0...1.
    public var value: Double
    /// The instant at which it begins to move; as soon as all that it drives can follow when missing.
    public var atUs: Int64?
    /// Lets it begin to move on the next `beat` or `bar` of the music, or on one of its track's markers, by name.
    public var quantise: Quantise?
    /// How long it takes to get there; at least 5 ms unless it drives touch alone.
    public var overUs: Int64?

    /// Moves `parameter` to `value`.
    public init(
      parameter: String, value: Double, atUs: Int64? = nil, quantise: Quantise? = nil, overUs: Int64? = nil
    ) {
      self.parameter = parameter
      self.value = value
      self.atUs = atUs
      self.quantise = quantise
      self.overUs = overUs
    }
  }

  public static let ranges = Ranges()
  public struct Ranges: Sendable {
    /// What it becomes.
    public let value = RangedParam("value", in: 0...1.0)
    /// How long it takes.
    public let over = OptionalParam(
      "overUs", in: fadeLengths, default: 10_000, hint: "a parameter moves for at most a minute")
  }

  public typealias Result = Scheduled
}

/// Lists the parameters of all packs.
public enum ParameterList: WireMethod {
  public static let name = "parameter.list"
  public static let summary =
    "Lists the parameters of all packs, their values now and where they move to, in the order of `pack.list`, a page at a time."
  public static let refusals: [RPCError.Kind] = [.unknownName]

  /// How many bytes those that are listed at once come to at most.
  public static let pageBytes = 1 << 15

  public struct Params: Codable, Sendable, Equatable {
    /// The last parameter of the page before, `pack:parameter`; the first page when missing.
    public var after: String?

    public init(after: String? = nil) { self.after = after }
  }

  public struct Result: CarriesInstants, Codable, Sendable, Equatable {
    /// The instant that the values are of.
    public var atUs: Int64
    /// The parameters, by pack and name.
    public var parameters: [Parameter]
    /// Whether more follow: ask again with the last of these as `after`.
    public var more: Bool

    public init(atUs: Int64, parameters: [Parameter], more: Bool) {
      self.atUs = atUs
      self.parameters = parameters
      self.more = more
    }

    /// What its values are of, and when those that move are there.
    public mutating func moveInstants(_ moved: (Int64) -> Int64) {
      atUs = moved(atUs)
      for index in parameters.indices { parameters[index].untilUs = parameters[index].untilUs.map(moved) }
    }
  }

  /// A parameter with where it is and where it is on its way to.
  public struct Parameter: Codable, Sendable, Equatable {
    /// Its name, `pack:parameter`.
    public var parameter: String
    /// Its value at `atUs`, 0...1.
    public var value: Double
    /// Its value before anybody set it.
    public var `default`: Double
    /// The value that it moves to; its value where it stands.
    public var target: Double
    /// When it gets there; missing where it stands.
    public var untilUs: Int64?
    /// How many settings of it are to come.
    public var planned: Int

    public init(
      parameter: String, value: Double, default: Double, target: Double, untilUs: Int64? = nil, planned: Int = 0
    ) {
      self.parameter = parameter
      self.value = value
      self.default = `default`
      self.target = target
      self.untilUs = untilUs
      self.planned = planned
    }
  }
}

/// A parameter begins to move.
public struct ParameterChanged: WireNotification {
  public static let name = "parameter.changed"
  public static let topic = Topic.parameter
  public static let summary = "From `tUs` on a parameter moves to `value`, in a straight line from wherever it is."

  /// Its name, `pack:parameter`.
  public var parameter: String
  /// The value that it moves to, 0...1.
  public var value: Double
  /// How long it takes to get there.
  public var overUs: Int64

  /// `parameter` moves to `value`.
  public init(parameter: String, value: Double, overUs: Int64) {
    self.parameter = parameter
    self.value = value
    self.overUs = overUs
  }
}
