// SPDX-License-Identifier: Apache-2.0

import Timing
import Wire

/// What becomes of parameters, as clients are told.
extension Engine {
  mutating func tell(_ setting: ParameterCourse.Setting, of number: Int) {
    let name = parameters.parameters[number].key.description
    notify(
      ParameterChanged(parameter: name, value: setting.value, overUs: setting.over.microseconds), at: setting.at,
      by: setting.cause, coalescingKey: ParameterChanged.name + " " + name)
  }
}
