// SPDX-License-Identifier: Apache-2.0

/// What a PCM is, as far as that decides how far ahead it is filled and what wakes for it.
enum DeviceKind: Equatable, Sendable, BitwiseCopyable {
  /// A plug-in, behind which others may play too.
  case shared
  /// A card that tells its position to a few frames.
  case card
  /// A card that tells it by periods or packets: USB, and such as move whole descriptors.
  case batchCard

  /// A PCM that is a card itself or not; `isBatch` is what ALSA says of its position, `driver` the card's.
  init(isHardware: Bool, isBatch: Bool, driver: String) {
    // What USB has played is told packet by packet, whatever a kernel says of it.
    let isCoarse = isBatch || driver == DeviceKind.usbDriver
    self = !isHardware ? .shared : isCoarse ? .batchCard : .card
  }

  /// The driver of cards at USB, as the card tells it.
  static let usbDriver = "USB-Audio"

  /// Whether it is a card itself, which has a pace of its own.
  var isHardware: Bool {
    @_noLocks get {
      switch self {
      case .shared: false
      case .card, .batchCard: true
      }
    }
  }
}
