// SPDX-License-Identifier: Apache-2.0

import CRealTime

/// Has the calling thread go before others of time sharing: nice -11, as the loops of PipeWire and PulseAudio have it. So what it
/// promises for the next milliseconds is not late where programs want more processors than there are.
///
/// False where the system does not permit it (CAP_SYS_NICE or RLIMIT_NICE). A thread that it starts as a `RealTimeThread` is as all
/// others where it asks for no priority, and inherits this where it asked and was refused.
@discardableResult public func goBeforeOthers() -> Bool { rt_thread_set_niceness(-11) == 0 }

/// Has the calling thread be as all others of time sharing, whatever it inherited.
public func goWithOthers() {
  if rt_thread_niceness() < 0 { _ = rt_thread_set_niceness(0) }
}

/// Runs `body` while threads that are started inherit nothing of `goBeforeOthers`.
func startingUsualThreads<Result>(_ body: () -> Result) -> Result {
  let before = rt_thread_niceness()
  guard before < 0 else { return body() }
  _ = rt_thread_set_niceness(0)
  defer { _ = rt_thread_set_niceness(before) }
  return body()
}
