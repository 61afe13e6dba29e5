// SPDX-License-Identifier: Apache-2.0

import CommandTable
import Testing

@testable import Server

@Suite struct DaemonProgramTests {
  @Test(arguments: Shell.allCases)
  func completionsKnowEveryOption(shell: Shell) {
    let script = daemonProgram.completions(for: shell)
    for option in daemonProgram.root.options {
      #expect(script.contains(shell == .fish ? "-l \(option.name)" : option.dashed), "\(option.dashed)")
    }
    #expect(script.contains("live stepped"))
  }

  @Test func completionsAreForAShellThatIsKnown() {
    #expect(throws: UsageError.self) { try daemonProgram.parse(["--completions", "tcsh"]) }
  }

  @Test func helpTellsTheRangesOfNumbers() {
    let help = daemonProgram.helpText(width: 100).split { $0 == " " || $0 == "\n" }.joined(separator: " ")
    #expect(help.contains("(8000 to 192000, default 48000)"))
    #expect(help.contains("(16 to 8192)"))
  }
}
