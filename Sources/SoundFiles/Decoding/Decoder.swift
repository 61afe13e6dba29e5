// SPDX-License-Identifier: Apache-2.0

import CSoundFile
import Files
import Glibc
import Problems

/// Reads a sound file as stereo float frames at the file's own rate. Owns the open file.
///
/// Mono goes to both sides at unity, so that a mono file and its two-channel copy sound alike. More than two channels are
/// mixed down (`Downmix`). Samples that are not finite become 0.
public struct Decoder: ~Copyable {
  /// The file, as it was named.
  public var path: String { source.path }
  /// Frames a second of the file.
  public let rate: Int
  /// Channels in the file; what is read is always stereo.
  public let channels: Int
  /// Whether each frame that is read is of 16-bit integers, as the header has it.
  let isInteger: Bool
  /// Length in the file's frames.
  public private(set) var frames: Int64
  /// The frame that is read next.
  public private(set) var position: Int64 = 0

  /// The file that it reads.
  let source: RegularFile
  private var file: OpaquePointer
  private let isMPEG: Bool
  /// Frames that a lossy decoder must hear before a frame to give what a decode from the beginning gives there.
  ///
  /// Vorbis joins two blocks of at most 8192 frames. Opus wants 80 ms. An MPEG frame may take its bits from up to 511
  /// bytes before it, which at the lowest bit rates is some 24 frames of at most 1152.
  private let preroll: Int64
  /// Where seeking must begin at the latest: libsndfile mistakes its place in the last page of a Vorbis file.
  private let lastSeekStart: Int64
  /// The tags that tell a loop; nil where the format has none.
  private let loopTags: LoopTags.Kind?
  /// How more than two channels are heard.
  private let downmix: Downmix?
  private var interleaved: [Float] = []
  /// Whether the header may promise more than there is: FLAC and MPEG. Others are measured when they are opened.
  private let checksEnd: Bool

  /// Opens the file at `path`, which must lie inside `folder` where one is given. Problems call it `name`, where that is given.
  ///
  /// Refuses what is not there, is no file, leads out of the folder, may not be read, is empty, is no sound, or is cut
  /// short as far as its header tells.
  public static func open(
    path: String, inside folder: String? = nil, named name: String? = nil
  ) throws(Problem) -> Decoder {
    try open(try FileInspection.open(path, inside: folder, named: name))
  }

  /// The same of a file that is open, with a place of its own in it.
  static func open(_ source: RegularFile) throws(Problem) -> Decoder {
    let path = source.path
    let (file, info) = try openSound(source)
    var decoder = Decoder(source: source, file: file, info: info)
    if decoder.frames == .max || (decoder.isMPEG && !FileInspection.hasMPEGLengthFrame(decoder.source)) {
      decoder.frames = try decoder.countFrames()
    }
    guard decoder.frames > 0 else {
      throw Problem(
        .empty, file: path,
        "\(path) has a header but no sound in it",
        remedy: "export it again")
    }
    guard decoder.frames <= Int64(longestHours * 3_600 * decoder.rate) else {
      throw Problem(
        .truncated, file: path,
        "\(path) is damaged: it claims to last more than \(longestHours) hours",
        remedy: "export or copy it again")
    }
    if let (promised, present) = FileInspection.missingData(inLog: decoder.log) {
      throw Problem(
        .truncated, file: path,
        "\(path) is cut short: it should hold \(promised) bytes of sound and holds \(present)",
        remedy: "copy or export it again")
    }
    return decoder
  }

  /// Everything is worked out first and then put in place without a branch between: behind one, Swift 6.3 takes a field of a
  /// noncopyable value with a deinit for set already, and ends what was never there.
  private init(source: RegularFile, file: OpaquePointer, info: SF_INFO) {
    let container = Int(info.format) & SF_FORMAT_TYPEMASK
    let encoding = Int(info.format) & SF_FORMAT_SUBMASK
    let isOgg = container == SF_FORMAT_OGG
    let isInteger = info.channels <= 2 && [SF_FORMAT_PCM_S8, SF_FORMAT_PCM_U8, SF_FORMAT_PCM_16].contains(encoding)
    let isMPEG = container == SF_FORMAT_MPEG
    let isVorbis = encoding == SF_FORMAT_VORBIS
    let isOpus = isOgg && encoding == SF_FORMAT_OPUS
    let channels = Int(info.channels)
    let lastSeekStart = isVorbis ? OggPages.lastPageStart(source) - 1 : .max
    let loopTags: LoopTags.Kind? = isVorbis ? .vorbis : isOpus ? .opus : container == SF_FORMAT_FLAC ? .flac : nil
    let preroll: Int64 = isOgg ? 16_384 : isMPEG ? 36_864 : 0
    let checksEnd = isMPEG || container == SF_FORMAT_FLAC
    let downmix =
      channels <= 2
      ? nil : Self.map(of: file, channels: channels) ?? Downmix(channels: channels, isOgg: isOgg)
    self.source = source
    self.file = file
    rate = Int(info.samplerate)
    self.channels = channels
    self.isInteger = isInteger
    frames = info.frames
    self.isMPEG = isMPEG
    self.checksEnd = checksEnd
    self.lastSeekStart = lastSeekStart
    self.loopTags = loopTags
    self.preroll = preroll
    self.downmix = downmix
  }

  deinit { sf_close(file) }

  /// Reads up to `count` frames of interleaved stereo into `output`; returns how many, fewer only at the end, then 0.
  ///
  /// A file that breaks off before its promised end throws `truncated`, once all frames before have been returned.
  public mutating func read(into output: UnsafeMutablePointer<Float>, frames count: Int) throws(Problem) -> Int {
    let wanted = Int(min(Int64(count), frames - position))
    var done = 0
    while done < wanted {
      let got = readChunk(into: output + 2 * done, frames: wanted - done)
      if got == 0 { break }
      done += got
      position += Int64(got)
    }
    if done == 0, wanted > 0 { throw brokenOff() }
    return done
  }

  /// Makes `frame` the next to be read, exactly: what follows is what a decode from the beginning gives there
  /// (to the bit; MPEG to 2e-7). `frame` is clamped to the file.
  public mutating func seek(to frame: Int64) throws(Problem) {
    let frame = min(max(frame, 0), frames)
    if frame == position { return }
    let start = max(0, min(frame - preroll, lastSeekStart))
    if start > position || frame < position || preroll == 0 {
      if preroll > 0, start == 0 {
        // Not all lossy decoders of libsndfile begin afresh at 0; a new one does.
        try reopen()
      } else if sf_seek(file, start, SEEK_SET) == start {
        position = start
      } else {
        try reopen()
      }
    }
    try skip(to: frame)
  }

  /// Looks whether a file that tells its length beforehand has its last frame, then begins again; throws `truncated`.
  public mutating func checkEnd() throws(Problem) {
    guard checksEnd else { return }
    try seek(to: frames - 1)
    try skip(to: frames)
    try reopen()
  }

  /// The forward loop written in the file itself (a WAV's smpl chunk; tags of FLAC, Ogg Vorbis and Opus), as frames; nil
  /// without one or where it does not lie inside the file.
  public var fileLoop: Range<Int64>? {
    if let loopTags { return LoopTags.loop(in: source, kind: loopTags, rate: rate, frames: frames) }
    var instrument = SF_INSTRUMENT()
    let size = Int32(MemoryLayout<SF_INSTRUMENT>.size)
    var (start, end): (Int64, Int64) = (0, 0)
    guard sf_command(file, Int32(SFC_GET_INSTRUMENT), &instrument, size) == SF_TRUE,
      sound_file_first_loop(&instrument, &start, &end) == SF_LOOP_FORWARD, start < end, end <= frames
    else { return nil }
    return start..<end
  }
}

extension Decoder {
  private static func openSound(_ source: RegularFile) throws(Problem) -> (OpaquePointer, SF_INFO) {
    let path = source.path
    var info = SF_INFO()
    let own: Int32
    do throws(FileRefusal) { own = try source.openAgain() } catch { throw FileInspection.refusal(error) }
    // Closed by libsndfile in any case.
    guard let file = sf_open_fd(own, Int32(SFM_READ), &info, Int32(SF_TRUE)) else {
      throw FileInspection.refusal(source, code: sf_error(nil), text: String(cString: sf_strerror(nil)))
    }
    guard rates.contains(info.samplerate), info.channels > 0 else {
      sf_close(file)
      throw Problem(
        .unsupported, file: path,
        "\(path) has \(info.samplerate) frames a second and \(info.channels) channels, "
          + "which cannot be played",
        remedy: "export it at 44100 or 48000 Hz in stereo")
    }
    return (file, info)
  }

  /// What the file itself tells of its channels; nil where it does not.
  private static func map(of file: OpaquePointer, channels: Int) -> Downmix? {
    var map = [Int32](repeating: 0, count: channels)
    let size = Int32(channels * MemoryLayout<Int32>.size)
    guard sf_command(file, Int32(SFC_GET_CHANNEL_MAP_INFO), &map, size) == SF_TRUE else { return nil }
    return Downmix(map: map)
  }

  private mutating func reopen() throws(Problem) {
    let (fresh, info) = try Self.openSound(source)
    guard Int(info.samplerate) == rate, Int(info.channels) == channels else {
      sf_close(fresh)
      throw Problem(
        .changed, file: path,
        "\(path) has changed since it was loaded",
        remedy: "load the pack again")
    }
    sf_close(file)
    file = fresh
    position = 0
  }

  /// Silences what is no sound among `count` samples: NaN, and what is more than 120 dB above full scale and might overflow
  /// where it is resampled.
  private static func clean(_ samples: UnsafeMutablePointer<Float>, _ count: Int) {
    var index = 0
    while index < count {
      if !(samples[index].magnitude <= 0x1p20) { samples[index] = 0 }
      index &+= 1
    }
  }

  /// One read of libsndfile, brought to stereo, with silence for what is no sound; 0 at the end or where the decoder gives up.
  private mutating func readChunk(into output: UnsafeMutablePointer<Float>, frames count: Int) -> Int {
    if channels == 2 {
      let got = Int(max(0, sf_readf_float(file, output, sf_count_t(count))))
      Self.clean(output, 2 * got)
      return got
    }
    let count = min(count, 4_096)
    if interleaved.isEmpty { interleaved = [Float](repeating: 0, count: 4_096 * channels) }
    let (file, channels, downmix) = (self.file, self.channels, self.downmix)
    return interleaved.withUnsafeMutableBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return 0 }
      let got = Int(max(0, sf_readf_float(file, base, sf_count_t(count))))
      Self.clean(base, got * channels)
      if let downmix {
        downmix.mix(base, frames: got, into: output)
      } else {
        for i in 0..<got { (output[2 * i], output[2 * i + 1]) = (buffer[i], buffer[i]) }
      }
      return got
    }
  }

  private mutating func skip(to frame: Int64) throws(Problem) {
    if frame == position { return }
    var failure: Problem?
    withUnsafeTemporaryAllocation(of: Float.self, capacity: 2 * 2_048) { scratch in
      guard let base = scratch.baseAddress else { return }
      do throws(Problem) {
        while position < frame {
          if try read(into: base, frames: Int(min(2_048, frame - position))) == 0 { throw brokenOff() }
        }
      } catch { failure = error }
    }
    if let failure { throw failure }
  }

  /// Decodes all of a file whose header does not tell its length, and begins again.
  private mutating func countFrames() throws(Problem) -> Int64 {
    var total: Int64 = 0
    withUnsafeTemporaryAllocation(of: Float.self, capacity: 4_096 * channels) { scratch in
      while case let got = sf_readf_float(file, scratch.baseAddress, 4_096), got > 0 { total += got }
    }
    try reopen()
    return total
  }

  private func brokenOff() -> Problem {
    Problem(
      .truncated, file: path,
      "\(path) breaks off at \(inSeconds(position, rate: rate)) of \(inSeconds(frames, rate: rate))",
      remedy: "copy or export it again")
  }

  /// Rates that are believed and can be resampled.
  private static let rates: ClosedRange<Int32> = 1_000...768_000
  /// No sound is believed to last longer.
  private static let longestHours = 24

  /// What libsndfile noted while opening the file.
  private var log: String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 8_192) { buffer in
      guard let base = buffer.baseAddress, sf_command(file, Int32(SFC_GET_LOG_INFO), base, 8_192) > 0 else { return "" }
      return String(cString: base)
    }
  }
}
