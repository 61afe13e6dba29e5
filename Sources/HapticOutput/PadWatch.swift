import CRealTime
import Glibc

/// Tells when pads may have been plugged in or unplugged: a descriptor that becomes readable.
///
/// It watches the folder of event nodes itself, so it also works where no udev runs, and sees udev grant access.
public final class PadWatch {
  private static let folder = "/dev/input"
  /// To be watched for reading; negative when nothing can be watched.
  public let descriptor: Int32
  /// Whether the folder was there; where not, it is waited for, and the watch must be made anew then.
  private let hasFolder: Bool

  /// Begins to watch.
  public init() {
    hasFolder = access(Self.folder, F_OK) == 0
    descriptor = rt_watch_open(Self.folder, "/dev")
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Takes what was told since the last call; whether pads may have come or gone.
  public func takeChange() -> Bool { rt_watch_drain(descriptor) != 0 }

  /// Whether the folder has come or gone since this watch was made.
  public var isOutdated: Bool { hasFolder != (access(Self.folder, F_OK) == 0) }
}
