// SPDX-License-Identifier: Apache-2.0

import CProcess
import Foundation
import FoundationNetworking
import Synchronization

/// Sends the message in the background. Nothing waits for it; what came of an attempt is asked for once a frame.
public final class MessageSender: Sendable {
  private let session: URLSession
  private let request: URLRequest?
  private let results = Mutex<[(attempt: Int, isDelivered: Bool)]>([])

  /// With nobody to send it to every attempt fails. Keeps the process's memory to itself from here on: no core of it is written,
  /// since the address would stand in it.
  public init(to url: SecretURL?, content: String, timeout: Double = 10) {
    _ = sync_keep_memory_private()
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = nil
    configuration.timeoutIntervalForRequest = timeout
    session = URLSession(configuration: configuration)
    guard let address = url.flatMap({ URL(string: $0.text) }),
      let body = try? JSONEncoder().encode(["content": content])
    else {
      request = nil
      return
    }
    var request = URLRequest(url: address)
    request.httpMethod = "POST"
    request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    request.httpBody = body
    self.request = request
  }

  deinit { session.invalidateAndCancel() }

  /// Begins an attempt, and returns at once.
  public func send(attempt: Int) {
    guard let request else { return add(attempt, false) }
    // Errors name the address: nothing is kept of them but that there was one.
    let task = session.dataTask(with: request) { [weak self] _, response, error in
      let status = (response as? HTTPURLResponse)?.statusCode ?? 0
      self?.add(attempt, error == nil && (200..<300).contains(status))
    }
    task.resume()
  }

  /// What came of attempts since this was asked last.
  public func takeResults() -> [(attempt: Int, isDelivered: Bool)] {
    results.withLock { results in
      defer { results = [] }
      return results
    }
  }

  private func add(_ attempt: Int, _ isDelivered: Bool) { results.withLock { $0.append((attempt, isDelivered)) } }
}
