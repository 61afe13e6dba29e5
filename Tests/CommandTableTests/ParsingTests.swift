// SPDX-License-Identifier: Apache-2.0

import CommandTable
import Testing

@Suite struct ParsingTests {
  @Test func findsTheCommandAndItsArguments() throws {
    let invocation = try Example.run("light kitchen hall porch")
    #expect(invocation.path == ["light"])
    #expect(invocation[Example.name] == "kitchen")
    #expect(invocation.all(Example.others) == ["hall", "porch"])
  }

  @Test func findsSubcommands() throws {
    #expect(try Example.run("scene show").path == ["scene", "show"])
  }

  @Test(arguments: ["--level 2.5", "--level=2.5", "-l 2.5", "-l2.5", "-l=2.5", "-vl2.5"])
  func readsAValueHoweverItIsAttached(spelling: String) throws {
    #expect(try Example.run("light kitchen \(spelling)")[Example.level] == 2.5)
  }

  @Test func readsClusteredFlags() throws {
    let invocation = try Example.run("light -jv kitchen")
    #expect(invocation[Example.json])
    #expect(invocation[Example.verbose])
    #expect(!(try Example.run("light kitchen"))[Example.verbose])
  }

  @Test func takesGlobalOptionsBeforeAndAfterTheCommand() throws {
    #expect(try Example.run("--socket a light kitchen")[Example.socket] == "a")
    #expect(try Example.run("light kitchen --socket=a")[Example.socket] == "a")
  }

  @Test func takesNegativeNumbersAsValuesAndArguments() throws {
    #expect(try Example.run("light kitchen --pan -0.5")[Example.pan] == -0.5)
    #expect(try Example.run("light -5")[Example.name] == "-5")
    #expect(try Example.run("light -6dB")[Example.name] == "-6dB")
    #expect(Example.error("light kitchen --level -6dB")?.message == "--level: `-6dB` is not a number from 0 to 4")
  }

  @Test func takesEverythingAfterTwoDashesAsArguments() throws {
    let invocation = try Example.run("light -- --level --help")
    #expect(invocation[Example.name] == "--level")
    #expect(invocation.all(Example.others) == ["--help"])
    #expect(invocation[Example.level] == 1)
  }

  @Test(arguments: ["light -h", "light -hv", "-hj light"])
  func showsHelpWhereverItIsAskedFor(line: String) throws {
    let error = #expect(throws: Example.Shown.self) { try Example.run(line) }
    #expect(error?.text.hasPrefix("Usage: lamp light") == true)
  }

  @Test func takesALoneDashAsAnArgument() throws {
    #expect(try Example.run("light -")[Example.name] == "-")
  }

  @Test func theLastOfRepeatedOptionsCounts() throws {
    #expect(try Example.run("light kitchen -n 2 -n 3")[Example.count] == 3)
  }

  @Test(arguments: [("2", 2.0), ("1.5s", 1.5), ("250ms", 0.25), ("2m", 120), ("0", 0), ("1e-1", 0.1)])
  func readsDurations(text: String, seconds: Double) throws {
    #expect(try Example.run("light kitchen --fade \(text)")[Example.fade] == seconds)
  }

  @Test func fallsBackToTheDefaultThenToNothing() throws {
    let invocation = try Example.run("light kitchen")
    #expect(invocation[Example.fade] == 0.5)
    #expect(invocation[Example.count] == nil)
  }

  @Test func theEnvironmentCountsOnlyWhereTheOptionIsMissing() throws {
    let environment = ["LAMP_SOCKET": "/run/lamp"]
    #expect(try Example.run("scene show", environment: environment)[Example.socket] == "/run/lamp")
    #expect(try Example.run("scene show --socket=x", environment: environment)[Example.socket] == "x")
    #expect(try Example.run("scene show", environment: ["LAMP_SOCKET": ""])[Example.socket] == nil)
  }
}
