// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import SyncRules
import Testing

@testable import SyncFrontEnd

/// The message, at a server of the test's own, by the story's instants.
@Suite struct MessageSenderTests {
  private let canary = "canary-8d1f0c"

  private let folder = TemporaryFolder()

  private func sender(_ server: LocalServer) throws -> MessageSender {
    try sender(port: server.port, content: Rules.designed.message.content)
  }

  private func sender(port: Int, content: String) throws -> MessageSender {
    try folder.writeMessageURL("http://127.0.0.1:\(port)/\(canary)")
    return MessageSender(
      by: RealProgram.built("starlight-sync-message"), content: content,
      variable: "XDG_CONFIG_HOME=\(folder.path)/config")
  }

  /// The end of the story, and how it goes on: each result is told at the instant that it is looked for.
  private final class Ending {
    var story: Story
    var chance = Chance(seed: 1)
    let sender: MessageSender
    var nowUs: Int64 = 0

    init(_ sender: MessageSender) {
      self.sender = sender
      story = Story(rules: .designed, stored: Checkpoint.bytes(.eventHorizon))
      _ = story.start(atUs: 0, using: &chance)
    }

    func carryOut(_ outcomes: [Outcome]) {
      for case .send(let attempt, let withinUs) in outcomes { sender.send(attempt: attempt, withinUs: withinUs) }
    }

    func finish() { carryOut(story.act(.slide(to: 1), atUs: nowUs, using: &chance)) }

    func pass(_ us: Int64) {
      nowUs += us
      carryOut(story.advance(toUs: nowUs, using: &chance))
    }

    /// Looks until there is a result.
    func hear() {
      while true {
        let results = sender.takeResults()
        for result in results {
          story.tellMessage(attempt: result.attempt, isDelivered: result.isDelivered, atUs: nowUs)
        }
        if !results.isEmpty { return }
        usleep(1_000)
      }
    }
  }

  @Test func itIsPostedAsJSONWithItsText() throws {
    let server = LocalServer(answering: [204])
    let ending = Ending(try sender(server))
    ending.finish()
    ending.hear()
    #expect(ending.story.message.state == .delivered)
    let received = server.received
    #expect(received.count == 1)
    #expect(received.first?.head.hasPrefix("POST /\(canary) HTTP/1.1") == true)
    #expect(received.first?.head.lowercased().contains("content-type: application/json\r\n") == true)
    #expect(received.first?.body == #"{"content":"@everyone SHE SAID YES! ❤️"}"#)
  }

  @Test(arguments: [
    ("she said \"yes\" \\o/", #"{"content":"she said \"yes\" \\o\/"}"#), ("Ja! 💍", #"{"content":"Ja! 💍"}"#),
  ])
  func anotherTextIsPostedAsItIs(text: String, body: String) throws {
    let server = LocalServer(answering: [200])
    let ending = Ending(try sender(port: server.port, content: text))
    ending.finish()
    ending.hear()
    #expect(server.received.first?.body == body)
  }

  @Test func itIsTriedThreeTimesAndThenGivenUpWithoutAWord() throws {
    let server = LocalServer(answering: [500, 404, 503])
    let ending = Ending(try sender(server))
    ending.finish()
    ending.hear()
    #expect(server.received.count == 1)
    ending.pass(999_999)
    #expect(ending.story.message.state == .waiting(attempt: 1, untilUs: 1_000_000))
    ending.pass(1)
    ending.hear()
    #expect(server.received.count == 2)
    ending.pass(1_999_999)
    #expect(ending.story.message.state == .waiting(attempt: 2, untilUs: 3_000_000))
    ending.pass(1)
    ending.hear()
    #expect(server.received.count == 3)
    #expect(ending.story.message.state == .givenUp)
    ending.pass(60_000_000)
    #expect(server.received.count == 3)
  }

  /// Who follows would ask for the other place without the text, and take its answer for the message's.
  @Test(arguments: [301, 302, 303, 307, 308])
  func aPlaceElsewhereIsNotGoneToAndIsNoDelivery(status: Int) throws {
    let server = LocalServer(answering: [status, 200], location: "/elsewhere")
    let ending = Ending(try sender(server))
    ending.finish()
    ending.hear()
    try #require(ending.story.message.state == .waiting(attempt: 1, untilUs: 1_000_000))
    #expect(server.received.map { $0.head.prefix(6) } == ["POST /"])
    // It is tried again, where it is to go.
    ending.pass(1_000_000)
    ending.hear()
    #expect(ending.story.message.state == .delivered)
    #expect(server.received.last?.head.hasPrefix("POST /\(canary) HTTP/1.1") == true)
  }

  @Test func itIsDeliveredWhereALaterAttemptIs() throws {
    let server = LocalServer(answering: [500, 200])
    let ending = Ending(try sender(server))
    ending.finish()
    ending.hear()
    ending.pass(1_000_000)
    ending.hear()
    #expect(ending.story.message.state == .delivered)
    ending.pass(60_000_000)
    #expect(server.received.count == 2)
  }

  /// The server answers only when the test has gone on: who waited for it would wait for ever.
  @Test func nothingWaitsForAServerThatDoesNotAnswer() throws {
    let server = LocalServer(answering: [200], isHolding: true)
    let ending = Ending(try sender(server))
    ending.finish()
    #expect(server.wait(for: 1))
    for _ in 0..<600 { ending.pass(16_667) }
    #expect(ending.sender.takeResults().isEmpty)
    #expect(ending.story.message.state == .sending(attempt: 1))
    server.release()
    ending.hear()
    #expect(ending.story.message.state == .delivered)
  }

  @Test func nothingWaitsForAProgramThatIsSlowToBegin() {
    let (asked, allowed) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let ending = Ending(
      MessageSender { _ in
        asked.signal()
        allowed.wait()
        return nil
      })
    ending.finish()
    #expect(asked.wait(timeout: .now() + 60) == .success)
    ending.pass(16_667)
    #expect(ending.sender.isSending)
    #expect(ending.sender.takeResults().isEmpty)
    allowed.signal()
    ending.hear()
    #expect(!ending.sender.isSending)
    #expect(ending.story.message.state == .waiting(attempt: 1, untilUs: 1_016_667))
  }

  /// Whatever the thread that begins it keeps from itself.
  @Test func theProgramCanBeEndedBySignals() throws {
    let (program, told) = (folder.path + "/program", folder.path + "/signals")
    // A shell would let all signals in by itself.
    let script =
      "#!/usr/bin/awk -f\nBEGIN { while ((getline < \"/proc/self/status\") > 0) if (/^SigBlk/) print > \"\(told)\" }\n"
    try Data(script.utf8).write(to: URL(filePath: program + ".awk"))
    // Written by a process of its own: what this one writes the child that another test begins meanwhile holds open for a moment,
    // and a program that is open for writing cannot be begun (ETXTBSY).
    let installing = try Process.run(
      URL(filePath: "/usr/bin/install"), arguments: ["-m", "700", program + ".awk", program])
    installing.waitUntilExit()
    try #require(installing.terminationStatus == 0)
    let ending = Ending(
      MessageSender { withinUs in
        var (all, before) = (sigset_t(), sigset_t())
        sigfillset(&all)
        pthread_sigmask(SIG_SETMASK, &all, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        return MessageSender.begin(program, withinUs: withinUs, Array("x".utf8), nil)
      })
    ending.finish()
    ending.hear()
    #expect(ending.story.message.state == .delivered)
    #expect(try String(contentsOfFile: told, encoding: .utf8) == "SigBlk:\t0000000000000000\n")
  }

  @Test func aServerThatIsNotThereFails() throws {
    let ending = Ending(try sender(port: 1, content: "x"))
    ending.finish()
    ending.hear()
    #expect(ending.story.message.state == .waiting(attempt: 1, untilUs: 1_000_000))
  }

  @Test func aTextThatIsTooLongIsNotSent() throws {
    let server = LocalServer(answering: [200])
    let longest = try sender(port: server.port, content: String(repeating: "x", count: 4_096))
    let ending = Ending(longest)
    ending.finish()
    ending.hear()
    #expect(ending.story.message.state == .delivered)
    let longer = Ending(try sender(port: server.port, content: String(repeating: "x", count: 4_097)))
    longer.finish()
    longer.hear()
    #expect(longer.story.message.state == .waiting(attempt: 1, untilUs: 1_000_000))
    #expect(server.received.count == 1)
  }

  @Test(arguments: [nil, "/nowhere/starlight-sync-message"])
  func withoutAProgramItIsGivenUpWithoutAWord(program: String?) {
    let ending = Ending(MessageSender(by: program, content: "x"))
    ending.finish()
    for waitUs in [1_000_000, 2_000_000, 0] as [Int64] {
      ending.hear()
      ending.pass(waitUs)
    }
    #expect(ending.story.message.state == .givenUp)
  }
}
