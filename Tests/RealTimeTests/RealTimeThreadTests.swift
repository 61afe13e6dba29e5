import Glibc
import RealTime
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

  @Test func signalsGoElsewhere() throws {
    var before = sigset_t()
    pthread_sigmask(SIG_BLOCK, nil, &before)
    #expect(try !run(name: "look", priority: nil).0.takesTerminate)
    var after = sigset_t()
    pthread_sigmask(SIG_BLOCK, nil, &after)
    #expect(sigismember(&before, SIGTERM) == sigismember(&after, SIGTERM))
  }
}
