// SPDX-License-Identifier: Apache-2.0

import FreefallFrontEnd

/// Whether all that a game was to store is, a while later at most.
func isStored<Chance>(_ frontEnd: inout FrontEnd<Chance>, within limit: Duration = .seconds(60)) -> Bool {
  frontEnd.finish(within: limit)
}
