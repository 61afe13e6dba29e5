import CSoundFile
import Glibc

/// Reads a sound file as stereo float frames at the file's own rate. Owns the open file.
///
/// Mono goes to both sides at unity, so that a mono file and its two-channel copy sound alike. Of more than two
/// channels the front left and right are taken and the others dropped. Samples that are not finite become 0.
public struct Decoder: ~Copyable {
  /// The file, as it was named.
  public let path: String
  /// Frames a second of the file.
  public let rate: Int
  /// Channels in the file; what is read is always stereo.
  public let channels: Int
  /// Length in the file's frames.
  public private(set) var frames: Int64
  /// The frame that is read next.
  public private(set) var position: Int64 = 0

  private var file: OpaquePointer
  private let isMPEG: Bool
  /// Frames that a lossy decoder must hear before a frame to give what a decode from the beginning gives there.
  ///
  /// Vorbis joins two blocks of at most 8192 frames. Opus wants 80 ms. An MPEG frame may take its bits from up to 511
  /// bytes before it, which at the lowest bit rates is some 24 frames of at most 1152.
  private let preroll: Int64
  /// Where seeking must begin at the latest: libsndfile mistakes its place in the last page of a Vorbis file.
  private let lastSeekStart: Int64
  /// Which of the file's channels are heard left and right.
  private let front: (left: Int, right: Int)
  private var interleaved: [Float] = []
  /// Whether the header may promise more than there is: FLAC and MPEG. Others are measured when they are opened.
  private let checksEnd: Bool

  /// Opens the file at `path`.
  ///
  /// Refuses what is not there, is no file, may not be read, is empty, is no sound, or is cut short as far as its
  /// header tells.
  public static func open(path: String) throws(SoundFileError) -> Decoder {
    let (file, info) = try openFile(path)
    var decoder = Decoder(path: path, file: file, info: info)
    if decoder.frames == .max || (decoder.isMPEG && !FileInspection.hasMPEGLengthFrame(path)) {
      decoder.frames = try decoder.countFrames()
    }
    guard decoder.frames > 0 else {
      throw SoundFileError(
        path: path, reason: .empty, message: "\(path) has a header but no sound in it; export it again")
    }
    guard decoder.frames <= Int64(longestHours * 3_600 * decoder.rate) else {
      throw SoundFileError(
        path: path, reason: .truncated,
        message: "\(path) is damaged: it claims to last more than \(longestHours) hours; export or copy it again")
    }
    if let (promised, present) = FileInspection.missingData(inLog: decoder.log) {
      throw SoundFileError(
        path: path, reason: .truncated,
        message: "\(path) is cut short: it should hold \(promised) bytes of sound and holds \(present); "
          + "copy or export it again")
    }
    return decoder
  }

  private init(path: String, file: OpaquePointer, info: SF_INFO) {
    self.path = path
    self.file = file
    rate = Int(info.samplerate)
    channels = Int(info.channels)
    frames = info.frames
    let container = Int(info.format) & SF_FORMAT_TYPEMASK
    let isOgg = container == SF_FORMAT_OGG
    isMPEG = container == SF_FORMAT_MPEG
    checksEnd = isMPEG || container == SF_FORMAT_FLAC
    let isVorbis = Int(info.format) & SF_FORMAT_SUBMASK == SF_FORMAT_VORBIS
    lastSeekStart = isVorbis ? OggPages.lastPageStart(path) - 1 : .max
    preroll = isOgg ? 16_384 : isMPEG ? 36_864 : 0
    // Ogg puts the centre between the front pair when there is one: with 3 channels or more than 4.
    front = channels == 1 ? (0, 0) : (0, isOgg && channels != 2 && channels != 4 ? 2 : 1)
  }

  deinit { sf_close(file) }

  /// Reads up to `count` frames of interleaved stereo into `output`; returns how many, fewer only at the end, then 0.
  ///
  /// A file that breaks off before its promised end throws `truncated`, once all frames before have been returned.
  public mutating func read(into output: UnsafeMutablePointer<Float>, frames count: Int) throws(SoundFileError) -> Int {
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
  public mutating func seek(to frame: Int64) throws(SoundFileError) {
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
  public mutating func checkEnd() throws(SoundFileError) {
    guard checksEnd else { return }
    try seek(to: frames - 1)
    try skip(to: frames)
    try reopen()
  }

  /// The forward loop written in the file itself (a WAV's smpl chunk), as frames; nil without one or where it does
  /// not lie inside the file.
  public var fileLoop: Range<Int64>? {
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
  private static func openFile(_ path: String) throws(SoundFileError) -> (OpaquePointer, SF_INFO) {
    try FileInspection.checkRegularFile(path)
    var info = SF_INFO()
    guard let file = sf_open(path, Int32(SFM_READ), &info) else {
      throw FileInspection.refusal(path, code: sf_error(nil), text: String(cString: sf_strerror(nil)))
    }
    guard rates.contains(info.samplerate), info.channels > 0 else {
      sf_close(file)
      throw SoundFileError(
        path: path, reason: .unsupported,
        message: "\(path) has \(info.samplerate) frames a second and \(info.channels) channels, "
          + "which cannot be played; export it at 44100 or 48000 Hz in stereo")
    }
    return (file, info)
  }

  private mutating func reopen() throws(SoundFileError) {
    let (fresh, info) = try Self.openFile(path)
    guard Int(info.samplerate) == rate, Int(info.channels) == channels else {
      sf_close(fresh)
      throw SoundFileError(
        path: path, reason: .changed, message: "\(path) has changed since it was loaded; load the pack again")
    }
    sf_close(file)
    file = fresh
    position = 0
  }

  /// 120 dB above full scale. What is greater is not sound, and might overflow where it is resampled; nor is NaN.
  private static let greatest: Float = 0x1p20

  private static func sane(_ sample: Float) -> Float { abs(sample) <= greatest ? sample : 0 }

  /// One read of libsndfile, brought to stereo, with silence for what is no sound; 0 at the end or where the decoder gives up.
  private mutating func readChunk(into output: UnsafeMutablePointer<Float>, frames count: Int) -> Int {
    if channels == 2 {
      let got = Int(max(0, sf_readf_float(file, output, sf_count_t(count))))
      for i in 0..<(2 * got) { output[i] = Self.sane(output[i]) }
      return got
    }
    let count = min(count, 4_096)
    if interleaved.isEmpty { interleaved = [Float](repeating: 0, count: 4_096 * channels) }
    let (file, channels, front) = (self.file, self.channels, self.front)
    return interleaved.withUnsafeMutableBufferPointer { buffer in
      let got = Int(max(0, sf_readf_float(file, buffer.baseAddress, sf_count_t(count))))
      for i in 0..<got {
        let (left, right) = (buffer[i * channels + front.left], buffer[i * channels + front.right])
        output[2 * i] = Self.sane(left)
        output[2 * i + 1] = Self.sane(right)
      }
      return got
    }
  }

  private mutating func skip(to frame: Int64) throws(SoundFileError) {
    if frame == position { return }
    var failure: SoundFileError?
    withUnsafeTemporaryAllocation(of: Float.self, capacity: 2 * 2_048) { scratch in
      guard let base = scratch.baseAddress else { return }
      do throws(SoundFileError) {
        while position < frame {
          if try read(into: base, frames: Int(min(2_048, frame - position))) == 0 { throw brokenOff() }
        }
      } catch { failure = error }
    }
    if let failure { throw failure }
  }

  /// Decodes all of a file whose header does not tell its length, and begins again.
  private mutating func countFrames() throws(SoundFileError) -> Int64 {
    var total: Int64 = 0
    withUnsafeTemporaryAllocation(of: Float.self, capacity: 4_096 * channels) { scratch in
      while case let got = sf_readf_float(file, scratch.baseAddress, 4_096), got > 0 { total += got }
    }
    try reopen()
    return total
  }

  private func brokenOff() -> SoundFileError {
    SoundFileError(
      path: path, reason: .truncated,
      message: "\(path) breaks off at \(inSeconds(position, rate: rate)) of \(inSeconds(frames, rate: rate)); "
        + "copy or export it again")
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
