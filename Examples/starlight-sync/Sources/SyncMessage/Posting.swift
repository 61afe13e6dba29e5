// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import FoundationNetworking
import Synchronization

extension SecretURL {
  /// Posts this text as JSON, and waits for what is answered: whether it was taken. No longer than `timeout` seconds.
  /// An answer that names another place is a refusal: whoever goes there asks for something else, without the text.
  public func post(content: String, timeout: Double) -> Bool {
    guard let address = URL(string: text), let body = try? JSONEncoder().encode(["content": content]) else {
      return false
    }
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = nil
    configuration.timeoutIntervalForRequest = timeout
    configuration.timeoutIntervalForResource = timeout
    let answer = Answer()
    let session = URLSession(configuration: configuration, delegate: answer, delegateQueue: nil)
    defer { session.invalidateAndCancel() }
    var request = URLRequest(url: address)
    request.httpMethod = "POST"
    request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    request.httpBody = body
    session.dataTask(with: request).resume()
    return answer.wait(timeout)
  }
}

/// Waits for one answer.
private final class Answer: NSObject, URLSessionDataDelegate, Sendable {
  private let isTaken = Mutex(false)
  private let semaphore = DispatchSemaphore(value: 0)

  func wait(_ seconds: Double) -> Bool {
    _ = semaphore.wait(timeout: .now() + seconds + 1)
    return isTaken.withLock { $0 }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
  ) { completionHandler(nil) }

  /// Errors name the address: nothing is kept of them but that there was one.
  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    let status = (task.response as? HTTPURLResponse)?.statusCode ?? 0
    isTaken.withLock { $0 = error == nil && (200..<300).contains(status) }
    semaphore.signal()
  }
}
