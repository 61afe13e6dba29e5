// SPDX-License-Identifier: Apache-2.0

import CRealTime
import Problems

/// Opens the sound device `name` as the output would, says what it is, and closes it again; nothing is heard.
///
/// May block for as long as a sound server does not answer: call it on a thread that can be left behind. `rate` is in
/// frames a second. Throws what kept it from being opened.
public func checkDevice(_ name: String, rate: Int = 48_000) throws(Problem) -> AudioOutputDescription {
  rt_alsa_capture_messages()
  let opened = try openDevice(DeviceRequest(name: name, rate: rate, period: nil, periods: nil))
  closeDevice(opened.device)
  return opened.description
}
