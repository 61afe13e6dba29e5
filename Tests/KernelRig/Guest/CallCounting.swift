// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Counts a thread's system calls with the kernel's own histogram, which costs the thread next to nothing.
struct SystemCalls {
  private let histogram: Histogram

  init(ofThread thread: Int) throws {
    histogram = try Histogram(
      event: "raw_syscalls/sys_enter", trigger: "hist:keys=id.syscall if common_pid==\(thread)")
  }

  /// Ends the counting.
  func finish() throws { try histogram.finish() }

  /// How often each call was made so far.
  var counts: [String: Int] {
    // "{ id: sys_ioctl                     [ 16] } hitcount:        375"
    histogram.counts { $0.count >= 2 ? String($0[1]) : nil }
  }
}

/// Counts calls of functions of the C library with kernel probes at their first instructions: in whatever program, as it
/// was built, without its help.
struct LibraryCalls {
  private static let settings = "/sys/kernel/tracing/uprobe_events"
  private let names: [String]

  init(_ names: [String]) throws {
    self.names = names
    for name in names {
      guard let address = dlsym(nil, name) else { throw RigFailure("the C library has no \(name)") }
      guard let place = Self.place(of: UInt(bitPattern: address)) else { throw RigFailure("\(name) is in no file") }
      try appendFile(Self.settings, "p:rig/\(name) \(place.path):0x\(String(place.offset, radix: 16))\n")
    }
  }

  /// Begins to count for one thread.
  func count(thread: Int) throws -> Counting {
    try Counting(names, key: "common_pid", filter: " if common_pid==\(thread)")
  }

  /// Begins to count for every thread a process has now but its audio thread.
  func count(process: ChildProcess) throws -> Counting {
    let others = list("/proc/\(process.pid)/task").compactMap { Int($0) }
      .filter { readText("/proc/\(process.pid)/task/\($0)/comm") != "audio\n" }
    let filter = others.map { "common_pid==\($0)" }.joined(separator: "||")
    return try Counting(names, key: "common_pid", filter: " if " + filter)
  }

  /// The counts under way.
  struct Counting {
    private let histograms: [(name: String, histogram: Histogram)]

    fileprivate init(_ names: [String], key: String, filter: String) throws {
      histograms = try names.map { name in
        (name, try Histogram(event: "rig/\(name)", trigger: "hist:keys=\(key)" + filter))
      }
    }

    /// How often each was called so far; those that were not are left out.
    var counts: [String: Int] {
      var all: [String: Int] = [:]
      for (name, histogram) in histograms {
        let count = histogram.counts { _ in "all" }["all", default: 0]
        if count > 0 { all[name] = count }
      }
      return all
    }

    func finish() throws { for (_, histogram) in histograms { try histogram.finish() } }
  }

  /// The file and the place in it that is mapped at an address of this process.
  private static func place(of address: UInt) -> (path: String, offset: UInt)? {
    // "7f12a000-7f13b000 r-xp 00026000 00:02 1234   /lib/x86_64-linux-gnu/libc.so.6"
    for line in readText("/proc/self/maps").split(separator: "\n") {
      let words = line.split(separator: " ")
      let bounds = words[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
      guard words.count >= 6, bounds.count == 2, bounds[0] <= address, address < bounds[1] else { continue }
      guard let offset = UInt(words[2], radix: 16) else { return nil }
      return (String(words[5]), address - bounds[0] + offset)
    }
    return nil
  }
}

/// A histogram of the kernel's tracing, kept until it is finished.
private struct Histogram {
  private let folder: String
  private let trigger: String

  init(event: String, trigger: String) throws {
    folder = "/sys/kernel/tracing/events/" + event
    self.trigger = trigger
    try appendFile(folder + "/trigger", trigger)
  }

  func finish() throws { try appendFile(folder + "/trigger", "!" + trigger) }

  /// The hits so far by name; `name` finds it in the words of a line.
  func counts(name: ([Substring]) -> String?) -> [String: Int] {
    var counts: [String: Int] = [:]
    var isOwn = false
    for line in readText(folder + "/hist").split(separator: "\n") {
      // An event may have several histograms: each begins with the trigger that made it.
      if line.hasPrefix("# trigger info:") { isOwn = isSame(line.dropFirst("# trigger info: ".count)) }
      guard isOwn, line.hasPrefix("{ ") else { continue }
      let words = line.split(whereSeparator: { " :[]{}".contains($0) })
      guard words.count >= 4, let count = words.last.flatMap({ Int($0) }), let name = name(words) else { continue }
      counts[name, default: 0] += count
    }
    return counts
  }

  /// The kernel writes a trigger with its defaults filled in; the filter is as it was given.
  private func isSame(_ told: Substring) -> Bool {
    guard let asked = trigger.firstRange(of: " if ") else { return true }
    return told.contains(trigger[asked.lowerBound...] + " ")
  }
}

extension [String: Int] {
  /// What was added to earlier counts.
  func since(_ before: [String: Int]) -> [String: Int] {
    merging(before) { $0 - $1 }.filter { $0.value > 0 }
  }
}
