// SPDX-License-Identifier: Apache-2.0

/// What is sent.
public enum MessageText {
  /// The longest text in bytes: less than a pipe holds, so that handing it over waits for nobody.
  public static let mostBytes = 4_096
}
