// SPDX-License-Identifier: Apache-2.0

import CRealTime
import Problems
import Testing

@testable import AudioOutput

/// Against alsa-lib itself, with plug-ins that need no hardware.
@Suite(.serialized) struct DeviceOpeningTests {
  private func request(_ name: String, period: Int? = nil, periods: Int? = nil) -> DeviceRequest {
    DeviceRequest(name: name, rate: 48_000, period: period, periods: periods)
  }

  @Test func theNullPlugInTakesTheFirstChoices() throws {
    rt_alsa_capture_messages()
    let opened = try openDevice(request("null"))
    defer { closeDevice(opened.device) }
    #expect(opened.description.type == "NULL")
    #expect(opened.description.format == .float32)
    #expect(opened.description.channels == 2)
    #expect(opened.description.rate == 48_000)
    #expect(opened.description.period == 256)
    #expect(opened.description.buffer == 1_024)
    #expect(!opened.description.isResampled)
    #expect(opened.description.message.contains("null"))
    #expect(opened.device.pointee.isUnpaced)
  }

  @Test(arguments: [
    ("hw:0", "play through `plughw:0` or `default`"), ("surround51", "play through `plug:'surround51'` or `default`"),
    ("plug:'p'", "play through `default`"), ("default", "play through `plug:'default'`"),
    ("plughw:1", "play through `default`"),
  ])
  func whatIsAdvisedOfADeviceThatRefusesIsAnother(name: String, remedy: String) {
    #expect(refused(name, "the rate", 22).description.hasSuffix("; " + remedy))
  }

  @Test func periodAndBufferAreTheConfiguredOnes() throws {
    let opened = try openDevice(request("plug:null", period: 64, periods: 2))
    defer { closeDevice(opened.device) }
    #expect(opened.description.period == 64)
    #expect(opened.description.buffer == 128)
    #expect(!opened.device.pointee.canGrow)
  }

  @Test func aFileOverNullIsWrittenThrough() throws {
    let file = TemporaryFile()
    let opened = try openDevice(request("file:'\(file.path)',raw"))
    #expect(opened.description.type == "FILE")
    #expect(opened.description.channels == 2)
    closeDevice(opened.device)
  }

  @Test func aDeviceThatIsNotThereIsNamedWithWhatWasFound() {
    rt_alsa_capture_messages()
    do throws(Problem) {
      let opened = try openDevice(request("no-such-device"))
      closeDevice(opened.device)
      Issue.record("it was opened")
    } catch {
      #expect(error.kind == .deviceMissing)
      #expect(error.description.contains("no-such-device"))
      #expect(error.description.contains("Unknown PCM no-such-device"))
      #expect(error.description.contains("sound card"))
      #expect(error.description.contains("aplay -L"))
    }
  }

  @Test func hardwareGetsSmallPeriodsAndOthersLargerOnes() {
    #expect(request("hw:0").geometry(isHardware: true) == (128, 384))
    #expect(request("default").geometry(isHardware: false) == (256, 1_024))
    #expect(request("hw:0", period: 64).geometry(isHardware: true) == (64, 192))
    #expect(request("hw:0", period: 64, periods: 2).geometry(isHardware: true) == (64, 128))
    #expect(request("hw:0", period: 0, periods: 0).geometry(isHardware: true) == (16, 32))
    #expect(request("x", period: 1 << 40, periods: 1 << 40).geometry(isHardware: false) == (8_192, 8_192 * 32))
  }

  @Test func theBridgedNameGoesThroughPlug() {
    #expect(request("hw:1,0").bridgedName == "plughw:1,0")
    #expect(request("surround51:CARD=PCH").bridgedName == "plug:'surround51:CARD=PCH'")
    #expect(request("plughw:0").bridgedName == nil)
    #expect(request("file:'/tmp/x',raw").bridgedName == nil)
  }
}
