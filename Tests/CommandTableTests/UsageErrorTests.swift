// SPDX-License-Identifier: Apache-2.0

import CommandTable
import Testing

@Suite struct UsageErrorTests {
  @Test(arguments: [
    ("lihgt", "unknown command `lihgt`; did you mean light?", "see `lamp --help`"),
    ("stop", "unknown command `stop`; did you mean `lamp scene stop`?", "see `lamp --help`"),
    ("scene sto", "unknown command `sto`; did you mean stop?", "see `lamp scene --help`"),
    ("light kitchen --levle 2", "unknown option --levle; did you mean --level?", "see `lamp light --help`"),
    ("light kitchen --xyzzy", "unknown option --xyzzy", "see `lamp light --help`"),
    ("light kitchen -x", "unknown option -x", "see `lamp light --help`"),
    ("light kitchen --level", "--level needs a value: a number from 0 to 4", "see `lamp light --help`"),
    ("light kitchen --level --json", "--level needs a value: a number from 0 to 4", "see `lamp light --help`"),
    ("light kitchen --level loud", "--level: `loud` is not a number from 0 to 4", "see `lamp light --help`"),
    ("light kitchen --level 5", "--level: `5` is not a number from 0 to 4", "see `lamp light --help`"),
    ("light kitchen --level nan", "--level: `nan` is not a number from 0 to 4", "see `lamp light --help`"),
    ("light kitchen -n 0", "--count: `0` is not a whole number from 1 to 10", "see `lamp light --help`"),
    ("light kitchen -n 1.5", "--count: `1.5` is not a whole number from 1 to 10", "see `lamp light --help`"),
    (
      "light kitchen --fade -1", "--fade: `-1` is not a time in seconds (0 to 120 s), such as 1.5 or 250ms",
      "see `lamp light --help`"
    ),
    ("light kitchen --colour gren", "--colour: `gren` is not red, green or blue", "see `lamp light --help`"),
    ("light", "light needs NAME: the lamp to light", "see `lamp light --help`"),
    ("scene show now", "unexpected `now`: lamp scene show takes no arguments", "see `lamp scene show --help`"),
    ("completions tcsh", "SHELL: `tcsh` is not bash or fish", "see `lamp completions --help`"),
    ("completions bsh", "SHELL: `bsh` is not bash or fish; did you mean bash?", "see `lamp completions --help`"),
    ("scene", "scene needs a command: show or stop", "see `lamp scene --help`"),
    ("--json", "a command is needed: light, scene or completions", "see `lamp --help`"),
    ("light kitchen --verbose=1", "--verbose takes no value", "see `lamp light --help`"),
    ("help lihgt", "unknown command `lihgt`; did you mean light?", "see `lamp --help`"),
  ])
  func saysWhatIsWrongAndWhatToDo(line: String, message: String, hint: String) {
    let error = Example.error(line)
    #expect(error?.message == message && error?.hint == hint)
  }

  @Test func tellsWhichCommandIsUnknown() {
    #expect(Example.error("scene sto now --json")?.unknownPath == ["scene", "sto", "now"])
    #expect(Example.error("help scene sto")?.unknownPath == ["scene", "sto"])
    #expect(Example.error("scene show now")?.unknownPath == ["scene", "show", "now"])
    #expect(Example.error("light kitchen --xyzzy")?.unknownPath == [])
  }

  @Test func namesTheEnvironmentVariableThatIsWrong() throws {
    let level = OptionKey.number("level", in: 0...1, environment: "LEVEL", help: "how much")
    let program = CommandLineProgram(
      root: Command("dim", summary: "dims", options: [level.option]), version: "1")
    #expect(throws: UsageError("$LEVEL: `x` is not a number from 0 to 1", hint: "see `dim --help`")) {
      try program.parse([], environment: ["LEVEL": "x"])
    }
  }
}
