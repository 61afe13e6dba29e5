// SPDX-License-Identifier: Apache-2.0

import Timing

extension TraceRecord {
  /// When all that it tells of is over: when it was done and is heard or felt, where these are known, else when it was begun.
  public var over: Instant {
    switch event {
    case .period(_, _, let woken, let done, let heard, _): Self.over(woken, done, heard: heard)
    case .lost(_, _, let heard, let noticed, _): Self.over(noticed, heard: heard)
    case .turn(_, let woken, let done, _, _): Self.over(woken, done)
    case .line(_, let begun, _, _, let done, _, _), .errand(let begun, let done): Self.over(begun, done)
    case .asked(_, _, let scheduled, let at, _): Self.over(at, heard: scheduled)
    case .start(_, _, let heard, let at, _, _, _): Self.over(at, heard: heard)
    case .moved(_, _, let heard), .silent(_, _, let heard, _), .ended(_, _, let heard): heard
    case .stood(let at, _, _, let length, let resumed): Self.over(at, resumed ? at + length : nil)
    case .letGo(_, let at), .unbegun(_, _, let at, _, _, _), .handedOut(_, _, let at, _): at
    case .client(let at, _), .processor(let at, _, _): at
    case .player(_, let felt, let at, _, _): Self.over(at, heard: felt)
    case .writing(_, let felt, let woken, _): Self.over(woken, heard: felt)
    case .wrote(_, let felt, let woken, let done, _, _, _, _): Self.over(woken, done, heard: felt)
    case .changed(_, _, let heard, let at, _, _): Self.over(at, heard: heard)
    case .told(_, _, let queued, let written, _): Self.over(queued, written)
    }
  }

  private static func over(_ begun: Instant, _ done: Instant? = nil, heard: Instant = .distantPast) -> Instant {
    let isDone = done != nil && done != .distantPast && done != .distantFuture
    let over = isDone ? done ?? begun : begun
    return heard == .distantFuture ? over : max(over, heard)
  }
}
