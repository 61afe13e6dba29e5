// SPDX-License-Identifier: Apache-2.0

import CommandTable

/// The name of a file as it can be shown on a terminal and in one line of a log: what would move a cursor, end the line or
/// turn its direction as `\u001b`, like all text from outside.
public func printable(_ name: String) -> String { visibleText(name) }
