// SPDX-License-Identifier: Apache-2.0

import Problems

/// What is said of a name that is longer than any: where the names are told that there are, or whose it is.
///
/// `field` is the member that holds it, within whatever it is nested in.
func hint(ofOverlong field: String, of method: String) -> Wording {
  switch (method, field) {
  case (CueFire.name, "tag"), (CueFire.name, "after"), (CueStop.name, "tag"), (SessionHello.name, "client"):
    "it is a name of your own: give a shorter one"
  case (SettingsSet.name, "profile"): "\(method: SettingsGet.name) names the profiles; a new one takes a shorter name"
  case (RhythmBind.name, "control"):
    "a control is called as linux/input-event-codes.h calls it, such as BTN_SOUTH or ABS_HAT0Y-"
  case (_, "cue"), (CueList.name, "after"): "\(method: CueList.name) names every cue"
  case (_, "parameter"), (ParameterList.name, "after"): "\(method: ParameterList.name) names every parameter"
  case (PackList.name, "after"), (_, "pack"): "\(method: PackList.name) names the packs"
  case (_, "track"), (_, "sound"), (_, "pattern"), (_, "chapter"): "\(method: PackList.name) names every \(field)"
  case (_, "stem"), (_, "lane"): "\(method: PackList.name) names them, with what they are of"
  case (_, "quantise"): "it is beat, bar, or a marker of the track that plays, which \(method: PackList.name) names"
  default: "give a shorter one"
  }
}
