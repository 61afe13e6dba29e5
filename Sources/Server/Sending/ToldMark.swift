// SPDX-License-Identifier: Apache-2.0

import Host
import Outcomes
import Timing
import Tracing
import Wire

/// What a line on its way to a client tells of, where its life can be explained.
struct ToldMark: Equatable {
  var subject: TraceKind
  var id: Int64
  /// When it is told of.
  var due: Instant
  /// When it was put among what the client is to read.
  var queued: Instant

  /// Nil for what no life has a part in.
  init?(_ notification: OutgoingNotification, queued: Instant) {
    guard let traced = notification.traced else { return nil }
    subject = traced.kind
    id = traced.id
    due = Instant(microseconds: notification.tUs)
    self.queued = queued
  }

  /// What is recorded of it; `written` is nil while it has not left.
  func event(written: Instant?) -> TraceEvent {
    .told(number: id, due: due, queued: queued, written: written ?? .distantFuture, subject: subject)
  }
}
