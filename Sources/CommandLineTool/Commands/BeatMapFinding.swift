// SPDX-License-Identifier: Apache-2.0

import GamePacks
import Haptics
import Problems

/// Whether a file is a beat map rather than a pattern: also one that is no JSON yet.
func isBeatMap(_ path: String, _ bytes: [UInt8]) -> Bool {
  !path.hasSuffix(".ahap") && bytes.contains(Array("\"beats\"".utf8)) && !bytes.contains(Array("\"Pattern\"".utf8))
    && !bytes.contains(Array("\"chapters\"".utf8))
}

/// What is wrong with a beat map by itself. Its chapter's lanes and length `pack check` knows.
func beatMapFindings(_ path: String, _ bytes: [UInt8]) -> [AHAPDiagnostic] {
  (BeatMapFile.faults(in: bytes, path: path)?.cures ?? []).map { packFinding($0) }
}
