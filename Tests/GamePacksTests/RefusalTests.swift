import GamePacks
import Testing

@Suite struct RefusalTests {
  @Test func aMistypedFieldIsNamedWithTheNearest() {
    #expect(
      refusal(#""chapters": {"#, #""chapers": {"#)
        == "pack.json: chapers: is no field of this object; did you mean chapters?")
    #expect(
      refusal(#""length": 10"#, #""lenght": 10"#)
        == "pack.json: chapters.one.lenght: is no field of this object; did you mean length?")
  }

  @Test func aMissingFieldIsNamed() {
    #expect(refusal(#""length": 10, "#, "") == "pack.json: chapters.one.length: is missing")
    #expect(refusal(#""title": "Demo", "#, "") == "pack.json: title: is missing")
    #expect(
      refusal(#"{"at": 0.706, "lane""#, #"{"lane""#) == "pack.json: chapters.one.beats[0].at: is missing")
  }

  @Test func aWrongTypeIsNamed() {
    #expect(refusal("85.5", #""fast""#) == "pack.json: tracks.main.bpm: must be a number")
    #expect(refusal(#"{"file": "thud.ahap"}"#, #""thud.ahap""#) == "pack.json: patterns.thud: must be an object")
    #expect(refusal(#"["left", "right"]"#, "3") == "pack.json: chapters.one.lanes: must be a list")
    #expect(
      refusal(#"{"start": 1.5, "end": 9.25}"#, #""yes""#)
        == "pack.json: tracks.main.loop: must be true, false, or an object with start and end in seconds")
    #expect(refusal("5, \"window\": 0.3", "5.5, \"window\": 0.3").contains("after: is 5.5; it must be a whole number"))
  }

  @Test func valuesOutOfRangeAreNamed() {
    #expect(refusal("85.5", "0") == "pack.json: tracks.main.bpm: is 0.0, outside 1.0 to 1000.0")
    #expect(refusal(#""gain": 0.5"#, #""gain": -1"#) == "pack.json: sounds.sfx_click.gain: is -1.0, outside 0.0 to 8.0")
    #expect(
      refusal(#"{"at": 0.1,"#, #"{"at": -0.1,"#) == "pack.json: cues.go.steps[1].at: is -0.1 s, outside 0 to 86400 s")
    #expect(refusal(#""start": 1.5"#, #""start": 9.25"#) == "pack.json: tracks.main.loop.end: must be after start")
    #expect(
      refusal(#""window": 0.3"#, #""window": 0.1"#)
        == "pack.json: chapters.one.assist.window: is 100000 us; the least is 150000 us")
    #expect(refusal("85.5", "1e999") == "pack.json: holds a number out of range, or half a surrogate pair")
    #expect(
      refusal("\"linear\"", "\"lineal\"")
        == "pack.json: cues.go.steps[2].music.law: is \"lineal\"; it can be equalPower, linear")
  }

  @Test func namesThatLeadNowhereAreNamed() {
    #expect(
      refusal(#"{"sound": "sfx_click", "#, #"{"sound": "sfx_clik", "#)
        == "pack.json: cues.go.steps[0].sound: no sound sfx_clik; did you mean sfx_click?")
    #expect(
      refusal(#""pattern": "thud""#, #""pattern": "thug""#)
        == "pack.json: cues.go.steps[1].pattern: no pattern thug; did you mean thud?")
    #expect(
      refusal(#""play": "main""#, #""play": "mian""#)
        == "pack.json: cues.go.steps[2].music.play: no track mian; did you mean main?")
    #expect(
      refusal(#""track": "main""#, #""track": "mani""#)
        == "pack.json: chapters.one.track: no track mani; did you mean main?")
    #expect(
      refusal(#"{"hit": "go"}"#, #"{"miss": "xylophone"}"#)
        == "pack.json: chapters.one.feedback.miss: no cue xylophone")
    #expect(
      refusal(#""lane": "left""#, #""lane": "lefd""#)
        == "pack.json: chapters.one.beats[0].lane: no lane lefd; did you mean left?")
    #expect(refusal(#"{"sound": "hello""#, #"{"sound": "helo""#).hasSuffix("no sound helo; did you mean hello?"))
  }

  @Test func beatsOutOfOrderAreNamed() {
    #expect(
      refusal("2.1177", "0.706")
        == "pack.json: chapters.one.beats[1]: beat 1 at 706000 us is not after the one before it at 706000 us; "
        + "sort the beats by time")
    #expect(
      refusal("2.1177", "10.000001")
        == "pack.json: chapters.one.beats[1]: beat 1 at 10000001 us is outside the chapter, "
        + "which lasts from 0 to 10000000 us")
  }

  @Test(arguments: [
    "/etc/passwd", "../click.wav", "a/../../click.wav", "a//b.wav", "./click.wav", "", "..", "a\\u0000b", "a/",
  ])
  func filesStayInsideThePack(name: String) {
    #expect(refusal(#""click.wav""#, "\"\(name)\"").hasPrefix("pack.json: sounds.sfx_click.file: "))
  }

  @Test(arguments: ["a.wav", "audio/a b.wav", "..a.wav", "tiefe/ordner/ä.flac"])
  func filesInsideThePackAreTaken(name: String) {
    #expect(refusal(#""click.wav""#, "\"\(name)\"") == "")
  }

  @Test(arguments: ["Thud", "a b", "", "a.b", "ä", String(repeating: "a", count: 65)])
  func namesAreSmallLettersDigitsAndDashes(name: String) {
    #expect(refusal(#"{"thud": {"file""#, "{\"\(name)\": {\"file\"").hasPrefix("pack.json: patterns: \"\(name)"))
  }

  @Test func aStepDoesOneThing() {
    let message = "pack.json: cues.go.steps[1]: must have exactly one of sound, pattern, music"
    #expect(refusal(#""pattern": "thud"}"#, #""pattern": "thud", "sound": "hello"}"#) == message)
    #expect(refusal(#", "pattern": "thud"}"#, "}") == message)
    #expect(
      refusal(#""stop": true"#, #""stop": false"#).hasSuffix("steps[3].music: must either play a track or stop: true"))
    #expect(refusal(#""fade": 0"#, #""law": "linear""#).hasSuffix("steps[3].music.law: goes with play"))
  }

  @Test func aSyntaxFaultHasItsLineAndColumn() {
    #expect(refusal(#""pattern": "thud"},"#, #""pattern": "thud"},,"#) == "pack.json:8:36: a value is expected")
    #expect(
      refusal(#""name": "demo","#, #""name": "demo""#)
        == "pack.json:2:18: a comma or the end of the list or object is expected")
    #expect(refusal("85.5", "fast") == "pack.json:3:56: a value is expected; did you mean false?")
    // The decoder takes a comma before an end, so it must not be told as the fault in place of the true one.
    #expect(refusal(#""fade": 0}}"#, #""fade": 0,},,}"#) == "pack.json:10:51: a name in double quotes is expected")
    #expect(refusal("85.5", "5.").contains("a digit is expected"))
    #expect(refusal("85.5", "// tempo").contains("JSON has no comments"))
  }

  @Test func hostileBytesAreRefusedQuickly() {
    func said(_ bytes: [UInt8]) -> String {
      do throws(PackError) {
        _ = try PackManifest.parse(bytes, path: "p")
        return ""
      } catch { return error.description }
    }
    #expect(said([]) == "p:1:1: the text ends too early")
    #expect(said([0x7B, 0x22, 0xFF]) == "p:1:3: not UTF-8")
    #expect(said(Array("[1]".utf8)) == "p: must be an object")
    #expect(said([UInt8](repeating: UInt8(ascii: "["), count: 1 << 20)).hasPrefix("p:1:"))
    #expect(said([UInt8](repeating: 0x20, count: 9 << 20)) == "p: is larger than 8 MiB")
    #expect(said(Array("{\"a\": \"\\ud800\"}".utf8)).hasPrefix("p"))
  }
}
