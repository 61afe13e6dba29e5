// SPDX-License-Identifier: Apache-2.0

import GamePacks
import JSON
import Timing
import Wire

/// The parameter nouns of the socket.
extension Engine {
  /// `parameter.set`.
  public mutating func setParameter(_ params: ParameterSet.Params, by cause: Cause) throws(RPCError) -> Scheduled {
    let number = try parameter(params.parameter, by: cause)
    let ranges = ParameterSet.ranges
    let value = try ranges.value.checked(params.value)
    let over = Interval.microseconds(try ranges.over.checked(params.overUs))
    var (at, late) = try schedule(params.atUs, earliest: earliestSetting(of: number))
    if let word = params.quantise {
      (at, late) = try quantised(
        params.atUs.map(Instant.init(microseconds:)), earliest: at, to: word)
    }
    try asked { () throws(VerbRefusal) in try set(number, to: value, over: over, at: at, by: cause) }
    return Scheduled(scheduledUs: at.microseconds, lateUs: late.microseconds)
  }

  /// `parameter.list`.
  public func listParameters(_ params: ParameterList.Params) throws(RPCError) -> ParameterList.Result {
    let (packs, last) = try catalog.page(behind: params.after, of: "parameter")
    var page = ParameterList.Result(atUs: present.microseconds, parameters: [], more: false)
    var bytes = 60
    for pack in packs {
      let names = pack.manifest.parameters.keys.sorted()
      let left = names.drop { name in last.map { $0.pack == pack.name && name <= $0.name } ?? false }
      for number in left.compactMap({ parameters.number(of: pack.key($0)) }) {
        let listed = listed(parameters.parameters[number])
        bytes += listed.bytes
        if bytes > ParameterList.pageBytes {
          page.more = true
          return page
        }
        page.parameters.append(listed)
      }
    }
    return page
  }

  private func listed(_ parameter: ParameterBoard.Parameter) -> ParameterList.Parameter {
    let line = parameter.course.line
    return ParameterList.Parameter(
      parameter: parameter.key.description, value: parameter.course.value(at: turn.now),
      default: parameter.standard,
      target: line.to, untilUs: line.end > turn.now ? line.end.microseconds : nil,
      planned: parameter.course.settings.count)
  }

  private func parameter(_ name: String, by cause: Cause) throws(RPCError) -> Int {
    let key = try asset(.parameter, name, by: cause).key
    guard let number = parameters.number(of: key) else {
      throw RPCError(.internal, "parameter \(key) is listed but missing")
    }
    return number
  }
}

extension ParameterList.Parameter {
  /// As long as it is told at most, with the names of its members and the longest numbers.
  fileprivate var bytes: Int { 170 + parameter.utf8.count }
}
