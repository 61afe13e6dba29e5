// SPDX-License-Identifier: Apache-2.0

import FuzzSupport
import ImportedBeats
import Problems
import Rhythm

/// Reads beats as each format has them: what is read is within its bounds, and what of it can be tapped makes a beat map.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = bytes(data, count)
  for format in BeatFormat.allCases { check(input, format) }
  return 0
}

private func check(_ input: [UInt8], _ format: BeatFormat) {
  let read: ImportedBeats
  do throws(Problem) {
    read = try ImportedBeats.read(input, as: format, path: "file")
  } catch {
    require(!error.reason.isEmpty && error.description.utf8.count < 1_024, "\(error)")
    require(error.where.line.map { $0 >= 1 && $0 <= input.count + 1 } ?? true, "\(error) is nowhere")
    return
  }
  require(!read.maps.isEmpty, "no map")
  for map in read.maps {
    require(!map.beats.isEmpty && Set(map.lanes).count == map.lanes.count, "\(map.lanes)")
    for beat in map.beats {
      require(abs(beat.at) <= 86_400_000_000, "a beat at \(beat.at)")
      require(beat.lane.map { map.lanes.indices.contains($0) } ?? map.lanes.isEmpty, "\(beat) of \(map.lanes)")
    }
    if let tempo = map.tempo { require((1...1_000).contains(tempo.bpm) && tempo.firstBeat >= 0, "\(tempo)") }
    let playable = PlayableBeats(map.beats, length: 60_000_000)
    require(
      playable.beats.count + playable.before + playable.behind + playable.tooClose == map.beats.count, "beats are lost")
    guard !playable.beats.isEmpty else { continue }
    do throws(BeatMapError) {
      _ = try BeatMap(beats: playable.beats, lanes: map.lanes, length: 60_000_000)
    } catch {
      require(false, "\(error)")
    }
  }
}
