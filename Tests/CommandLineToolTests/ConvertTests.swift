import Testing

@testable import CommandLineTool

@Suite struct ConvertTests {
  @Test func theFormatIsSaidOrReadFromTheEnding() throws {
    #expect(try ConvertCommand.chosenFormat(nil, out: "a/b.SVG") == .svg)
    #expect(try ConvertCommand.chosenFormat("csv", out: "-") == .csv)
    #expect(try ConvertCommand.chosenFormat("csv", out: "table.txt") == .csv)
    for (named, out) in [(nil, "-"), (nil, "picture.png"), (nil, "svg"), ("wav", "-")] as [(String?, String)] {
      #expect { try ConvertCommand.chosenFormat(named, out: out) } throws: { ($0 as? ToolFailure)?.exit == .usage }
    }
  }
}
