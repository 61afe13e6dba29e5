// SPDX-License-Identifier: Apache-2.0

import Glibc
import Testing

@testable import Server

/// Descriptors that a client sends beside its bytes are nobody's, and hold nobody up.
@Suite struct PassedDescriptorTests {
  private let ask = #"{"id":2,"method":"settings.get"}"# + "\n"

  /// Sends `text` with so many duplicates of standard input; false where the kernel refuses them.
  private func send(_ text: String, with count: Int, through socket: Int32) -> Bool {
    let header = MemoryLayout<cmsghdr>.size
    var control = [UInt8](repeating: 0, count: (header + 4 * count + 7) & ~7)
    var message = cmsghdr()
    (message.cmsg_len, message.cmsg_level, message.cmsg_type) = (header + 4 * count, SOL_SOCKET, Int32(SCM_RIGHTS))
    control.withUnsafeMutableBytes { bytes in
      bytes.storeBytes(of: message, as: cmsghdr.self)
      for index in 0..<count { bytes.storeBytes(of: 0, toByteOffset: header + 4 * index, as: Int32.self) }
    }
    return Array(text.utf8).withUnsafeBytes { bytes in
      control.withUnsafeMutableBytes { control in
        var part = iovec(iov_base: UnsafeMutableRawPointer(mutating: bytes.baseAddress), iov_len: bytes.count)
        return withUnsafeMutablePointer(to: &part) { parts in
          var message = msghdr()
          (message.msg_iov, message.msg_iovlen) = (parts, 1)
          (message.msg_control, message.msg_controllen) = (control.baseAddress, control.count)
          return sendmsg(socket, &message, Int32(MSG_NOSIGNAL)) == bytes.count
        }
      }
    }
  }

  @Test(arguments: [1, 2, 253]) func theyAreReceivedBesideTheBytes(count: Int) throws {
    var ends: [Int32] = [0, 0]
    try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
    defer { for end in ends { close(end) } }
    #expect(send("abc", with: count, through: ends[0]))
    var room = [UInt8](repeating: 0, count: 64)
    var descriptors: [Int32] = []
    let got = room.withUnsafeMutableBytes { PassedDescriptors.receive(ends[1], $0, &descriptors) }
    #expect(got == 3 && descriptors.count == count)
    #expect(descriptors.allSatisfy { fcntl($0, F_GETFD) == FD_CLOEXEC })
    for descriptor in descriptors { close(descriptor) }
    #expect(send("de", with: 0, through: ends[0]))
    var others: [Int32] = []
    #expect(room.withUnsafeMutableBytes { PassedDescriptors.receive(ends[1], $0, &others) } == 2)
    #expect(others.isEmpty)
  }

  /// Where the kernel does not keep them away: who sends one is parted with, and everybody else is served.
  @Test func whoSendsOneIsPartedWith() throws {
    let rig = try Rig { $0.refusesDescriptors = false }
    let (sender, other) = (try rig.connect(), try rig.connect())
    #expect(send(ask, with: 1, through: sender.descriptor))
    rig.settle()
    #expect(rig.server.connections.count == 1)
    #expect(rig.exchange(other, ask).count == 1)
  }

  @Test func whereTheKernelCanItRefusesThem() throws {
    let rig = try Rig()
    let client = try rig.connect()
    guard rig.server.refusesDescriptors else { return }
    #expect(!send(ask, with: 1, through: client.descriptor) && errno == EPERM)
    #expect(rig.exchange(client, ask).count == 1)
  }
}
