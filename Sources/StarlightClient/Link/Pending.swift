// SPDX-License-Identifier: Apache-2.0

import Wire

extension Link {
  /// Who waits for an answer.
  enum Pending {
    /// A task, until the deadline; one that uses another pack says which.
    case answer(
      CheckedContinuation<Result<[UInt8], ClientError>, Never>, method: String, deadlineNs: Int64, use: Use? = nil)
    /// Nobody: only a refusal is told.
    case refusal(method: String)
    /// The readers: the answer has its place among what is told.
    case readers(method: String)
    /// The client itself.
    case hello, pack, subscription, topics
    case clock(sentNs: Int64)
  }

  /// What counts from the place of its answer on: a pack that bare names are to be of, the daemon's own where it is nil.
  struct Use {
    let pack: String?
  }
}

extension Link.Pending {
  /// What a caller asked for; nil for what the client asked for itself.
  var method: String? {
    switch self {
    case .answer(_, let method, _, _), .refusal(let method), .readers(let method): method
    case .hello, .pack, .subscription, .topics, .clock: nil
    }
  }

  /// Wakes the tasks among these with an error.
  static func fail(_ waiting: [Link.Pending], _ error: ClientError) {
    for case .answer(let continuation, _, _, _) in waiting { continuation.resume(returning: .failure(error)) }
  }
}
