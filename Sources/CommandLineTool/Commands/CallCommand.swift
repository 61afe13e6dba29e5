// SPDX-License-Identifier: Apache-2.0

import CommandTable
import JSON
import StarlightClient
import Wire

enum CallCommand {
  static let method = Argument("METHOD", help: "the method, such as `clock.now`; `rpc.discover` describes them all")
  static let params = Argument("JSON", help: "its params as a JSON object", isOptional: true)

  static let command = ToolCommand(
    "call", summary: "calls any method of the socket by hand", arguments: [method, params],
    examples: [
      .init("starlight call engine.status", "the whole state"),
      .init("starlight call music.play '{\"track\": \"audio_bgm_main\", \"crossfadeUs\": 2000000}'", "with params"),
    ], action: ToolAction(run))

  /// Why `text` is no object: where it is no JSON, at which place.
  private static func refusal(of text: String) -> ToolFailure {
    let (bytes, hint) = (Array(text.utf8), "write for example '{\"track\": \"audio_bgm_main\"}', quoted for the shell")
    do throws(JSONFault) {
      _ = try JSONTape(scanning: bytes, .ofTheDaemon)
    } catch {
      let place = TextPosition.positions(of: [error.offset], in: bytes)[0]
      return .usage(
        "the params are no JSON: \(error.reason), at line \(place.line), column \(place.column)",
        hint: error.remedy + "; " + hint)
    }
    return .usage("`\(text.cut(to: 60))` is no JSON object that can be read", hint: hint)
  }

  private static func run(_ tool: Tool) throws(ToolFailure) {
    let text = tool.invocation[params] ?? "{}"
    guard case .object? = jsonValue(Array(text.utf8)) else { throw refusal(of: text) }
    let connection = try tool.connect()
    do throws(ClientError) {
      let result = try connection.call(method: tool.invocation[method] ?? "", params: Array(text.utf8))
      if tool.wantsJSON || !tool.out.isInteractive {
        tool.out.line(String(decoding: result, as: UTF8.self))
      } else {
        tool.out.line(jsonValue(result).map { jsonText($0, indented: true) } ?? String(decoding: result, as: UTF8.self))
      }
    } catch {
      // Who speaks the wire's language is answered in it.
      var failure = ToolFailure(error)
      if case .rpc(let refusal) = error.kind { (failure.message, failure.hint) = (refusal.message, refusal.data.hint) }
      throw failure
    }
  }
}
