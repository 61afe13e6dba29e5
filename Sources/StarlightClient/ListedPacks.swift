// SPDX-License-Identifier: Apache-2.0

import Wire

extension StarlightConnection {
  /// All that `pack.list` tells, page by page; `timeoutUs` is for each.
  package func listPacks(timeoutUs: Int64 = 10_000_000) throws(ClientError) -> PackList.Result {
    var list = try call(PackList.self, PackList.Params(), timeoutUs: timeoutUs)
    while list.more == true, let last = list.packs.last {
      let next = try call(PackList.self, PackList.Params(after: last.name), timeoutUs: timeoutUs)
      list.packs += next.packs
      list.more = next.packs.isEmpty ? nil : next.more
    }
    list.more = nil
    return list
  }

  /// All that `parameter.list` tells, page by page, each parameter as it was when its page was told; `timeoutUs` is for each.
  package func listParameters(timeoutUs: Int64 = 10_000_000) throws(ClientError) -> ParameterList.Result {
    var list = try call(ParameterList.self, ParameterList.Params(), timeoutUs: timeoutUs)
    while list.more, let last = list.parameters.last {
      let next = try call(ParameterList.self, ParameterList.Params(after: last.parameter), timeoutUs: timeoutUs)
      list.parameters += next.parameters
      list.more = next.more && !next.parameters.isEmpty
    }
    return list
  }
}
