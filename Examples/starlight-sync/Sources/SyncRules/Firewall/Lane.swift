// SPDX-License-Identifier: Apache-2.0

/// The side that noise comes from; its raw value is the lane's name in the pack.
public enum Lane: String, CaseIterable, Sendable {
  case left, right, top
}
