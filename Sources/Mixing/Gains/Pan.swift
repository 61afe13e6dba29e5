// SPDX-License-Identifier: Apache-2.0

import CRealTime

/// Equal-power panning: the factors of the left and right channel for a place from -1 to 1.
///
/// left = sqrt(2) cos(pi (p + 1) / 4), right = sqrt(2) sin(pi (p + 1) / 4): left^2 + right^2 = 2 everywhere. The centre
/// is exactly 1, so that a voice that is not panned keeps its bits.
@_noLocks func panGains(_ place: Float) -> (left: Float, right: Float) {
  if !(place > -1) { return place <= -1 ? (rt_sqrtf(2), 0) : (1, 1) }
  if place >= 1 { return (0, rt_sqrtf(2)) }
  if place == 0 { return (1, 1) }
  let angle = Float.pi / 4 * (place + 1)
  return (rt_sqrtf(2) * rt_cosf(angle), rt_sqrtf(2) * rt_sinf(angle))
}
