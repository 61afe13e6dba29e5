// SPDX-License-Identifier: Apache-2.0

import Files
import GamePacks
import Problems
import Suggestions

extension Problem {
  /// The same of a file that a pack names and that is not there, with what was most likely meant: a file beside it whose name
  /// is like it, or folders separated as elsewhere; of audio that is not kept with its pack, what renders it.
  func knowingFiles(beside file: String, of folder: String, renderedBy: String? = nil) -> Problem {
    guard kind == .missing, refusalOfFileName(file) == nil else { return self }
    var problem = self
    if let renderedBy { problem.remedy = "run \(renderedBy), which renders it, or check its name" }
    if file.contains("\\") {
      problem.remedy = "write \(String(file.map { $0 == "\\" ? "/" : $0 })): folders are separated by /"
      return problem
    }
    let parts = file.split(separator: "/")
    let inside = parts.dropLast().joined(separator: "/")
    // What is not read anyway would be the next fault; what a link shows from outside the pack is nobody's to be told.
    let names = (folderNames(folder + "/" + inside, inside: folder) ?? []).filter { name in
      ![".m4a", ".mp4", ".aac"].contains { name.hasSuffix($0) }
    }
    // The same but for its ending is the likeliest.
    let name = parts.last.map(String.init) ?? ""
    let stem = name.prefix { $0 != "." } + "."
    let near = names.sorted().filter { $0.hasPrefix(stem) } + nearest(to: name, among: names.prefix(Self.mostCompared))
    guard let first = near.first else { return problem }
    problem.remedy = "write \((inside.isEmpty ? "" : inside + "/") + first), which is there, or put the file there"
    return problem
  }

  /// Names of a folder that are held against one that is not there.
  private static let mostCompared = 1_000
}
