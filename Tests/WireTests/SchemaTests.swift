// SPDX-License-Identifier: Apache-2.0

import Testing
import Wire

@Suite struct SchemaTests {
  @Test func fieldsAreRecordedInOrderWithTypeAndOptionality() {
    #expect(
      Schema(of: CueFire.Params.self)
        == .object([
          .init("cue", .string),
          .init("atUs", .integer, required: false),
          .init("tag", .string, required: false),
          .init("after", .string, required: false),
          .init("afterUs", .integer, required: false),
          .init("quantise", .string, required: false),
          .init("align", .choice(["together", "soundFirst", "asap"]), required: false),
          .init("keepAfterDisconnectUs", .integer, required: false),
        ]))
  }

  @Test func optionalFieldsOfEveryPrimitiveAreRecorded() {
    #expect(
      Schema(of: SoundPlay.Params.self)
        == .object([
          .init("sound", .string),
          .init("atUs", .integer, required: false),
          .init("gain", .number, required: false),
          .init("pan", .number, required: false),
          .init("pitch", .number, required: false),
          .init("loop", .boolean, required: false),
          .init("keepAfterDisconnectUs", .integer, required: false),
        ]))
  }

  @Test func arraysNestedObjectsAndAnyValueAreRecorded() {
    #expect(
      Schema(of: PackList.Result.self).at([Key("packs"), Key("0"), Key("sounds")])
        == .array(
          .object([.init("name", .string), .init("durationUs", .integer), .init("available", .boolean)])))
    #expect(Schema(of: HapticsPlay.Params.self).fields[1] == .init("ahap", .any, required: false))
    #expect(Schema(of: EventsSubscribe.Params.self).fields[0].schema == .array(.choice(Topic.allCases.map(\.rawValue))))
    #expect(Schema(of: Empty.self) == .object([]))
  }

  @Test func noMethodHasAPartThatCouldNotBeRecorded() {
    func holes(_ schema: Schema, _ path: String) -> [String] {
      switch schema {
      case .any: [path]
      case .array(let element): holes(element, path + "[]")
      case .object(let fields): fields.flatMap { holes($0.schema, path + "." + $0.name) }
      default: []
      }
    }
    func paramsAndResult<Method: WireMethod>(_ method: Method.Type) -> [String] {
      holes(Schema(of: Method.Params.self), Method.name) + holes(Schema(of: Method.Result.self), Method.name + " ->")
    }
    #expect(allMethods.flatMap { paramsAndResult($0) } == ["rpc.discover ->", "haptics.play.ahap", "rhythm.start.map"])
  }

  private struct Key: CodingKey {
    var stringValue: String
    var intValue: Int? { Int(stringValue) }
    init(_ name: String) { stringValue = name }
    init?(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { nil }
  }
}
