// SPDX-License-Identifier: Apache-2.0

import Engine
import Host
import Wire

/// The methods that are the server's own: session, events, discovery.
extension Server {
  func registerOwnMethods() {
    router.on(SessionHello.self) { [unowned self] params, _ throws(RPCError) in try hello(params) }
    router.on(EventsSubscribe.self) { [unowned self] params, context throws(RPCError) in
      // What happened before the snapshot is told to those who were subscribed before it.
      if let connection = connections[context.cause.client] { catchUp(connection) }
      let added = params.topics ?? EventsSubscribe.ranges.topics.fallback
      let topics = changeTopics(of: context.cause.client) { $0.union(added) }
      return EventsSubscribe.Result(topics: topics, snapshot: host.status())
    }
    router.on(EventsUnsubscribe.self) { [unowned self] params, context throws(RPCError) in
      if let connection = connections[context.cause.client] { catchUp(connection) }
      let ended = params.topics ?? EventsUnsubscribe.ranges.topics.fallback
      let topics = changeTopics(of: context.cause.client) { $0.subtracting(ended) }
      return EventsUnsubscribe.Result(topics: topics)
    }
    router.on(EngineStats.self) { [unowned self] params, _ throws(RPCError) in
      stats(over: .microseconds(try EngineStats.ranges.over.checked(params.overUs)))
    }
    let answered = Set(router.methodNames).union([RPCDiscover.name])
    // Half of what a start takes; but what the runtime finds out of the types for it, it keeps. Left until somebody asks, the
    // first line of each kind would find it out, and what is in real time wait for the runtime with it: pads were 3 ms late.
    let document = openRPCDocument(
      version: starlightVersion, methods: allMethods.filter { answered.contains($0.name) })
    router.on(RPCDiscover.self, always: document)
    let missing = allMethods.map { $0.name }.filter { !answered.contains($0) }
    if !missing.isEmpty { log(.warning, "not answered by this daemon: \(missing.joined(separator: ", "))") }
  }

  private func hello(_ params: SessionHello.Params) throws(RPCError) -> SessionHello.Result {
    let wanted = params.protocol ?? SessionHello.ranges.version.fallback
    guard SessionHello.ranges.version.range.contains(wanted) else {
      throw RPCError(
        .unsupportedProtocol, "protocol \(wanted) is not spoken here, only \(protocolVersion)",
        hint: "send \(field: "protocol") \(protocolVersion), or leave it out")
    }
    return SessionHello.Result(
      protocol: protocolVersion, server: "starlightd \(starlightVersion)", clock: host.clockKind,
      nowUs: host.now.microseconds, bootId: bootID, instanceId: instanceID, limits: configuration.limits,
      capabilities: host.clockKind == .stepped ? [ClockStep.name] : [], calibration: host.calibration)
  }

  /// Changes what a client is subscribed to, effective behind the reply; the topics from then on.
  private func changeTopics(of client: ClientID, _ change: (Set<Topic>) -> Set<Topic>) -> [Topic] {
    guard let connection = connections[client] else { return [] }
    let topics = change(connection.topicsBehindReply ?? connection.channel.topics)
    connection.topicsBehindReply = topics
    return Topic.allCases.filter(topics.contains)
  }
}
