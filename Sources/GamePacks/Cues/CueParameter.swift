// SPDX-License-Identifier: Apache-2.0

import Timing

/// How a cue sets a parameter.
public struct CueParameter: Equatable, Sendable {
  /// The parameter.
  public var parameter: String
  /// What it becomes, 0 to 1.
  public var value: Double
  /// How long that takes.
  public var over: Interval
  /// Whether all that it drives is felt.
  public internal(set) var isFelt = false

  /// What it takes where nothing is said.
  public static let standardOver = Interval.milliseconds(10)
}

extension CueParameter {
  init(_ fields: PackFields<PackCue.Step.Keys>) {
    parameter = fields.name(.parameter)
    value = fields.number(.value)
    over = fields.optionalSeconds(.over) ?? Self.standardOver
  }
}

extension PackCue {
  /// The same, knowing what the parameters that its steps set drive.
  func knowing(_ parameters: [String: PackParameter]) -> PackCue {
    var cue = self
    for index in cue.steps.indices {
      guard case .parameter(var step) = cue.steps[index].action else { continue }
      step.isFelt = parameters[step.parameter]?.isFelt ?? false
      cue.steps[index].action = .parameter(step)
    }
    return cue
  }
}
