// SPDX-License-Identifier: Apache-2.0

/// Things in a row that leave at its front, however many are behind: an array would move all of those each time.
struct Line<Element>: RandomAccessCollection, MutableCollection, RangeReplaceableCollection {
  /// The first part in reverse, so that what leaves is at its end and is let go of at once, and the rest.
  private var front: [Element] = []
  private var back: [Element] = []

  init() {}

  var startIndex: Int { 0 }
  var endIndex: Int { front.count + back.count }

  subscript(index: Int) -> Element {
    _read {
      if index < front.count {
        yield front[front.count - 1 - index]
      } else {
        yield back[index - front.count]
      }
    }
    _modify {
      if index < front.count {
        yield &front[front.count - 1 - index]
      } else {
        yield &back[index - front.count]
      }
    }
  }

  mutating func replaceSubrange(_ range: Range<Int>, with new: some Collection<Element>) {
    if range.lowerBound < front.count, range.upperBound <= front.count {
      front.replaceSubrange(front.count - range.upperBound..<front.count - range.lowerBound, with: new.reversed())
      return
    }
    if range.lowerBound < front.count {
      back = front.reversed() + back
      front = []
    }
    back.replaceSubrange(range.lowerBound - front.count..<range.upperBound - front.count, with: new)
  }

  /// Takes out those that are meant; answers them in their order. Nothing else is copied, as by what a collection does by itself.
  mutating func take(where isMeant: (Element) -> Bool) -> [Element] {
    let taken = front.filter(isMeant).reversed() + back.filter(isMeant)
    front.removeAll(where: isMeant)
    back.removeAll(where: isMeant)
    return taken
  }

  /// Takes the first, of which there must be one.
  mutating func removeFirst() -> Element {
    if front.isEmpty { (front, back) = (back.reversed(), []) }
    return front.removeLast()
  }
}
