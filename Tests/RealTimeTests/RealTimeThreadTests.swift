// SPDX-License-Identifier: Apache-2.0

import Glibc
import RealTime
import Synchronization
import Testing

/// What a thread found out about itself.
private struct Findings {
  var name = ""
  var policy: Int32 = -1
  var priority: Int32 = -1
  var takesTerminate = true
}

private func lookAround(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let findings = argument?.assumingMemoryBound(to: Findings.self) else { return nil }
  // The name is given by the thread's starter, who may still be at it.
  for _ in 0..<1_000_000 {
    var bytes = [UInt8](repeating: 0, count: 32)
    let file = open("/proc/thread-self/comm", O_RDONLY)
    let length = read(file, &bytes, bytes.count)
    close(file)
    findings.pointee.name = String(decoding: bytes.prefix(max(length - 1, 0)), as: UTF8.self)
    if findings.pointee.name.hasPrefix("look") { break }
  }
  var parameters = sched_param()
  pthread_getschedparam(pthread_self(), &findings.pointee.policy, &parameters)
  findings.pointee.priority = parameters.sched_priority
  var blocked = sigset_t()
  pthread_sigmask(SIG_BLOCK, nil, &blocked)
  findings.pointee.takesTerminate = sigismember(&blocked, SIGTERM) == 0
  return nil
}

/// Tells through one pipe how it is scheduled, once it has been told to through another.
private func tellPolicy(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let ends = argument?.assumingMemoryBound(to: Int32.self) else { return nil }
  var (policy, parameters, byte) = (Int32(-1), sched_param(), UInt8(0))
  read(ends[0], &byte, 1)
  pthread_getschedparam(pthread_self(), &policy, &parameters)
  byte = UInt8(clamping: policy)
  write(ends[3], &byte, 1)
  return nil
}

@Suite struct RealTimeThreadTests {
  private func run(name: String, priority: Int?) throws -> (Findings, ThreadScheduling) {
    let findings = UnsafeMutablePointer<Findings>.allocate(capacity: 1)
    findings.initialize(to: Findings())
    defer {
      findings.deinitialize(count: 1)
      findings.deallocate()
    }
    let thread = try RealTimeThread(name: name, priority: priority, body: lookAround, argument: findings)
    let scheduling = thread.scheduling
    thread.join()
    return (findings.pointee, scheduling)
  }

  @Test func theNameIsCutToWhatTheKernelHolds() throws {
    #expect(try run(name: "look-a-very-long-name", priority: nil).0.name == "look-a-very-lon")
  }

  @Test func withoutAPriorityItIsTimeShared() throws {
    let (findings, scheduling) = try run(name: "look", priority: nil)
    #expect(scheduling == .timeSharing(refusal: nil))
    #expect(findings.policy == SCHED_OTHER)
  }

  @Test func whatIsReportedIsWhatTheThreadHas() throws {
    let (findings, scheduling) = try run(name: "look", priority: 10)
    switch scheduling {
    case .fifo(let priority):
      #expect(findings.policy == SCHED_FIFO && findings.priority == Int32(priority) && priority <= 10)
    case .timeSharing(let refusal):
      #expect(findings.policy == SCHED_OTHER && refusal == EPERM)
    }
  }

  @Test func oneThatIsLeftKeepsNoPriority() throws {
    // Two pipes: what is read, what is written. The thread may use them to the end of the process.
    let ends = UnsafeMutablePointer<Int32>.allocate(capacity: 4)
    #expect(pipe(ends) == 0 && pipe(ends + 2) == 0)
    let thread = try RealTimeThread(name: "look", priority: 10, body: tellPolicy, argument: ends)
    thread.detach()
    var byte = UInt8(0)
    write(ends[1], &byte, 1)
    byte = .max
    #expect(read(ends[2], &byte, 1) == 1)
    #expect(Int32(byte) == SCHED_OTHER)
  }

  @Test func workIsDoneOnceAndLetGoOf() throws {
    final class Held: Sendable {
      let count = Atomic(0)
    }
    var held: Held? = Held()
    weak let remembered = held
    let thread = try RealTimeThread(name: "work", priority: nil) { [held] in held?.count.add(1, ordering: .relaxed) }
    thread.join()
    #expect(held?.count.load(ordering: .relaxed) == 1)
    held = nil
    #expect(remembered == nil)
  }

  @Test func signalsGoElsewhere() throws {
    var before = sigset_t()
    pthread_sigmask(SIG_BLOCK, nil, &before)
    #expect(try !run(name: "look", priority: nil).0.takesTerminate)
    var after = sigset_t()
    pthread_sigmask(SIG_BLOCK, nil, &after)
    #expect(sigismember(&before, SIGTERM) == sigismember(&after, SIGTERM))
  }
}
