// SPDX-License-Identifier: Apache-2.0

import Glibc
import Testing

@testable import Host

/// What cannot be done is not said to be done.
@Suite struct TruthTests {
  @Test func withoutDescriptorsATrackIsRefusedAndMemoryIsToldAllTheSame() async {
    await #expect(processExitsWith: .success) {
      let rig = try HostRig()
      HostRig.useUpDescriptors()
      let reply = rig.ask("music.play", #"{"track":"main"}"#)
      let status = rig.ask("engine.status")
      let isRefused = reply.contains(#""kind":"unavailable""#) && reply.contains("track game:main cannot be played")
      let isTold = rig.host.status().problems.contains {
        $0.kind == .unreadable && $0.where.asset?.name == "main" && $0.reason == "cannot be played: Too many open files"
      }
      let isStopped = rig.ask("music.status").contains(#""state":"stopped""#)
      exit(isRefused && isTold && isStopped && !status.contains(#""residentBytes":0"#) ? 0 : 1)
    }
  }

  @Test func memoryIsTold() {
    let memory = Resources().current
    #expect(memory.residentBytes > 1_000_000)
    #expect(memory.peakResidentBytes > 1_000_000)
  }

  @Test func aDocumentIsCompiledWhereTheErrandIsDone() throws {
    let rig = try HostRig()
    let document = #"{"Version":1,"Pattern":[{"Event":{"Time":0,"EventType":"HapticTransient"}}]}"#
    let errand = Errand()
    _ = rig.ask("haptics.play", "{\"ahap\":\(document)}", errand: errand)
    #expect(errand.isLeft)
    #expect(rig.ask("engine.status").contains(#""state":"stopped""#))
    errand.run()
    #expect(!errand.isLeft)
    #expect(rig.ask("haptics.play", "{\"ahap\":\(document)}", errand: errand).contains(#""player":1"#))
  }

  @Test func whatIsWrongWithADocumentIsToldWhenTheErrandIsDone() throws {
    let rig = try HostRig()
    let errand = Errand()
    _ = rig.ask("haptics.play", #"{"ahap":{"Pattern":7}}"#, errand: errand)
    errand.run()
    #expect(rig.ask("haptics.play", #"{"ahap":{"Pattern":7}}"#, errand: errand).contains("ahap cannot be read"))
  }

  @Test func aLifeIsToldBesideByWhatWasRecordedWhenItWasAskedFor() throws {
    let rig = try HostRig()
    #expect(rig.ask("sound.play", #"{"sound":"sfx_click"}"#).contains(#""id":1"#))
    rig.step(microseconds: 50_000)
    let atOnce = rig.ask("trace.explain")
    #expect(atOnce.contains(#""kind":"sound""#) && atOnce.contains(#""stage":"heard""#))
    let (known, unknown) = (Errand(), Errand())
    _ = rig.ask("trace.explain", errand: known)
    _ = rig.ask("trace.explain", #"{"kind":"sound","id":2}"#, errand: unknown)
    #expect(known.isLeft && unknown.isLeft)
    #expect(rig.ask("sound.play", #"{"sound":"sfx_click"}"#).contains(#""id":2"#))
    known.run()
    unknown.run()
    #expect(rig.ask("trace.explain", errand: known) == atOnce)
    #expect(rig.ask("trace.explain", #"{"kind":"sound","id":2}"#, errand: unknown).contains("no record of sound 2"))
  }
}
