// SPDX-License-Identifier: Apache-2.0

/// Why an output could not be started or a file not be written, told to people: what, why, and the remedy.
public struct AudioOutputError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What kind of failure; more may come.
  public struct Code: Hashable, Sendable {
    /// A stable name, as on the wire.
    public let name: String
    /// No such device.
    public static let deviceMissing = Code(name: "deviceMissing")
    /// Somebody else holds it.
    public static let deviceBusy = Code(name: "deviceBusy")
    /// This user may not open it.
    public static let deviceDenied = Code(name: "deviceDenied")
    /// Anything else that kept it from being opened.
    public static let deviceFailed = Code(name: "deviceFailed")
    /// It has no rate, format or buffer that the engine could use.
    public static let parametersRefused = Code(name: "parametersRefused")
    /// It did not answer in time and was left as it was.
    public static let deviceHangs = Code(name: "deviceHangs")
    /// The system gave no thread.
    public static let threadRefused = Code(name: "threadRefused")
    /// A recording could not be created or written.
    public static let recordingFailed = Code(name: "recordingFailed")
  }

  /// What kind of failure.
  public let code: Code
  /// For people: the thing, the reason, the remedy.
  public let message: String

  /// The message.
  public var description: String { message }

  init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }
}
