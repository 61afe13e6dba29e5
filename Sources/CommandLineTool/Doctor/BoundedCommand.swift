// SPDX-License-Identifier: Apache-2.0

/// What a program prints to its standard output; nil when it is not there, fails, or takes longer than `seconds`.
///
/// It is found by $PATH, reads nothing, and what it complains of is dropped.
func output(of words: [String], seconds: Int64) -> String? {
  guard let result = try? runChild(words, seconds: seconds), result.code == 0 else { return nil }
  return String(decoding: result.output, as: UTF8.self)
}
