// SPDX-License-Identifier: Apache-2.0

import CommandTable
import GamePacks

enum PackSchemaCommand {
  static let kind = Argument(
    "KIND", help: "pack: of pack.json; beats: of a beat map", completion: .choices(PackSchema.allCases.map(\.rawValue)))

  static let command = ToolCommand(
    "schema", summary: "prints the JSON Schema of a pack's files, for editors",
    discussion: [
      "An editor that knows JSON Schema completes and checks a file whose `$schema` names one. Installed ones are in "
        + "share/starlight/schemas. What a schema cannot see, as a name that leads nowhere, `starlight pack check` does."
    ],
    arguments: [kind],
    examples: [
      .init("starlight pack schema pack > pack.schema.json", "to be named by `\"$schema\": \"pack.schema.json\"`")
    ],
    action: ToolAction(run))

  private static func run(_ tool: Tool) throws(ToolFailure) {
    tool.out.write((tool.invocation[kind].flatMap(PackSchema.init) ?? .pack).text)
  }
}
