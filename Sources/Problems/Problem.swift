// SPDX-License-Identifier: Apache-2.0

/// Something that is not as it should be: what it is to programs, where it is, why, and what to do about it.
///
/// Whoever finds it fills in what it knows; whoever knows more of the place adds that with `in`. What people read of it is
/// `description`, and nothing else puts such sentences together or takes them apart.
public struct Problem: Error, Hashable, Sendable, Codable {
  /// What is wrong, for programs.
  public var kind: Kind
  /// Where it is, as far as that is known.
  public var `where`: Place
  /// What is wrong, for people: a clause that names the thing, without a full stop. Where `where` has a line or a field it
  /// goes on from there.
  public var reason: String
  /// What to do about it, for people: a clause as well.
  public var remedy: String?
  /// The same for whoever has no daemon running, where the remedy speaks of one. It is not sent.
  public var cure: String?

  private enum CodingKeys: CodingKey { case kind, `where`, reason, remedy }

  /// A problem of that kind; without `where` it is nowhere in particular.
  public init(_ kind: Kind, _ reason: String, remedy: String? = nil, where place: Place = Place()) {
    self.kind = kind
    self.where = place
    self.reason = reason
    self.remedy = remedy
  }

  /// A problem of the file, or folder, of that name, which the reason names.
  public init(_ kind: Kind, file: String, _ reason: String, remedy: String? = nil) {
    self.init(kind, reason, remedy: remedy, where: Place(file: file))
  }

  /// A problem of the sound device or pad of that name, which the reason names.
  public init(_ kind: Kind, device: String, _ reason: String, remedy: String? = nil) {
    self.init(kind, reason, remedy: remedy, where: Place(device: device))
  }

  /// The same, known to be of this asset; of what a place says already nothing is lost.
  public func of(_ asset: Place.Asset) -> Problem {
    var problem = self
    problem.where.asset = problem.where.asset ?? asset
    return problem
  }

  /// The same for a place where no daemon has it read again, or leaves something out until then: with the cure alone.
  public var withoutDaemon: Problem {
    var problem = self
    problem.remedy = cure ?? remedy
    return problem
  }

  /// The same, known to be of this pack.
  public func of(pack: String) -> Problem {
    var problem = self
    problem.where.pack = problem.where.pack ?? pack
    return problem
  }
}

extension Problem: CustomStringConvertible {
  /// One sentence for people: "pack game: sound bell: /game/bell.wav is empty (0 bytes); export or copy it again".
  public var description: String { remedy.map { "\(cause); \($0)" } ?? cause }

  /// The same without the remedy.
  public var cause: String {
    let prefix = `where`.prefix
    return prefix.isEmpty ? reason : "\(prefix): \(reason)"
  }

  /// The same, for people who know the pack already.
  public var inPack: Problem {
    var problem = self
    problem.where.pack = nil
    return problem
  }

  /// The same, for people who know already what of the pack it is about.
  public var ofAsset: Problem {
    var problem = inPack
    problem.where.asset = nil
    return problem
  }
}
