import FoundationEssentials

/// Larger files are refused unread: a manifest is a few kilobytes.
private let maximumBytes = 8 << 20

/// Decodes a pack's JSON file; whatever goes wrong names the file and the field.
func decode<Value: Decodable>(
  _ type: Value.Type, from bytes: [UInt8], path: String
) throws(PackError) -> Value {
  guard bytes.count <= maximumBytes else {
    throw PackError(.syntax, path: path, "is larger than \(maximumBytes >> 20) MiB")
  }
  do {
    return try JSONDecoder().decode(Value.self, from: Data(bytes))
  } catch let error as FieldError {
    throw PackError(
      error.code, path: path, field: dotted(error.path), error.reason, candidates: error.candidates)
  } catch let error as DecodingError {
    throw packError(error, path: path, bytes: bytes)
  } catch {
    throw PackError(.syntax, path: path, "cannot be read: \(error)")
  }
}

/// A coding path as people write it: `cues.segment-lock.steps[1].sound`.
func dotted(_ path: [any CodingKey]) -> String {
  var text = ""
  for key in path {
    if let index = key.intValue {
      text += "[\(index)]"
    } else {
      text += (text.isEmpty ? "" : ".") + key.stringValue
    }
  }
  return text
}

private func packError(_ error: DecodingError, path: String, bytes: [UInt8]) -> PackError {
  switch error {
  case .keyNotFound(let key, let context):
    PackError(.missingField, path: path, field: dotted(context.codingPath + [key]), "is missing")
  case .valueNotFound(_, let context):
    PackError(.missingField, path: path, field: dotted(context.codingPath), "is null; give it a value or leave it out")
  case .typeMismatch(let type, let context):
    PackError(.wrongType, path: path, field: dotted(context.codingPath), "must be " + noun(for: type))
  case .dataCorrupted(let context):
    if let fault = jsonSyntaxFault(in: bytes) {
      PackError(.syntax, path: "\(path):\(fault.line):\(fault.column)", fault.reason)
    } else {
      PackError(
        .syntax, path: path, field: dotted(context.codingPath), "holds a number out of range, or half a surrogate pair")
    }
  @unknown default: PackError(.syntax, path: path, "cannot be read: \(error)")
  }
}

/// What JSON calls a value of that type.
private func noun(for type: any Any.Type) -> String {
  switch type {
  case is String.Type: "text"
  case is Bool.Type: "true or false"
  case is Double.Type: "a number"
  case is [Any].Type: "a list"
  default: "an object"
  }
}
