// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import SyncMessage

/// Where the secret is looked for, and who may read it.
@Suite struct SecretURLTests {
  private let folder = TemporaryFolder()
  private let address = "https://localhost/canary"

  private func put(_ text: String, in place: String, mode: Int) throws -> String {
    try FileManager.default.createDirectory(atPath: folder.path + place, withIntermediateDirectories: true)
    let path = folder.path + place + "/message-url"
    try Data(text.utf8).write(to: URL(filePath: path))
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    return path
  }

  private func find() throws(SecretURL.Failure) -> SecretURL? { try SecretURL.find(environment: variable) }

  private func variable(_ name: String) -> String? {
    ["CREDENTIALS_DIRECTORY": folder.path + "/c", "XDG_CONFIG_HOME": folder.path + "/x"][name]
  }

  @Test func whetherItIsThereIsToldWithoutReadingIt() throws {
    #expect(try !SecretURL.isThere(environment: variable))
    let path = try put("no address", in: "/x/starlight-sync", mode: 0o600)
    #expect(try SecretURL.isThere(environment: variable))
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
    let failure = #expect(throws: SecretURL.Failure.self) { try SecretURL.isThere(environment: variable) }
    #expect(failure?.description.contains("chmod 600 \(path)") == true)
  }

  @Test func aFileOfItsOwnerAloneIsRead() throws {
    _ = try put("  \(address)\n", in: "/x/starlight-sync", mode: 0o600)
    #expect(try find()?.text == address)
  }

  @Test(arguments: [0o640, 0o604, 0o644, 0o620, 0o601])
  func aFileThatOthersMayTouchIsRefusedWithItsRemedy(mode: Int) throws {
    let path = try put(address, in: "/x/starlight-sync", mode: mode)
    let failure = #expect(throws: SecretURL.Failure.self) { try find() }
    #expect(failure?.description.contains("chmod 600 \(path)") == true)
    #expect(failure?.description.contains("canary") == false)
  }

  @Test func aCredentialOfSystemdComesFirst() throws {
    _ = try put("https://localhost/other", in: "/x/starlight-sync", mode: 0o600)
    _ = try put(address, in: "/c", mode: 0o440)
    #expect(try find()?.text == address)
  }

  @Test func withoutAFileThereIsNobodyToSendItTo() throws {
    #expect(try find() == nil)
    #expect(try SecretURL.find { _ in nil } == nil)
  }

  @Test(arguments: ["", "canary", "ftp://canary", "https://canary and more", "https://canary\nhttps://canary"])
  func whatIsNoAddressIsRefusedAndNotRepeated(text: String) throws {
    _ = try put(text, in: "/x/starlight-sync", mode: 0o600)
    let failure = #expect(throws: SecretURL.Failure.self) { try find() }
    #expect(failure?.description.contains("https://, and nothing else") == true)
    #expect(failure?.description.contains("canary") == false)
  }

  @Test(arguments: [
    "http://localhost", "http://localhost:8080/canary", "http://127.0.0.1:1/canary", "http://[::1]:65535?canary",
    "http://[::1]/#canary",
  ])
  func thisMachineMayBeWrittenToInClear(text: String) throws {
    _ = try put(text, in: "/x/starlight-sync", mode: 0o600)
    #expect(try find()?.text == text)
  }

  @Test(arguments: [
    "http://example.org/canary", "http://localhost.example.org/canary", "http://127.0.0.1@example.org/canary",
    "http://localhost:canary@example.org/", "http://localhost\\canary", "http://127.0.0.2.canary", "http:///canary",
    "http://user@localhost/canary", "http://localhost:/canary", "http://[::1]canary", "http://::1/canary",
  ])
  func nobodyElseIsWrittenToInClear(text: String) throws {
    let path = try put(text, in: "/x/starlight-sync", mode: 0o600)
    let failure = #expect(throws: SecretURL.Failure.self) { try find() }
    #expect(
      failure?.description
        == "\(path) holds an address that begins with http://, which whoever is on the way could read (write it with https://; http:// is for localhost, 127.0.0.1 and [::1] alone)"
    )
  }

  @Test func whatIsNoFileIsRefused() throws {
    try FileManager.default.createDirectory(
      atPath: folder.path + "/x/starlight-sync/message-url", withIntermediateDirectories: true)
    #expect(throws: SecretURL.Failure.self) { try find() }
  }
}
