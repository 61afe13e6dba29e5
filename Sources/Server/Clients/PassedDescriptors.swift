// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Descriptors that clients send beside their bytes, for which nobody asked.
///
/// To close one may take as long as its sender likes: a socket lingers, a file system asks a program of the sender's. What is not
/// received the kernel closes itself, within whatever call reads the connection or closes it.
enum PassedDescriptors {
  /// Has the kernel refuse them (EPERM at the sender) on this listening socket and on all that connect to it; false where it
  /// cannot: Linux can from 6.16 on.
  static func refuse(on socket: Int32) -> Bool {
    // SO_PASSRIGHTS, which the C library of older systems has no name for.
    var no: Int32 = 0
    return setsockopt(socket, SOL_SOCKET, 83, &no, socklen_t(MemoryLayout<Int32>.size)) == 0
  }

  /// Reads as `recv` does. What descriptors come with the bytes are added to `passed`: they are ours now, and to be closed.
  static func receive(
    _ socket: Int32, _ buffer: UnsafeMutableRawBufferPointer, _ passed: inout [Int32]
  ) -> Int {
    withUnsafeTemporaryAllocation(byteCount: controlBytes, alignment: MemoryLayout<cmsghdr>.alignment) { control in
      var part = iovec(iov_base: buffer.baseAddress, iov_len: buffer.count)
      return withUnsafeMutablePointer(to: &part) { parts in
        var message = msghdr()
        (message.msg_iov, message.msg_iovlen) = (parts, 1)
        (message.msg_control, message.msg_controllen) = (control.baseAddress, control.count)
        let count = recvmsg(socket, &message, Int32(MSG_CMSG_CLOEXEC))
        if count >= 0 {
          passed += descriptors(in: UnsafeRawBufferPointer(rebasing: control[..<message.msg_controllen]))
        }
        return count
      }
    }
  }

  /// SCM_MAX_FD of the kernel: more do not come at once.
  private static let mostAtOnce = 253
  private static let header = MemoryLayout<cmsghdr>.size
  private static let controlBytes = header + mostAtOnce * MemoryLayout<Int32>.size + MemoryLayout<Int>.size

  private static func descriptors(in control: UnsafeRawBufferPointer) -> [Int32] {
    var found: [Int32] = []
    var offset = 0
    while offset + header <= control.count {
      let message = control.loadUnaligned(fromByteOffset: offset, as: cmsghdr.self)
      let end = offset + Int(message.cmsg_len)
      guard Int(message.cmsg_len) >= header, end <= control.count else { break }
      if message.cmsg_level == SOL_SOCKET, message.cmsg_type == Int32(SCM_RIGHTS) {
        found += stride(from: offset + header, to: end, by: MemoryLayout<Int32>.size).map {
          control.loadUnaligned(fromByteOffset: $0, as: Int32.self)
        }
      }
      // The next begins at a multiple of a word.
      offset = (end + MemoryLayout<Int>.size - 1) & ~(MemoryLayout<Int>.size - 1)
    }
    return found
  }
}
