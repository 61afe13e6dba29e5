// SPDX-License-Identifier: Apache-2.0

import Wire

/// What a line asks for of what it plays when its client goes.
struct Lifetime {
  /// Whether it repeats.
  var loops: Bool
  /// How much longer it is kept where it repeats or has not begun.
  var keptUs: Int64

  /// As it is written in a line; as where nothing is said of it, where that cannot be read.
  init(of line: [UInt8]) {
    let params = try? decodeJSON(Line.self, from: line[...]).params
    loops = params?.loop ?? false
    keptUs = params?.keepAfterDisconnectUs ?? 0
  }

  private struct Line: Decodable {
    struct Params: Decodable {
      var loop: Bool?
      var keepAfterDisconnectUs: Int64?
    }

    var params: Params?
  }
}
