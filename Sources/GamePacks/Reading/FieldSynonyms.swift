// SPDX-License-Identifier: Apache-2.0

/// Words that people write for fields of a pack's files, where other programs or plain English call them so.
enum FieldSynonyms {
  /// The fields that each may stand for, the likeliest first; those that an object has count.
  static let fields: [String: [String]] = {
    var fields: [String: [String]] = [:]
    for (field, words) in words {
      for word in words.split(separator: " ") { fields[String(word), default: []].append(field) }
    }
    return fields
  }()

  /// Each field with the words for it, in small letters and without `_` and `-`.
  private static let words: [(field: String, words: String)] = [
    // What is there.
    ("name", "id"), ("title", "label caption"), ("file", "path src source url filename audio asset ahap sample wav"),
    ("tracks", "songs music"), ("sounds", "sfx effects samples audio"), ("patterns", "haptics vibrations rumbles ahap"),
    ("cues", "events moments actions"), ("chapters", "levels songs rhythm"), ("parameters", "variables values sliders"),
    ("settings", "options config defaults"),
    // Steps, and what music does.
    ("steps", "actions sequence timeline does events"), ("at", "delay time start when offset after wait t"),
    ("sound", "sfx effect sample audio clip voice"),
    ("pattern", "haptic haptics vibration vibrate rumble ahap feel felt"), ("transient", "tap tick hit"),
    ("continuous", "buzz hum vibration rumble"), ("music", "track song bgm stem play"),
    ("play", "track song name start music"), ("stop", "end halt silence"), ("parameter", "set param variable"),
    ("over", "duration time fade ramp"), ("value", "to amount"), ("choose", "order random pick"),
    ("align", "sync synchronise synchronize alignment"), ("cooldown", "throttle debounce interval"),
    // How it is heard and felt.
    ("gain", "volume level loudness amplitude db"), ("depth", "volume level loudness gain amount"),
    ("intensity", "volume level loudness amplitude strength force gain power magnitude"),
    ("sharpness", "frequency crispness pitch"), ("pan", "panning balance position"),
    ("pitch", "speed rate playbackrate semitones"), ("rate", "speed pitch playbackrate tempo"),
    ("loop", "loops looping repeat repeats"), ("bus", "group channel category type"),
    ("lowPass", "filter cutoff lowpassfilter"), ("duck", "ducking sidechain"),
    ("crossfade", "xfade fade transition fadetime duration"), ("fade", "fadeout fadetime duration crossfade"),
    ("fadeCurve", "curve shape easing"), ("attack", "fadein fadedown"), ("release", "fadeout fadeup"),
    ("duration", "length len time"),
    // Beats and chapters.
    ("bpm", "tempo beatsperminute speed"), ("firstBeat", "offset downbeat beatoffset start"),
    ("beatsPerBar", "meter timesignature signature"), ("markers", "points places cuepoints"), ("stems", "layers parts"),
    ("start", "begin from loopstart"), ("end", "to stop loopend until"),
    ("length", "duration len seconds time"), ("window", "hitwindow tolerance timing"),
    ("assist", "help easy"), ("after", "misses count"), ("grades", "ranks judgements judgments ratings"),
    ("spawnLead", "lead leadin lookahead approach preview spawn"), ("lanes", "columns keys buttons"),
    ("lane", "column key button"), ("beats", "notes map beatmap chart taps"),
    ("offset", "start firstbeat delay at"), ("every", "step interval division"), ("count", "number repeat beats"),
    ("track", "song music"), ("feedback", "on events cues"), ("hit", "onhit success perfect"),
    ("miss", "onmiss fail failure missed"), ("ghost", "onghost empty"),
    ("complete", "oncomplete done end finish finished"), ("points", "curve keyframes"), ("power", "exponent gamma"),
  ]

  /// The fields, of those that may stand there, that were most likely meant by a word.
  static func meant(by name: String, among known: [String]) -> [String] {
    guard name.utf8.count <= 64 else { return [] }
    let word = String(decoding: name.utf8.filter { $0 != UInt8(ascii: "_") && $0 != UInt8(ascii: "-") }, as: UTF8.self)
      .lowercased()
    return (fields[word] ?? []).filter(known.contains)
  }
}
