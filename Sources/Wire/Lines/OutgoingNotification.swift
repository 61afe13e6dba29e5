// SPDX-License-Identifier: Apache-2.0

import JSON
import Outcomes
import Synchronization

/// A notification on its way: encoded when somebody is first told, for of most that happens nobody wants to be told, and then
/// once, however many do; or ahead where it waits for its instant. Numbered when it is sent.
///
/// Shared, not copied, on its way from the engine to each client: it never changes.
public final class OutgoingNotification: Sendable {
  public let topic: Topic
  /// The instant it tells of, in microseconds.
  public let tUs: Int64
  /// When it is to be sent; at once when missing.
  public let sendAtUs: Int64?
  /// After this it says nothing of use any more, and is dropped where it still waits; nothing for what must be told.
  public let uselessAfterUs: Int64?
  /// State that a newer one of the same key replaces for a slow reader; nothing for what must never be dropped.
  public let coalescingKey: String?
  /// The group by which it can be recalled while it waits for its instant.
  public let group: String?
  /// A group whose waiting notifications are recalled before this one is sent: what they foretold will not come.
  public let recalls: String?
  /// Of that group only what is to be sent at this instant or later is recalled; all of it when missing.
  public let recallsFromUs: Int64?
  /// From this instant on, in microseconds, what waits for its own stands: the engine is paused.
  public let standsFromUs: Int64?
  /// What stands goes on, so many microseconds later than it was to be.
  public let goesOnByUs: Int64?
  /// Whose life it is a stage of, where that can be explained.
  public let traced: (kind: TraceKind, id: Int64)?
  private let form: Mutex<Form>
  /// Makes it anew, that much later, where it waits for its instant.
  private let later: (@Sendable (Int64) -> OutgoingNotification)?

  fileprivate enum Form {
    case unwritten(@Sendable () -> Line)
    case written(Line)
  }

  /// The line without its number.
  fileprivate struct Line {
    var bytes: [UInt8]
    /// Where the number belongs.
    var number: Int
  }

  /// Tells `payload` as what happened or will happen at `tUs`.
  public init<Payload: WireNotification>(
    _ payload: Payload, tUs: Int64, sendAtUs: Int64? = nil, uselessAfterUs: Int64? = nil, coalescingKey: String? = nil,
    group: String? = nil, recalls: String? = nil, recallsFromUs: Int64? = nil, standsFromUs: Int64? = nil,
    goesOnByUs: Int64? = nil
  ) {
    self.topic = Payload.topic
    self.tUs = tUs
    self.sendAtUs = sendAtUs
    self.uselessAfterUs = uselessAfterUs
    self.coalescingKey = coalescingKey
    self.group = group
    self.recalls = recalls
    self.recallsFromUs = recallsFromUs
    self.standsFromUs = standsFromUs
    self.goesOnByUs = goesOnByUs
    traced = payload.traced
    // At its instant there is to be nothing left to do.
    form = Mutex(sendAtUs == nil ? .unwritten { Line(payload, tUs: tUs) } : .written(Line(payload, tUs: tUs)))
    guard let sendAtUs else {
      later = nil
      return
    }
    later = { length in
      var payload = payload
      payload.moveInstants { $0 + length }
      return OutgoingNotification(
        payload, tUs: tUs + length, sendAtUs: sendAtUs + length, uselessAfterUs: uselessAfterUs.map { $0 + length },
        coalescingKey: coalescingKey, group: group, recalls: recalls,
        recallsFromUs: recallsFromUs.map { $0 + length })
    }
  }

  /// The same of what comes `length` microseconds later, where it waits for its instant; as it is where it does not.
  public func moved(byUs length: Int64) -> OutgoingNotification { later?(length) ?? self }

  /// The line that tells it as number `seq` of a client, without its line feed.
  public func line(seq: UInt64) -> [UInt8] {
    let text = self.text
    // With room for the line feed.
    var line = JSONWriter(reserving: text.bytes.count + 21)
    line.copy(text.bytes[..<text.number])
    line.write(seq)
    line.copy(text.bytes[text.number...])
    return line.bytes
  }

  /// The longest line that `line` can give, in bytes.
  public var maximumLineLength: Int { text.bytes.count + 20 }

  private var text: Line {
    form.withLock { form in
      switch form {
      case .written(let line): return line
      case .unwritten(let write):
        let line = write()
        form = .written(line)
        return line
      }
    }
  }
}

extension OutgoingNotification.Line {
  fileprivate init<Payload: WireNotification>(_ payload: Payload, tUs: Int64) {
    var writer = JSONWriter(reserving: 384)
    writer.copy("{\"jsonrpc\":\"2.0\",\"method\":\"")
    writer.copy(Payload.name.utf8)
    writer.copy("\",\"params\":{\"seq\":")
    number = writer.bytes.count
    writer.copy(",\"tUs\":")
    writer.write(tUs)
    // Only a number that is not finite cannot be encoded; the moment is told even so.
    try? writer.copyMembers { writer throws in try payload.write(to: &writer) }
    writer.copy("}}")
    bytes = writer.bytes
  }
}
