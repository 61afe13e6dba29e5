// SPDX-License-Identifier: Apache-2.0

import Problems
import Testing

@testable import Wire

@Suite struct OpenRPCTests {
  private func object(_ value: JSONValue?) -> [String: JSONValue] {
    if case .object(let members)? = value { members } else { [:] }
  }

  private func array(_ value: JSONValue?) -> [JSONValue] {
    if case .array(let elements)? = value { elements } else { [] }
  }

  private func entry(_ list: String, _ name: String) -> JSONValue? {
    array(object(openRPCDocument(version: "1"))[list]).first { object($0)["name"] == .string(name) }
  }

  private func json(_ text: String) throws -> JSONValue {
    try decodeJSON(JSONValue.self, from: ArraySlice(text.utf8))
  }

  @Test func aMethodIsDescribedByItsParamsAndResult() throws {
    #expect(
      try entry("methods", "music.stop")
        == json(
          #"""
          {"name": "music.stop",
           "summary": "Fades the music out (500 ms by default) and forgets its position; without `atUs` all that is planned is called off.",
           "paramStructure": "by-name",
           "params": [
             {"name": "atUs", "required": false, "schema": {"type": "integer", "description": "microseconds"}},
             {"name": "fadeUs", "required": false, "schema": {"type": "integer", "description": "microseconds",
               "minimum": 0, "maximum": 60000000, "default": 500000}}],
           "result": {"name": "result", "schema": {
             "type": "object",
             "properties": {"scheduledUs": {"type": "integer", "description": "microseconds"},
                            "lateUs": {"type": "integer", "description": "microseconds"},
                            "plan": {"type": "integer"}},
             "required": ["scheduledUs", "lateUs", "plan"]}},
           "errors": [{"$ref": "#/components/errors/invalidParams"}, {"$ref": "#/components/errors/lineTooLong"},
                      {"$ref": "#/components/errors/internal"}, {"$ref": "#/components/errors/busy"},
                      {"$ref": "#/components/errors/heldByChapter"}, {"$ref": "#/components/errors/paused"}]}
          """#))
  }

  @Test func everyKindOfErrorIsDescribedOnceAndReferredToByWhatAnswersIt() throws {
    let document = object(openRPCDocument(version: "1"))
    let described = object(object(document["components"])["errors"])
    #expect(Set(described.keys) == Set(RPCError.Kind.allCases.map(\.rawValue)))
    #expect(
      try described["unknownName"]
        == json(
          #"""
          {"code": -32010, "data": {"kind": "unknownName"},
           "message": "No such thing, in a pack or among the outputs; candidates are the nearest names."}
          """#))
    let references = array(document["methods"]).flatMap { array(object($0)["errors"]) } + array(document["x-errors"])
    let named = references.compactMap { reference in
      if case .string(let name)? = object(reference)["$ref"] { name } else { nil }
    }
    #expect(named.count == references.count)
    #expect(Set(named) == Set(described.keys.map { "#/components/errors/\($0)" }))
  }

  @Test func codesAreAsDifferentAsKinds() {
    #expect(Set(RPCError.Kind.allCases.map(\.code)).count == RPCError.Kind.allCases.count)
  }

  @Test func aProblemIsDescribedByItsKindsAndPlaces() throws {
    let problem = Schema(of: Problem.self).fields
    #expect(problem.map(\.name) == ["kind", "where", "reason", "remedy"])
    #expect(problem[0].schema == .choice(Problem.Kind.allCases.map(\.rawValue)))
    #expect(
      problem[1].schema.fields.map(\.name) == ["pack", "asset", "device", "file", "line", "column", "field"])
    #expect(problem[1].schema.fields.allSatisfy { !$0.isRequired } && !problem[3].isRequired)
  }

  @Test func aNotificationIsDescribedWithItsNumberAndInstant() throws {
    #expect(
      try entry("x-notifications", "sound.finished")
        == json(
          #"""
          {"name": "sound.finished", "topic": "sound",
           "summary": "A sound effect ended, or never began; at `tUs`.",
           "params": {
             "type": "object",
             "properties": {"seq": {"type": "integer"}, "tUs": {"type": "integer", "description": "microseconds"},
                            "id": {"type": "integer"}, "sound": {"type": "string"},
                            "reason": {"type": "string", "enum": [
                              "ended", "stopped", "stolen", "cancelled", "skipped", "switchedOff",
                              "outdated"]},
                            "cue": {"type": "integer"}},
             "required": ["seq", "tUs", "id", "sound", "reason"]}}
          """#))
  }

  @Test func topicsAreDescribedAsAListOfChoices() throws {
    let params = array(object(entry("methods", "events.subscribe"))["params"])
    #expect(
      try params == [
        json(
          #"""
          {"name": "topics", "required": false, "schema": {"type": "array", "items": {"type": "string", "enum":
            ["music", "beats", "sound", "haptics", "rhythm", "cue", "parameter", "settings", "devices", "timeline",
             "engine", "packs"]},
            "default": ["music", "beats", "sound", "haptics", "rhythm", "cue", "parameter", "settings", "devices", "timeline",
             "engine", "packs"]}}
          """#)
      ])
  }

  @Test func theFieldsOfAnArraysElementsHaveTheirRanges() throws {
    let params = array(object(entry("methods", "haptics.scheduleCurve"))["params"])
    #expect(
      try params[2]
        == json(
          #"""
          {"name": "points", "required": true, "schema": {
             "type": "array", "minItems": 1, "maxItems": 256,
             "items": {"type": "object", "required": ["timeUs", "value"], "properties": {
               "timeUs": {"type": "integer", "description": "microseconds", "minimum": 0, "maximum": 3600000000},
               "value": {"type": "number", "minimum": -1, "maximum": 1}}}}}
          """#))
  }

  @Test func whatIsKnownOfAParamIsOfAFieldThatThereIs() {
    func places(_ schema: Schema, _ path: String) -> [String] {
      switch schema {
      case .array(let element): [path] + places(element, path + "[]")
      case .object(let fields): fields.flatMap { places($0.schema, (path.isEmpty ? "" : path + ".") + $0.name) }
      default: [path]
      }
    }
    func check<Method: WireMethod>(_ method: Method.Type) {
      let known = places(Schema(of: Method.Params.self), "")
      for parameter in Method.describedParams {
        #expect(known.contains(parameter.path), "\(Method.name) has no \(parameter.path)")
        #expect(!parameter.facts.isEmpty)
      }
    }
    for method in allMethods { check(method) }
  }

  @Test func everyNameIsANounAndAVerbAndStandsOnce() {
    let names = allMethods.map { $0.name } + allNotifications.map { $0.name }
    #expect(Set(names).count == names.count)
    for name in names { #expect(name.split(separator: ".").count == 2, "\(name)") }
  }
}
