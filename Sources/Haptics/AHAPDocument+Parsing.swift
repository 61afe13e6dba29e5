extension AHAPDocument {
  /// Reads an AHAP file as Core Haptics would: missing entries take their defaults, values out of range are clamped,
  /// what is unknown is ignored. Each of these is a diagnostic. `name` is used in errors only.
  ///
  /// Throws when there is nothing to play: no JSON, no Pattern, or a file beyond `AHAPLimits`. Takes time and memory in
  /// proportion to the bytes, whatever they are.
  public static func parse(
    _ bytes: [UInt8], name: String
  ) throws(AHAPError) -> (document: AHAPDocument, diagnostics: [AHAPDiagnostic]) {
    let reader = try AHAPReader.reading(bytes, name: name)
    return (reader.document, reader.findings.diagnostics(in: bytes))
  }

  /// Where an AHAP file first names the sound file `path`; nil when it does not, or cannot be read.
  public static func position(ofWaveform path: String, in bytes: [UInt8]) -> TextPosition? {
    waveforms(in: bytes).first { $0.path == path }?.position
  }

  /// The sound files that an AHAP file names, where each is named first, in that order; none when it cannot be read.
  public static func waveforms(in bytes: [UInt8]) -> [(path: String, position: TextPosition)] {
    guard let reader = try? AHAPReader.reading(bytes, name: "") else { return [] }
    let named = reader.waveformOffsets.sorted { $0.value < $1.value }
    return Array(zip(named.map(\.key), TextPosition.positions(of: named.map(\.value), in: bytes)))
  }
}

extension AHAPReader {
  /// A reader that has read `bytes`.
  static func reading(_ bytes: [UInt8], name: String) throws(AHAPError) -> AHAPReader {
    if bytes.count > AHAPLimits.bytes {
      throw AHAPError(
        name: name, line: 1, column: 1, code: "too-large",
        reason: "the file has more than \(AHAPLimits.bytes) bytes, as many as are read",
        remedy: "split it into several patterns")
    }
    if let failure = invalidUTF8(bytes) { throw AHAPError(failure, in: bytes, name: name) }
    let hasMark = bytes.starts(with: byteOrderMark)
    do {
      let scanner = try JSONScanner(
        bytes, from: hasMark ? byteOrderMark.count : 0, depthLimit: AHAPLimits.depth)
      var reader = AHAPReader(scanner)
      if hasMark {
        reader.findings.add(
          .note, "byte-order-mark", at: 0, "the file begins with a byte order mark", apple: "skips it",
          fix: "save it as UTF-8 without a mark", isFixable: true)
      }
      try reader.read()
      return reader
    } catch {
      throw AHAPError(error, in: bytes, name: name)
    }
  }
}

extension AHAPError {
  fileprivate init(_ failure: JSONScanner.Failure, in bytes: [UInt8], name: String) {
    let position = TextPosition.positions(of: [failure.offset], in: bytes)[0]
    self.init(
      name: name, line: position.line, column: position.column, code: failure.code, reason: failure.reason,
      remedy: failure.remedy)
  }
}

/// Where `bytes` stop being UTF-8; nil when they are all UTF-8.
private func invalidUTF8(_ bytes: [UInt8]) -> JSONScanner.Failure? {
  do {
    _ = try UTF8Span(validating: bytes.span)
    return nil
  } catch {
    if let kind = soundFileKind(bytes) {
      return JSONScanner.Failure(
        offset: 0, code: "sound-file", reason: "this is a sound file (\(kind)), not a pattern",
        remedy: "make a pattern of it first: `starlight convert SOUND OUT.ahap`")
    }
    let isUTF16 = bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])
    return JSONScanner.Failure(
      offset: error.byteOffsets.lowerBound, code: "not-utf8", reason: isUTF16 ? "this is UTF-16" : "this is not UTF-8",
      remedy: "save the file as UTF-8" + (isUTF16 ? " (iconv -f UTF-16 -t UTF-8)" : ""))
  }
}
