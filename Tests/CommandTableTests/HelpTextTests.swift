// SPDX-License-Identifier: Apache-2.0

import CommandTable
import Testing

@Suite struct HelpTextTests {
  @Test func showsTheProgramsCommandsOptionsAndExitCodes() {
    #expect(
      Example.program.helpText(width: 60) == """
        Usage: lamp COMMAND [OPTIONS]

        Lights lamps.

        Speaks to the lamps of the house.

        Commands:
          light              lights a lamp
          scene              sets and shows scenes
          completions        prints completions

        Options:
              --socket PATH  where the lamp is (or $LAMP_SOCKET)
          -j, --json         print JSON
          -h, --help         show this help
              --version      show the version

        Exit status:
          0                  all is well
          2                  the command line makes no sense

        See `lamp COMMAND --help` for more about a command.

        """)
  }

  @Test func showsACommandsArgumentsOptionsAndExamples() {
    #expect(
      Example.program.helpText(for: ["light"], width: 72) == """
        Usage: lamp light NAME [OTHER...] [OPTIONS]

        Lights a lamp.

        Arguments:
          NAME                 the lamp to light
          OTHER                more lamps

        Options:
          -l, --level X        how bright (0 to 4, default 1)
              --pan X          where to (-1 to 1)
          -n, --count N        how often (1 to 10)
              --fade SECONDS   how long the change takes (0 to 120 s, default
                               0.5)
              --colour COLOUR  which colour: red, green or blue
          -v, --verbose        say more

        Common options:
              --socket PATH    where the lamp is (or $LAMP_SOCKET)
          -j, --json           print JSON
          -h, --help           show this help

        Examples:
          lamp light kitchen --level 2
              twice as bright

        """)
  }

  @Test(arguments: ["--help", "light --help", "--socket x light kitchen --bogus -h", "help light", "help"])
  func isShownWhereverItIsAskedFor(line: String) {
    let words = line.split(separator: " ").map(String.init)
    let path = words.contains("light") ? ["light"] : []
    guard case .help(let text)? = try? Example.program.parse(words) else {
      Issue.record("no help for \(line)")
      return
    }
    #expect(text == Example.program.helpText(for: path))
  }

  @Test func aVersionIsAskedForAnywhere() throws {
    guard case .version = try Example.program.parse(["light", "--version"]) else {
      Issue.record("no version")
      return
    }
  }

  @Test func noWordsAtAllAskForTheHelpOfAProgramWithCommands() throws {
    guard case .help(let text) = try Example.program.parse([]) else {
      Issue.record("no help")
      return
    }
    #expect(text == Example.program.helpText())
    // An option is a beginning of something: what is missing is told.
    #expect(Example.error("--json")?.message == "a command is needed: light, scene or completions")
  }

  @Test func breaksBetweenWordsAndNeverInsideBackticks() {
    #expect(wrapped("aaa bbb ccc", width: 7) == ["aaa bbb", "ccc"])
    #expect(wrapped("see `b c` now", width: 7) == ["see", "`b c`", "now"])
    #expect(wrapped("unbreakable a", width: 4) == ["unbreakable", "a"])
    #expect(wrapped("", width: 4) == [])
  }
}
