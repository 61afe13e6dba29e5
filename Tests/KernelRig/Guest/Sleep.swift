// SPDX-License-Identifier: Apache-2.0

/// The kernel's own test of suspending: its devices go through suspend and resume while every process stands still, and the
/// machine itself stays awake (basic-pm-debugging.rst in the kernel's documentation: `pm_test` of `devices`).
enum Sleep {
  /// Returns when all is awake again.
  static func now(forSeconds seconds: Int) throws {
    try writeFile("/sys/module/suspend/parameters/pm_test_delay", "\(seconds)")
    try writeFile("/sys/power/pm_test", "devices")
    try writeFile("/sys/power/state", "freeze")
    try writeFile("/sys/power/pm_test", "none")
  }
}
