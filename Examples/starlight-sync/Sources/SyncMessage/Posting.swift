// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import FoundationNetworking
import Synchronization

extension SecretURL {
  /// Posts this text as JSON, and waits for what is answered: whether it was taken. No longer than `timeout` seconds.
  public func post(content: String, timeout: Double) -> Bool {
    guard let address = URL(string: text), let body = try? JSONEncoder().encode(["content": content]) else {
      return false
    }
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = nil
    configuration.timeoutIntervalForRequest = timeout
    configuration.timeoutIntervalForResource = timeout
    let session = URLSession(configuration: configuration)
    defer { session.invalidateAndCancel() }
    var request = URLRequest(url: address)
    request.httpMethod = "POST"
    request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    request.httpBody = body
    let answer = Answer()
    // Errors name the address: nothing is kept of them but that there was one.
    let task = session.dataTask(with: request) { _, response, error in
      let status = (response as? HTTPURLResponse)?.statusCode ?? 0
      answer.give(error == nil && (200..<300).contains(status))
    }
    task.resume()
    return answer.wait(timeout)
  }
}

/// Waits for one answer.
private final class Answer: Sendable {
  private let isTaken = Mutex(false)
  private let semaphore = DispatchSemaphore(value: 0)

  func give(_ isTaken: Bool) {
    self.isTaken.withLock { $0 = isTaken }
    semaphore.signal()
  }

  func wait(_ seconds: Double) -> Bool {
    _ = semaphore.wait(timeout: .now() + seconds + 1)
    return isTaken.withLock { $0 }
  }
}
