// SPDX-License-Identifier: Apache-2.0

import Glibc
import Synchronization

/// The signals that ask the program to end, as something to poll: nothing is interrupted halfway.
///
/// While it lives SIGINT, SIGTERM and SIGHUP are written to a pipe; afterwards they act as before. One at a time.
struct SignalWatch: ~Copyable {
  /// Readable once a signal has come.
  let descriptor: Int32
  private let writing: Int32
  private var before: [(signal: Int32, action: sigaction)] = []

  init() {
    var ends: [Int32] = [-1, -1]
    pipe(&ends)
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    descriptor = ends[0]
    writing = ends[1]
    signalPipe.store(writing, ordering: .sequentiallyConsistent)
    // Who started this program may have kept them blocked.
    var awaited = sigset_t()
    sigemptyset(&awaited)
    for signal in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&awaited, signal) }
    pthread_sigmask(SIG_UNBLOCK, &awaited, nil)
    for signal in [SIGINT, SIGTERM, SIGHUP] {
      var action = sigaction()
      action.__sigaction_handler.sa_handler = writeSignal
      action.sa_flags = SA_RESTART
      var old = sigaction()
      if sigaction(signal, &action, &old) == 0 { before.append((signal, old)) }
    }
  }

  deinit {
    for (signal, action) in before {
      var action = action
      sigaction(signal, &action, nil)
    }
    signalPipe.store(-1, ordering: .sequentiallyConsistent)
    close(descriptor)
    close(writing)
  }

  /// The signal that came, if one has.
  func take() -> Int32? {
    var number: UInt8 = 0
    return read(descriptor, &number, 1) == 1 ? Int32(number) : nil
  }
}

/// Where the handler writes: a signal handler has nothing else to reach it by.
private let signalPipe = Atomic<Int32>(-1)

private func writeSignal(_ number: Int32) {
  let saved = errno
  var byte = UInt8(truncatingIfNeeded: number)
  _ = write(signalPipe.load(ordering: .sequentiallyConsistent), &byte, 1)
  errno = saved
}

/// Waits until one of `descriptors` is readable or `microseconds` (rounded up to milliseconds) have passed, or a signal
/// came; tells which are readable. Where the reader of `output` goes away, the wait ends too.
func waitReadable(_ descriptors: [Int32], output: Int32 = -1, microseconds: Int64) -> [Bool] {
  var polled = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
  polled.append(pollfd(fd: output, events: 0, revents: 0))
  let milliseconds = Int32(min(max(0, (microseconds + 999) / 1_000), 3_600_000))
  guard poll(&polled, nfds_t(polled.count), milliseconds) > 0 else { return descriptors.map { _ in false } }
  return polled.dropLast().map { $0.revents != 0 }
}
