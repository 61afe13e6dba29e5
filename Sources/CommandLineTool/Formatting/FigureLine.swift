// SPDX-License-Identifier: Apache-2.0

/// Figures side by side, in the first of some wordings for which there is room; in the last where there is none.
///
/// Each wording takes less room than the one before: its figures are shorter, or the least of them is gone.
func figureLine(_ wordings: [[String]], width: Int) -> String {
  let lines = wordings.map { "  " + $0.joined(separator: "   ") }
  return lines.first { columnCount($0) <= width } ?? lines.last ?? ""
}
