// SPDX-License-Identifier: Apache-2.0

import FuzzSupport
import Haptics
import PatternTools
import Timing

/// Reads, compiles, samples, mends and writes an AHAP file.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = bytes(data, count)
  let findings = AHAPLint.check(input, name: "input")
  checkPlaces(of: findings, in: input)
  guard let (document, diagnostics) = try? AHAPDocument.parse(input, name: "input") else {
    require(findings.map(\.severity) == [.error], "what cannot be read has one finding, not \(findings)")
    require((try? AHAPLint.fix(input, name: "input")) == nil, "what cannot be read was mended")
    return 0
  }
  require(findings == diagnostics, "the lint says other things than the reader")
  let pattern = HapticPattern(document)
  checkLevels(of: pattern)
  checkWriting(document, pattern)
  checkCanonical(input, document)
  checkMending(input, document, diagnostics)
  return 0
}

private func checkPlaces(of findings: [AHAPDiagnostic], in input: [UInt8]) {
  let lines = input.count { $0 == 0x0A || $0 == 0x0D } + 1
  for finding in findings {
    require((1...lines).contains(finding.line), "\(finding) is on no line")
    require((1...(input.count + 1)).contains(finding.column), "\(finding) is in no column")
    require(!finding.message.isEmpty && !finding.code.isEmpty, "\(finding) says nothing")
  }
}

/// Every level is one, silence surrounds the pattern, and changes come in order.
private func checkLevels(of pattern: HapticPattern) {
  require(pattern.duration >= .zero, "it lasts \(pattern.duration)")
  require(pattern.level(at: pattern.duration) == .silence, "it is felt when it is over")
  require(pattern.level(at: .zero - .milliseconds(1)) == .silence, "it is felt before it begins")
  var time = Interval.zero - .milliseconds(1)
  for _ in 0..<2_000 {
    guard let next = pattern.nextChange(after: time) else { break }
    require(next > time, "after \(time) comes \(next)")
    let level = pattern.level(at: next)
    require((0...1).contains(level.intensity) && (0...1).contains(level.sharpness), "\(level) at \(next)")
    time = next
  }
  require(time <= pattern.duration, "something changes at \(time), after the end")
}

/// What is written, read again, is the same to six decimals.
private func checkWriting(_ document: AHAPDocument, _ pattern: HapticPattern) {
  let text = document.text()
  guard let (again, findings) = try? AHAPDocument.parse(Array(text.utf8), name: "text") else {
    return require(false, "what was written cannot be read:\n\(text)")
  }
  require(isWritten(document, as: again), "read again it is another:\n\(text)\n\(document)\n\(again)")
  require(!findings.contains { $0.code == "trailing-comma" }, "what was written is no JSON:\n\(text)")
  require(again.text() == text, "written again it is another:\n\(text)")
  if again.events == document.events, again.controls == document.controls {
    require(feelsLike(pattern, HapticPattern(again)), "read again it is felt otherwise:\n\(text)")
  }
}

private func isWritten(_ old: AHAPDocument, as new: AHAPDocument) -> Bool {
  func isNear(_ a: Double?, _ b: Double?) -> Bool {
    guard let a, let b else { return a == nil && b == nil }
    return abs(a - b) <= 1e-6
  }
  guard old.metadata == new.metadata, old.events.count == new.events.count, old.controls.count == new.controls.count
  else { return false }
  for (a, b) in zip(old.events, new.events) {
    guard a.type == b.type, isNear(a.time, b.time), isNear(a.duration, b.duration), a.waveformPath == b.waveformPath,
      a.waveformLoops == b.waveformLoops, a.waveformUsesEnvelope == b.waveformUsesEnvelope,
      a.parameters.count == b.parameters.count, a.parameters.allSatisfy({ isNear($1, b.parameters[$0]) })
    else { return false }
  }
  for (a, b) in zip(old.controls, new.controls) {
    guard a.parameter == b.parameter, isNear(a.time, b.time), a.points.count == b.points.count,
      zip(a.points, b.points).allSatisfy({ isNear($0.time, $1.time) && isNear($0.value, $1.value) })
    else { return false }
  }
  return true
}

/// Laid out anew it says the same, and is laid out.
private func checkCanonical(_ input: [UInt8], _ document: AHAPDocument) {
  guard let text = try? AHAPLint.canonical(input, name: "input") else {
    return require(false, "what can be read cannot be laid out")
  }
  guard let (again, _) = try? AHAPDocument.parse(Array(text.utf8), name: "canonical") else {
    return require(false, "laid out it cannot be read:\n\(text)")
  }
  require(again == document, "laid out it is another:\n\(text)\n\(document)\n\(again)")
  require((try? AHAPLint.canonical(Array(text.utf8), name: "canonical")) == text, "it is never laid out:\n\(text)")
}

/// Mended once is mended, and it is felt as before but where the points of a curve were moved.
private func checkMending(_ input: [UInt8], _ document: AHAPDocument, _ findings: [AHAPDiagnostic]) {
  guard let fixed = try? AHAPLint.fix(input, name: "input") else {
    return require(false, "what can be read cannot be mended")
  }
  guard let (mended, _) = try? AHAPDocument.parse(Array(fixed.text.utf8), name: "fixed") else {
    return require(false, "mended it cannot be read:\n\(fixed.text)")
  }
  // Of very many findings not all are listed, and what is not listed is not known.
  if findings.contains(where: { $0.code == "more-findings" }) { return }
  require(!fixed.remaining.contains(where: \.isFixable), "not all is mended: \(fixed.remaining)\n\(fixed.text)")
  require(mended.events.count == document.events.count, "mending lost an event:\n\(fixed.text)")
  require(mended.controls.count == document.controls.count, "mending lost a curve:\n\(fixed.text)")
  if findings.contains(where: { $0.code == "absolute-curve-points" }) { return }
  // The duration of a transient, which is removed, is not felt but holds the end.
  var bare = document
  for index in bare.events.indices where bare.events[index].type == .transient { bare.events[index].duration = nil }
  require(feelsLike(HapticPattern(bare), HapticPattern(mended)), "mended it is felt otherwise:\n\(fixed.text)")
}

/// Whether two patterns are the same at every change, up to a number of them: a curve may last a day.
private func feelsLike(_ old: HapticPattern, _ new: HapticPattern) -> Bool {
  guard old.duration == new.duration, old.audioEvents == new.audioEvents else { return false }
  var time: Interval? = .zero
  for _ in 0..<2_000 {
    guard let at = time else { break }
    if old.level(at: at) != new.level(at: at) { return false }
    time = [old.nextChange(after: at), new.nextChange(after: at)].compactMap(\.self).min()
  }
  return true
}
