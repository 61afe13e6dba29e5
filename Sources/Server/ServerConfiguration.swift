// SPDX-License-Identifier: Apache-2.0

import Timing
import Wire

/// What the server is started with.
public struct ServerConfiguration: Sendable {
  /// Where to listen. When missing: the socket handed over by systemd, else the first of `SocketPath.candidates`.
  public var socketPath: String?
  /// The variables that say where the socket is to be.
  public var environment: [String: String]
  /// The bounds clients are held to.
  public var limits = Limits()
  /// The SCHED_FIFO priority asked for the thread that sends beats, below the audio thread's.
  public var beatsPriority = 60

  /// Whether what is dear to compute is left to another thread on a stepped clock too, where a run then is not the same as
  /// another.
  package var leavesErrands = false
  /// Whether clients that send descriptors are refused by the kernel, where it can; else they are received and closed.
  package var refusesDescriptors = true
  /// Whether a signal that ends the process, or that has packs read again, is the server's to follow. Else the process is not the
  /// server's alone, and ends as ever.
  package var takesSignals = true
  /// How long a client that reads too slowly has to read why it is closed, by the real clock.
  package var farewell = Interval.milliseconds(2_000)

  /// The defaults, with the variables of this process.
  public init(socketPath: String? = nil, environment: [String: String] = processEnvironment()) {
    self.socketPath = socketPath
    self.environment = environment
  }
}
