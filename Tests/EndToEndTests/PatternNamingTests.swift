// SPDX-License-Identifier: Apache-2.0

import Testing

/// What names no pattern, and is told before anything is read.
@Suite struct PatternNamingTests {
  @Test func onlyOneSideOfADifferenceIsTheStandardInput() throws {
    let run = try runTool(["diff", "-", "-"], socket: "/nonexistent")
    #expect(run.code == 2)
    #expect(run.output.contains("only one of both can be the standard input"))
  }

  @Test(arguments: [
    ["audition", ""], ["audition", "", "--draw"], ["convert", "", "--to", "csv"], ["diff", "", "x"],
  ])
  func anEmptyNameIsSaid(arguments: [String]) throws {
    let run = try runTool(arguments, socket: "/nonexistent")
    #expect(run.code == 2)
    #expect(run.output.contains("starlight: the name of the pattern is empty\n"), "\(run.output)")
  }
}
