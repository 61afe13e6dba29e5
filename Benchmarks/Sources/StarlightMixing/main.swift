// SPDX-License-Identifier: Apache-2.0

import Glibc

// The mixer by the rules of Peers/harness.h, whose numbers and lines of output are repeated here.

private let usage = """
  usage: StarlightMixing VOICES ramped|steady|limited|pitched|short [alone|int16]
         StarlightMixing VOICES limiter
         StarlightMixing VOICES plain|plain-alone LIBRARY
  alone, plain-alone: without the limiter and what it looks ahead. int16: from sources of 16-bit integers.
  limiter: what the limiter costs while it reduces, in pairs of slices with and without.
  plain: beside the plain kernel in LIBRARY, in pairs of slices.
  """

private let arguments = CommandLine.arguments.dropFirst()
private let voices = arguments.first.flatMap { Int($0) } ?? 0

private let words = Array(arguments.dropFirst())

if voices > 0, let row = words.first.flatMap(Row.init), let way = Way(words.dropFirst()) {
  runAlone(voices, row, way)
} else if voices > 0, words == ["limiter"] {
  measureLimiter(voices)
} else if voices > 0, words.count == 2, ["plain", "plain-alone"].contains(words[0]) {
  comparePlain(voices, library: words[1], alone: words[0] == "plain-alone")
} else {
  print(usage)
  exit(2)
}
