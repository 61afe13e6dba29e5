// SPDX-License-Identifier: Apache-2.0

import JSON

/// Why that is not the name of a file inside the pack; nil where it is.
public func refusalOfFileName(_ name: String) -> String? {
  let parts = name.split(separator: "/", omittingEmptySubsequences: false)
  if name.isEmpty { return "is empty; name a file inside the pack" }
  if name.utf8.count > 255 { return "is longer than 255 bytes" }
  if name.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) { return "holds a control character" }
  if name.hasPrefix("/") { return "\"\(excerpt(name))\" is absolute; files are named relative to the pack" }
  if parts.contains("..") { return "\"\(excerpt(name))\" leaves the pack; keep the file inside it" }
  if parts.contains("") || parts.contains(".") { return "\"\(excerpt(name))\" has an empty part" }
  return nil
}

/// The most bytes of a pack's name: with a colon and the longest name of what is in it these are the 128 that any name may
/// have on the socket.
let longestPackName = 63
/// Of any other name.
let longestName = 64

/// Whether a thing may be called that: 1 to 64 of a-z, 0-9, _ and -.
func isName(_ name: String, most: Int = longestName) -> Bool {
  (1...most).contains(name.utf8.count)
    && name.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"),
        UInt8(ascii: "-"):
        true
      default: false
      }
    }
}

extension PackFile {
  /// Notes where the name of the value at `index`, which stands at `place` if not in the value itself, is none.
  func checkName(_ name: String, of index: Int, at place: Int? = nil) {
    if isName(name) { return }
    note(.invalidValue, at: index, from: place, refusalOfName(name), advice: adviceOnNames)
  }
}

/// What to do about a name that is none.
let adviceOnNames = "use small letters, digits, _ and - alone, as in \"first_bell\""

/// Why a pack may not be called that; nil where it may.
public func refusalOfPackName(_ name: String) -> String? {
  isName(name, most: longestPackName) ? nil : refusalOfName(name, most: longestPackName)
}

/// Why a thing may not be called that.
func refusalOfName(_ name: String, most: Int = longestName) -> String {
  "\"\(excerpt(name))\" is no name; use 1 to \(most) of a-z, 0-9, _ and -"
}
