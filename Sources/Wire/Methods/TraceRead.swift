// SPDX-License-Identifier: Apache-2.0

import Outcomes

/// Reads what the daemon's threads did lately, a page at a time.
public enum TraceRead: WireMethod {
  public static let name = "trace.read"
  public static let summary =
    "Returns what the daemon's threads did lately, oldest first, a page at a time; what is overwritten meanwhile is left out."

  public struct Params: Codable, Sendable, Equatable {
    /// The number of the record to begin at: `next` of the page before. The oldest that is kept when missing.
    public var from: Int64?
    /// The instant before which records are left out, by when they were over.
    public var sinceUs: Int64?

    /// A page from record number `from` on.
    public init(from: Int64? = nil, sinceUs: Int64? = nil) {
      self.from = from
      self.sinceUs = sinceUs
    }
  }
  public static let ranges = Ranges()
  public struct Ranges: Sendable {
    /// Where the page begins.
    public let from = OptionalParam<Int64>("from", in: 0...(.unbounded), default: 0)
  }

  public struct Result: Codable, Sendable, Equatable {
    /// The records of the page.
    public var records: [TraceEntry]
    /// The number of the first record after this page.
    public var next: Int64
    /// The number that the next record will have: there is more while `next` is less.
    public var end: Int64
    /// Records that threads had no room for, since the start.
    public var lost: Int64

    public init(records: [TraceEntry], next: Int64, end: Int64, lost: Int64) {
      self.records = records
      self.next = next
      self.end = end
      self.lost = lost
    }
  }

  /// Records on a page at most.
  public static let pageRecords = 48
  /// Records looked at for a page at most.
  public static let pageLooks = 8_192
}

/// One thing that a thread did.
public struct TraceEntry: Codable, Sendable, Equatable {
  /// What was done.
  public var what: What
  /// When it began.
  public var fromUs: Int64
  /// When it was over; missing where it is not, or where it took no time.
  public var toUs: Int64?
  /// When it was to begin, or the instant that was asked for.
  public var dueUs: Int64?
  /// When it is heard or felt.
  public var heardUs: Int64?
  /// The processor time that it took; for `processor`, what the thread has used in all.
  public var processorUs: Int64?
  /// The number of the client whose line it goes back to, or that it was reported to.
  public var client: Int64?
  /// The number of that line.
  public var line: Int64?
  /// The method that the line called.
  public var method: String?
  /// What kind of thing `id` is of.
  public var kind: TraceKind?
  /// The number of what it is about.
  public var id: Int64?
  /// The cue that it is part of, by the `id` that `cue.fire` gave.
  public var cue: Int64?
  /// The first output frame.
  public var frame: Int64?
  /// How many output frames.
  public var frames: Int64?
  /// The haptic output.
  public var device: String?
  /// What became of it, in a word.
  public var detail: String?

  /// What a thread can do.
  public enum What: String, Codable, Sendable, CaseIterable {
    /// Audio: a period was rendered.
    case period
    /// Frames were not heard; `detail` says why.
    case lost
    /// Control: a turn of its loop that woke late or took long.
    case turn
    /// Control: a line was served.
    case line
    /// Errands: the computing that a line had left to this thread was done.
    case errand
    /// Control: something was promised for `heardUs`.
    case plan
    /// Control: the start of a voice was handed to the mixer.
    case start
    /// A voice began at another frame than it was handed over for.
    case moved
    /// A track fell silent because its file has not been decoded so far; `detail` says where that is over.
    case silent
    /// A voice is over.
    case ended
    /// The mixer let go of a voice that it had not begun; its start may have been handed over anew since.
    case letGo
    /// What was promised for `dueUs` does not begin; `detail` says whether it was called off, skipped or stolen.
    case unbegun
    /// The engine is paused, or was.
    case pause
    /// Control: the start of a haptic player was handed to the outputs.
    case player
    /// Haptic: a write to an output began.
    case writing
    /// Haptic: that write was over.
    case write
    /// Control: a change or an end of what is heard or felt, by a cue or a verb of music, was handed over.
    case change
    /// Control: a notification was handed to the thread that sends beats.
    case handedOut
    /// It was reported to a client.
    case told
    /// A client came or went; `detail` says which.
    case client
    /// How much processor time a thread has used; `detail` names the thread.
    case processor
  }

  /// What was done, from then on.
  public init(_ what: What, fromUs: Int64) {
    self.what = what
    self.fromUs = fromUs
  }
}
