import CKernelRig
import Glibc

/// A pad that exists only in the kernel: what drives it is written down, one line an event, in microseconds of
/// CLOCK_MONOTONIC. `pad` says which event node it became; SIGTERM unplugs it.
enum VirtualPad {
  static let name = "Kernel Rig Pad"

  static func run(log path: String) -> Int32 {
    var priority = sched_param(sched_priority: 80)
    sched_setscheduler(0, SCHED_FIFO, &priority)
    var ending = sigset_t()
    sigemptyset(&ending)
    sigaddset(&ending, SIGTERM)
    sigprocmask(SIG_BLOCK, &ending, nil)

    let before = Set(list("/dev/input"))
    let device = open("/dev/uinput", O_RDWR | O_CLOEXEC | O_NONBLOCK)
    let log = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
    guard device >= 0, log >= 0, create(device) else {
      complain("pad: cannot be made: \(String(cString: strerror(errno)))")
      return 1
    }
    var node = ""
    do {
      try wait(upTo: 5, for: "the event node") {
        node = list("/dev/input").first { !before.contains($0) && $0.hasPrefix("event") } ?? ""
        return !node.isEmpty
      }
    } catch {
      complain("pad: \(error)")
      return 1
    }
    func say(_ text: String) {
      var line = text + "\n"
      _ = line.withUTF8 { write(log, $0.baseAddress, $0.count) }
    }
    say("pad /dev/input/\(node)")
    var isEnding = false
    while !isEnding {
      var watched = pollfd(fd: device, events: Int16(POLLIN), revents: 0)
      poll(&watched, 1, 20)
      var event = input_event()
      while read(device, &event, MemoryLayout<input_event>.size) == MemoryLayout<input_event>.size {
        if let line = answer(event, device) { say(line) }
      }
      var pending = sigset_t()
      sigpending(&pending)
      isEnding = sigismember(&pending, SIGTERM) == 1
    }
    uinput_destroy(device)
    return 0
  }

  private static func create(_ device: Int32) -> Bool {
    for type in [EV_KEY, EV_FF] { uinput_set_event_type(device, type) }
    uinput_set_key(device, BTN_SOUTH)
    for effect in [FF_RUMBLE, FF_GAIN] { uinput_set_effect(device, effect) }
    var setup = uinput_setup()
    setup.id = input_id(bustype: UInt16(BUS_USB), vendor: 0x1209, product: 0x7001, version: 1)
    setup.ff_effects_max = 16
    withUnsafeMutableBytes(of: &setup.name) { $0.copyBytes(from: name.utf8) }
    return uinput_set_up(device, &setup) == 0 && uinput_create(device) == 0
  }

  /// Answers what the kernel asks, and says what it was.
  private static func answer(_ event: input_event, _ device: Int32) -> String? {
    let stampUs = Int64(event.time.tv_sec) * 1_000_000 + Int64(event.time.tv_usec)
    switch (Int32(event.type), Int32(event.code)) {
    case (EV_UINPUT, UI_FF_UPLOAD):
      var upload = uinput_ff_upload()
      upload.request_id = UInt32(bitPattern: event.value)
      uinput_begin_upload(device, &upload)
      upload.retval = 0
      uinput_end_upload(device, &upload)
      let effect = upload.effect
      return "upload \(monotonicUs()) \(effect.id) \(effect.type) \(effect.replay.length) "
        + "\(uinput_strong(&upload.effect)) \(uinput_weak(&upload.effect))"
    case (EV_UINPUT, UI_FF_ERASE):
      var erase = uinput_ff_erase()
      erase.request_id = UInt32(bitPattern: event.value)
      uinput_begin_erase(device, &erase)
      erase.retval = 0
      uinput_end_erase(device, &erase)
      return "erase \(monotonicUs()) \(erase.effect_id)"
    case (EV_FF, FF_GAIN): return "gain \(stampUs) \(event.value)"
    case (EV_FF, let effect): return "play \(stampUs) \(effect) \(event.value)"
    default: return nil
    }
  }
}

/// A pad that is plugged in, in a process of its own.
final class PluggedPad {
  private let process: ChildProcess
  private let log: String
  private var seen = 0
  let node: String

  init(_ name: String) throws {
    let log = "/tmp/results/\(name)-pad.log"
    self.log = log
    unlink(log)
    process = try ChildProcess(["KernelRigGuest", "pad", log], log: "/tmp/results/\(name)-pad.err")
    var found = ""
    try wait(upTo: 10, for: "the pad") {
      found = readText(log).split(separator: "\n").first.map { String($0.dropFirst(4)) } ?? ""
      return found.hasPrefix("/dev/")
    }
    node = found
  }

  func unplug() {
    process.signal(SIGTERM)
    _ = process.wait()
  }

  /// Stops answering, or answers again: the kernel keeps an upload waiting for its answer.
  func answers(_ does: Bool) { process.signal(does ? SIGCONT : SIGSTOP) }

  /// What it was told so far.
  var events: [PadEvent] { readText(log).split(separator: "\n").compactMap { PadEvent($0) } }

  /// What it was told since the last call.
  func takeHistory() -> MotorHistory {
    let events = events
    defer { seen = events.count }
    return MotorHistory(events, since: seen)
  }
}

/// One thing a pad was told.
enum PadEvent: Equatable {
  case upload(atUs: Int64, effect: Int, lengthMs: Int, strong: Int, weak: Int)
  case play(atUs: Int64, effect: Int, times: Int)
  case erase(atUs: Int64, effect: Int)

  init?(_ line: Substring) {
    let words = line.split(separator: " ")
    let numbers = words.dropFirst().compactMap { Int64($0) }
    switch (words.first, numbers.count) {
    case ("upload", 6):
      self = .upload(
        atUs: numbers[0], effect: Int(numbers[1]), lengthMs: Int(numbers[3]), strong: Int(numbers[4]),
        weak: Int(numbers[5]))
    case ("play", 3): self = .play(atUs: numbers[0], effect: Int(numbers[1]), times: Int(numbers[2]))
    case ("erase", 2): self = .erase(atUs: numbers[0], effect: Int(numbers[1]))
    default: return nil
    }
  }
}

/// What the motors did, as the kernel's rules make it of what the pad was told.
struct MotorHistory {
  struct Span: Equatable {
    var fromUs: Int64
    var toUs: Int64
    var strong: Int
    var weak: Int
  }

  private(set) var spans: [Span] = []
  /// When each play began.
  private(set) var playsUs: [Int64] = []
  private(set) var lengthsMs: Set<Int> = []

  /// All that was told shapes the effects; only what was told after the first `seen` events is history.
  init(_ events: [PadEvent], since seen: Int = 0) {
    var effects: [Int: (lengthMs: Int, strong: Int, weak: Int)] = [:]
    for (index, event) in events.enumerated() {
      switch event {
      case .upload(_, let effect, let lengthMs, let strong, let weak):
        effects[effect] = (lengthMs, strong, weak)
        lengthsMs.insert(lengthMs)
      case .play(let atUs, let effect, let times):
        guard index >= seen else { continue }
        end(at: atUs)
        guard times > 0, let played = effects[effect] else { continue }
        playsUs.append(atUs)
        // A length of 0 is for ever.
        let lengthUs = played.lengthMs == 0 ? Int64.max / 2 : Int64(played.lengthMs) * 1_000 * Int64(times)
        spans.append(Span(fromUs: atUs, toUs: atUs + lengthUs, strong: played.strong, weak: played.weak))
      case .erase(let atUs, _): end(at: atUs)
      }
    }
  }

  private mutating func end(at instantUs: Int64) {
    if let last = spans.indices.last, spans[last].toUs > instantUs { spans[last].toUs = instantUs }
  }

  /// From when to when the motors turned, renewals joined.
  var turning: [Range<Int64>] {
    var joined: [Range<Int64>] = []
    for span in spans where (span.strong > 0 || span.weak > 0) && span.toUs > span.fromUs {
      if let last = joined.last, span.fromUs <= last.upperBound + 1_000 {
        joined[joined.count - 1] = last.lowerBound..<span.toUs
      } else {
        joined.append(span.fromUs..<span.toUs)
      }
    }
    return joined
  }

  /// When the motors stood still for good.
  var silentFromUs: Int64 { spans.last { $0.strong > 0 || $0.weak > 0 }?.toUs ?? 0 }
}
