// SPDX-License-Identifier: Apache-2.0

/// A trace in the format of Perfetto: tracks of slices, instants and counters on CLOCK_MONOTONIC.
///
/// Field numbers are those of Perfetto's trace_packet.proto, track_descriptor.proto, track_event.proto and
/// clock_snapshot.proto.
struct PerfettoTrace {
  /// What a packet is sorted by: slices nest, and those that meet end before they begin.
  private struct Order: Comparable {
    var timestamp, rank, tie: Int64

    static func < (a: Order, b: Order) -> Bool {
      (a.timestamp, a.rank, a.tie) < (b.timestamp, b.rank, b.tie)
    }
  }

  enum Note {
    case number(String, Int64)
    case text(String, String)
  }

  private var heads: [[UInt8]] = []
  private var events: [(order: Order, bytes: [UInt8])] = []

  /// CLOCK_MONOTONIC's number.
  private static let monotonic: Int64 = 3
  /// CLOCK_BOOTTIME's, by which the kernel's own events are stamped.
  private static let bootTime: Int64 = 6

  /// An empty trace; both clocks are of the same moment, in nanoseconds.
  init(monotonic: Int64, bootTime: Int64) {
    heads.append(
      Self.packet(at: monotonic) { packet in
        // The state of the sequence begins here.
        packet.number(13, 1)
        packet.message(6) { snapshot in
          for (id, time) in [(Self.monotonic, monotonic), (Self.bootTime, bootTime)] {
            snapshot.message(1) { clock in
              clock.number(1, id)
              clock.number(2, time)
            }
          }
        }
      })
  }

  /// A track called `name`, inside `parent`; a counter where its `unit` is given.
  mutating func addTrack(_ track: Int64, _ name: String, in parent: Int64? = nil, unit: String? = nil) {
    heads.append(
      Self.packet(at: nil) { packet in
        packet.message(60) { descriptor in
          descriptor.number(1, track)
          descriptor.text(2, name)
          if let parent { descriptor.number(5, parent) }
          if let unit { descriptor.message(8) { $0.text(6, unit) } }
        }
      })
  }

  /// Something that went on from `begin` to `end`, in microseconds.
  mutating func addSlice(_ track: Int64, _ name: String, from begin: Int64, to end: Int64, _ notes: [Note] = []) {
    let (first, last) = (begin * 1_000, max(end * 1_000, begin * 1_000 + 1))
    add(Order(timestamp: first, rank: 2, tie: first - last), track, .begin, name, notes)
    add(Order(timestamp: last, rank: 0, tie: -first), track, .end, nil, [])
  }

  mutating func addInstant(_ track: Int64, _ name: String, at instant: Int64, _ notes: [Note] = []) {
    add(Order(timestamp: instant * 1_000, rank: 1, tie: 0), track, .instant, name, notes)
  }

  mutating func addCount(_ track: Int64, _ value: Int64, at instant: Int64) {
    add(Order(timestamp: instant * 1_000, rank: 1, tie: 0), track, .counter, nil, [], value)
  }

  var bytes: [UInt8] {
    heads.flatMap(\.self) + events.sorted { $0.order < $1.order }.flatMap(\.bytes)
  }

  private enum Kind: Int64 {
    case begin = 1
    case end, instant, counter
  }

  private mutating func add(
    _ order: Order, _ track: Int64, _ kind: Kind, _ name: String?, _ notes: [Note], _ count: Int64? = nil
  ) {
    let bytes = Self.packet(at: order.timestamp) { packet in
      packet.message(11) { event in
        event.number(9, kind.rawValue)
        event.number(11, track)
        if let name { event.text(23, name) }
        if let count { event.number(30, count) }
        for note in notes {
          event.message(4) { annotation in
            switch note {
            case .number(let name, let value):
              annotation.text(10, name)
              annotation.number(4, value)
            case .text(let name, let text):
              annotation.text(10, name)
              annotation.text(6, text)
            }
          }
        }
      }
    }
    events.append((order, bytes))
  }

  private static func packet(at timestamp: Int64?, _ fill: (inout Protobuf) -> Void) -> [UInt8] {
    var trace = Protobuf()
    trace.message(1) { packet in
      if let timestamp {
        packet.number(8, timestamp)
        packet.number(58, monotonic)
      }
      packet.number(10, 1)
      fill(&packet)
    }
    return trace.bytes
  }
}
