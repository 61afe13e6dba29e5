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

  @Test func aCardIsFilledALittleOfALongRingAndOthersWhole() {
    func geometry(_ name: String, needed: Int? = nil, _ period: Int? = nil, _ periods: Int? = nil) -> [Int] {
      var request = request(name, period: period, periods: periods)
      request.neededFill = needed
      let fill = request.geometry(name.hasPrefix("hw:") ? .card : .shared)
      return [fill.frames, fill.period, fill.ring]
    }
    #expect(geometry("hw:0") == [192, 64, 1_024])
    #expect(geometry("hw:0", needed: 100) == [192, 64, 1_024])
    #expect(geometry("hw:0", needed: 320) == [320, 64, 1_024])
    #expect(geometry("hw:0", needed: 2_048) == [2_048, 128, 2_048])
    #expect(geometry("hw:0", needed: .max) == [8_192, 512, 8_192])
    #expect(geometry("default") == [1_024, 256, 1_024])
    #expect(geometry("default", needed: 4_096) == [4_096, 1_024, 4_096])
  }

  @Test func aConfiguredPeriodIsTakenThreeOrFourTimesAndFillsItsRing() {
    func geometry(_ period: Int, _ periods: Int?, isHardware: Bool) -> DeviceFill {
      request("x", period: period, periods: periods).geometry(isHardware ? .card : .shared)
    }
    #expect(geometry(64, nil, isHardware: true) == DeviceFill(frames: 192, period: 64, ring: 192))
    #expect(geometry(64, nil, isHardware: false) == DeviceFill(frames: 256, period: 64, ring: 256))
    #expect(geometry(64, 2, isHardware: true) == DeviceFill(frames: 128, period: 64, ring: 128))
    #expect(geometry(0, 0, isHardware: true) == DeviceFill(frames: 32, period: 16, ring: 32))
    let largest = geometry(1 << 40, 1 << 40, isHardware: false)
    #expect(largest == DeviceFill(frames: 8_192 * 32, period: 8_192, ring: 8_192 * 32))
  }

  @Test func aCardThatTellsItsPositionByPacketsIsKeptFourMillisecondsAheadAtAnyRate() {
    func geometry(_ rate: Int, needed: Int? = nil) -> [Int] {
      var request = DeviceRequest(name: "hw:0", rate: rate, period: nil, periods: nil)
      request.neededFill = needed
      let fill = request.geometry(.batchCard)
      return [fill.frames, fill.period, fill.ring]
    }
    #expect(geometry(8_000) == [192, 64, 1_024])
    #expect(geometry(44_100) == [192, 64, 1_024])
    #expect(geometry(48_000) == [192, 64, 1_024])
    #expect(geometry(88_200) == [384, 64, 1_024])
    #expect(geometry(96_000) == [384, 64, 1_024])
    #expect(geometry(192_000) == [768, 64, 1_024])
    #expect(geometry(96_000, needed: 256) == [384, 64, 1_024], "what is remembered comes down no further")
    #expect(geometry(96_000, needed: 512) == [512, 64, 1_024])
    #expect(DeviceRequest.leastFill(of: .batchCard, rate: 96_000) == 384)
    #expect(DeviceRequest.leastFill(of: .card, rate: 96_000) == 192)
    #expect(DeviceRequest.leastFill(of: .shared, rate: 96_000) == 1_024)
  }

  @Test func theBridgedNameGoesThroughPlug() {
    #expect(request("hw:1,0").bridgedName == "plughw:1,0")
    #expect(request("surround51:CARD=PCH").bridgedName == "plug:'surround51:CARD=PCH'")
    #expect(request("plughw:0").bridgedName == nil)
    #expect(request("file:'/tmp/x',raw").bridgedName == nil)
  }
}
