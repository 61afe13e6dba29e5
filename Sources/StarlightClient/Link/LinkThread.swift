// SPDX-License-Identifier: Apache-2.0

import Glibc
import Synchronization
import Wire

/// The thread that does what a client's link asks for: nobody else touches its socket. It ends after the link is over.
final class LinkThread: Sendable {
  let link: Mutex<Link>
  private let paths: [String]
  /// Two ends whose bytes mean nothing but that there is something to do.
  private let (awaited, waker): (Int32, Int32)

  /// Starts it; the daemon is looked for at these paths, best first.
  static func start(_ link: consuming sending Link, paths: [String]) throws(ClientError) -> LinkThread {
    var ends: [Int32] = [0, 0]
    let mode = SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue
    guard socketpair(AF_UNIX, Int32(mode), 0, &ends) == 0 else { throw failure("socket", errno) }
    let thread = LinkThread(link, paths, (ends[0], ends[1]))
    var (handle, attributes) = (pthread_t(), pthread_attr_t())
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    // Signals are the game's: none is handled here. The thread inherits what is blocked as it begins.
    var (all, before) = (sigset_t(), sigset_t())
    sigfillset(&all)
    pthread_sigmask(SIG_SETMASK, &all, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    let kept = Unmanaged.passRetained(thread)
    let code = pthread_create(&handle, &attributes, runLinkThread, kept.toOpaque())
    guard code == 0 else {
      kept.release()
      throw failure("thread", code)
    }
    return thread
  }

  private init(_ link: consuming sending Link, _ paths: [String], _ pipe: (Int32, Int32)) {
    self.link = Mutex(link)
    self.paths = paths
    (awaited, waker) = pipe
  }

  deinit {
    close(awaited)
    close(waker)
  }

  private static func failure(_ what: String, _ code: Int32) -> ClientError {
    ClientError(.noResources, "no \(what) for a client: \(String(cString: strerror(code)))")
  }

  /// Has it look at the link. Never blocks: where nothing more fits it is awake already.
  func wake() {
    var byte: UInt8 = 0
    _ = send(waker, &byte, 1, Int32(MSG_NOSIGNAL))
  }

  fileprivate func run() {
    while true {
      let phase = link.withLock { ($0.phase, $0.nextNs) }
      switch phase {
      case (.over, _): return
      case (.away(let until), _) where until <= monotonicNs(): connect()
      case (_, let next): wait(nil, until: next ?? .max)
      }
    }
  }

  private func connect() {
    do throws(ClientError) {
      let transport = try Transport.connecting(toFirstOf: paths, waits: false)
      link.withLock { $0.connected(monotonicNs()) }
      serve(transport)
    } catch {
      lose(error)
    }
  }

  /// Moves bytes until the connection ends, whoever ends it.
  private func serve(_ transport: consuming Transport) {
    var conversation = Conversation()
    var scratch = [UInt8](repeating: 0, count: 65_536)
    var writing: ArraySlice<UInt8> = []
    do throws(ClientError) {
      while true {
        try wakeOverdue()
        let (phase, next, lines) = link.withLock { ($0.phase, $0.nextNs, writing.isEmpty ? $0.takeOutbox() : []) }
        if case .over = phase { return }
        for (id, line) in lines {
          conversation.sent(id)
          writing += line + [UInt8(ascii: "\n")]
        }
        if !writing.isEmpty {
          switch transport.send(writing) {
          case .bytes(let count):
            writing = writing.dropFirst(count)
            link.withLock { $0.wrote(count) }
            continue
          case .closed: throw conversation.ended(transport, &scratch)
          case .wouldBlock: break
          }
        }
        wait((transport.descriptor, Int16(writing.isEmpty ? POLLIN : POLLIN | POLLOUT)), until: next ?? .max)
        switch transport.receive(into: &scratch) {
        case .wouldBlock: break
        case .closed: throw conversation.ended(transport, &scratch)
        case .bytes(let count): try take(conversation.heard(scratch[..<count]), monotonicNs())
        }
      }
    } catch {
      lose(error)
    }
  }

  private func wakeOverdue() throws(ClientError) {
    let now = monotonicNs()
    let overdue = try link.withLock { link throws(ClientError) in try link.passed(now) }
    // Who asked knows how long that was.
    for task in overdue { task.resume(returning: .failure(ClientError(.timedOut, "not answered in time"))) }
  }

  private func take(_ messages: [Conversation.Heard], _ nowNs: Int64) throws(ClientError) {
    for message in messages {
      switch message {
      case .reply(let id, let result):
        let task = try link.withLock { link throws(ClientError) in try link.answered(id, result, nowNs) }
        task?.resume(returning: result.mapError { ClientError($0) })
      case .told(let told):
        // What this library does not know, a newer daemon tells.
        guard let notification = Event.Notification(told), let topic = Event.Notification.kinds[told.method]?.topic
        else {
          continue
        }
        link.withLock { $0.told(notification, topic, tUs: told.tUs) }
      }
    }
  }

  private func lose(_ error: ClientError) {
    let waiting = link.withLock { $0.disconnected(error, monotonicNs()) }
    for unserved in waiting { unserved.tell() }
  }

  /// Waits for the socket, a waking or the instant.
  private func wait(_ socket: (descriptor: Int32, events: Int16)?, until deadlineNs: Int64) {
    let left = max(0, deadlineNs - monotonicNs())
    // Rounded up, so that a deadline is not come by too early over and over.
    let milliseconds = deadlineNs == .max ? -1 : Int32(min((left + 999_999) / 1_000_000, 3_600_000))
    var watched = [pollfd(fd: awaited, events: Int16(POLLIN), revents: 0)]
    if let socket { watched.append(pollfd(fd: socket.descriptor, events: socket.events, revents: 0)) }
    _ = poll(&watched, nfds_t(watched.count), milliseconds)
    var drained: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
    while read(awaited, &drained, 32) == 32 {}
  }
}

/// The thread's body: a function of the module, so that it belongs to no actor.
private func runLinkThread(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  if let argument { Unmanaged<LinkThread>.fromOpaque(argument).takeRetainedValue().run() }
  return nil
}
