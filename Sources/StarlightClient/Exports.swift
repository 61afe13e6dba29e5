// SPDX-License-Identifier: Apache-2.0

// The types that the socket speaks, so that a game imports this module alone.
@_exported import Fades
@_exported import Outcomes
@_exported import Problems
@_exported import Wire
