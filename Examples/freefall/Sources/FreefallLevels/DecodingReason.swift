// SPDX-License-Identifier: Apache-2.0

extension Error {
  /// What a JSON decoder could not read, with the field it stood in.
  var reason: String {
    guard let error = self as? DecodingError else { return "it cannot be read" }
    switch error {
    case .keyNotFound(let key, let context): return "\((context.codingPath + [key]).path) is missing"
    case .typeMismatch(_, let context), .valueNotFound(_, let context):
      return "\(context.codingPath.path) has another type"
    case .dataCorrupted(let context):
      return context.codingPath.isEmpty ? "it is not JSON" : "\(context.codingPath.path) has no such value"
    @unknown default: return "it cannot be read"
    }
  }
}

extension [any CodingKey] {
  fileprivate var path: String {
    var path = ""
    for key in self {
      if let index = key.intValue { path += "[\(index)]" } else { path += (path.isEmpty ? "" : ".") + key.stringValue }
    }
    return path.isEmpty ? "the whole" : path
  }
}
