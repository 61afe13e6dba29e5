// SPDX-License-Identifier: Apache-2.0

import JSON
import Outcomes

/// A notification on its way: encoded when somebody is first told, or ahead where it waits for its instant; numbered when it is
/// sent.
public struct OutgoingNotification: Sendable {
  public var topic: Topic
  /// The instant it tells of, in microseconds.
  public var tUs: Int64
  /// When it is to be sent; at once when missing.
  public var sendAtUs: Int64?
  /// After this it says nothing of use any more, and is dropped where it still waits; nothing for what must be told.
  public var uselessAfterUs: Int64?
  /// State that a newer one of the same key replaces for a slow reader; nothing for what must never be dropped.
  public var coalescingKey: String?
  /// The group by which it can be recalled while it waits for its instant.
  public var group: String?
  /// A group whose waiting notifications are recalled before this one is sent: what they foretold will not come.
  public var recalls: String?
  /// From this instant on, in microseconds, what waits for its own stands: the engine is paused.
  public var standsFromUs: Int64?
  /// What stands goes on, so many microseconds later than it was to be.
  public var goesOnByUs: Int64?
  /// Of that group only what is to be sent at this instant or later is recalled; all of it when missing.
  public var recallsFromUs: Int64?
  /// Whose life it is a stage of, where that can be explained.
  public let traced: (kind: TraceKind, id: Int64)?
  private let text: NotificationText
  /// Makes it anew, that much later, where it waits for its instant.
  private let later: (@Sendable (Int64) -> OutgoingNotification)?

  /// Tells `payload` as what happened or will happen at `tUs`.
  public init<Payload: WireNotification>(
    _ payload: Payload, tUs: Int64, sendAtUs: Int64? = nil, uselessAfterUs: Int64? = nil, coalescingKey: String? = nil,
    group: String? = nil, recalls: String? = nil, recallsFromUs: Int64? = nil
  ) {
    self.topic = Payload.topic
    self.tUs = tUs
    self.sendAtUs = sendAtUs
    self.uselessAfterUs = uselessAfterUs
    self.coalescingKey = coalescingKey
    self.group = group
    self.recalls = recalls
    self.recallsFromUs = recallsFromUs
    traced = payload.traced
    text = NotificationText { NotificationText.Written(payload, tUs: tUs) }
    guard let sendAtUs else {
      later = nil
      return
    }
    // At its instant there is to be nothing left to do.
    _ = text.written
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
    let text = text.written
    return text.head + Array(String(seq).utf8) + text.tail
  }

  /// The longest line that `line` can give, in bytes.
  public var maximumLineLength: Int {
    let text = text.written
    return text.head.count + 20 + text.tail.count
  }
}

extension NotificationText.Written {
  fileprivate init<Payload: WireNotification>(_ payload: Payload, tUs: Int64) {
    var writer = JSONWriter(reserving: 128)
    writer.copy("{\"jsonrpc\":\"2.0\",\"method\":\"")
    writer.copy(Payload.name.utf8)
    writer.copy("\",\"params\":{\"seq\":")
    head = writer.bytes
    var fields = JSONWriter(reserving: 256)
    do {
      try payload.write(to: &fields)
    } catch {
      // Only a number that is not finite cannot be encoded; the moment is told even so.
      fields = JSONWriter(reserving: 2)
      fields.copy("{}")
    }
    var end = JSONWriter(reserving: 32 + fields.bytes.count)
    end.copy(",\"tUs\":")
    end.write(tUs)
    if fields.bytes.count > 2 { end.copy(",") }
    end.copy(fields.bytes.dropFirst())
    end.copy("}")
    tail = end.bytes
  }
}
