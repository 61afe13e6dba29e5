// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The words that run a program as another user; nil for this one.
func program(_ words: [String], as user: String?) -> [String] {
  user.map { ["KernelRigGuest", "as", $0] + words } ?? words
}

/// Becomes a program run by `user`, with the groups that user has now and the limits that the daemon's unit sets; returns
/// only when that fails.
func run(_ words: [String], asUser user: String) -> Int32 {
  var priorities = rlimit(rlim_cur: 80, rlim_max: 80)
  setrlimit(__rlimit_resource_t(__RLIMIT_RTPRIO.rawValue), &priorities)
  guard let entry = getpwnam(user)?.pointee, initgroups(user, entry.pw_gid) == 0, setgid(entry.pw_gid) == 0,
    setuid(entry.pw_uid) == 0
  else {
    complain("as: cannot become \(user): \(String(cString: strerror(errno)))")
    return 1
  }
  var argv = words.map { strdup($0) } + [nil]
  if let name = argv[0] { execvp(name, &argv) }
  complain("as: cannot run \(words[0]): \(String(cString: strerror(errno)))")
  return 1
}
