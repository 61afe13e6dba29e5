// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import FreefallRules

extension Rules {
  /// The rules that tests ask about: the designed ones, or those of the file that `FREEFALL_RULES` names, by which
  /// `mutate-rules` finds out whether a test notices a number that was changed.
  public static let underTest: Rules = {
    guard let path = ProcessInfo.processInfo.environment["FREEFALL_RULES"] else { return .designed }
    do {
      return try JSONDecoder().decode(Rules.self, from: Data(contentsOf: URL(filePath: path)))
    } catch {
      fatalError("FREEFALL_RULES=\(path) holds no rules: \(error)")
    }
  }()
}
