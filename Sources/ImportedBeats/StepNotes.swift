// SPDX-License-Identifier: Apache-2.0

import Problems

/// The notes of a chart: measures with commas between, each of as many rows as it likes.
struct StepNotes {
  /// A tap: its row, of which a beat has 48, and its column.
  struct Tap {
    var row: Int
    var column: Int
  }

  /// Ascending by row.
  private(set) var taps: [Tap] = []
  /// How many columns there are.
  private(set) var width = 0

  /// Rows of a measure, and of a beat.
  private static let rowsOfMeasure = 192

  init(_ data: ArraySlice<UInt8>, _ text: BeatText) throws(Problem) {
    for (measure, part) in data.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).enumerated() {
      let rows = part.split(separator: 0x0A).map { trimmed($0) }.filter { !$0.isEmpty }
      for (index, row) in rows.enumerated() {
        let columns = Self.columns(of: row)
        if width == 0 { width = columns.count }
        guard columns.count == width, (1...32).contains(width) else {
          throw text.fault(
            at: row.startIndex,
            "a row of notes has \(columns.count) columns; "
              + (columns.count == width ? "the most is 32" : "those before it have \(width)"))
        }
        // As StepMania does: to the nearest row of 192.
        let place = measure * Self.rowsOfMeasure + (index * Self.rowsOfMeasure * 2 + rows.count) / (rows.count * 2)
        for (column, note) in columns.enumerated() {
          switch note {
          case UInt8(ascii: "1"), UInt8(ascii: "2"), UInt8(ascii: "4"): taps.append(Tap(row: place, column: column))
          case UInt8(ascii: "0"), UInt8(ascii: "3"), UInt8(ascii: "M"), UInt8(ascii: "L"), UInt8(ascii: "F"),
            UInt8(ascii: "K"), UInt8(ascii: "A"), UInt8(ascii: "N"):
            break
          default:
            throw text.fault(at: row.startIndex, "a row of notes holds \(text.shown([note])), which is none")
          }
        }
      }
    }
  }

  /// Without what stands in brackets behind a note: its sound, or an attack.
  private static func columns(of row: ArraySlice<UInt8>) -> [UInt8] {
    var depth = 0
    return row.filter { byte in
      switch byte {
      case UInt8(ascii: "["), UInt8(ascii: "{"):
        depth += 1
        return false
      case UInt8(ascii: "]"), UInt8(ascii: "}"):
        depth -= 1
        return false
      default: return depth == 0
      }
    }
  }
}
