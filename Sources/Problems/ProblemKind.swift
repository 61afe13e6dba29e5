// SPDX-License-Identifier: Apache-2.0

extension Problem {
  /// What is wrong, for programs. There are no others.
  public enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
    // Files.
    /// No file or folder has that name.
    case missing
    /// Something else stands where a file, or a folder, was expected.
    case notAFile
    /// Links lead out of the folder that the file must lie in.
    case leadsOut
    /// The system does not let it be read.
    case unreadable
    /// It has more bytes, or lasts longer, than is read, or than its pack has room for.
    case tooLarge
    /// There is no memory for it, or none beside what is loaded.
    case noMemory
    /// It has no bytes, or nothing in it.
    case empty

    // Packs, and what is written as JSON.
    /// No game pack is in the folders that were named; or another pack is active, because the one that would be is left out.
    case noPack
    /// There are more packs than are read.
    case tooManyPacks
    /// Another pack, which counts, has the same name.
    case nameTaken
    /// The text breaks the rules of its format.
    case syntax
    /// A field that must be there is not.
    case missingField
    /// A field that nobody reads: most likely mistyped.
    case unknownField
    /// Text where a number should be, and the like.
    case wrongType
    /// A value outside its range.
    case invalidValue
    /// A name that nothing has.
    case unknownName
    /// The file holds no haptic pattern.
    case notAPattern

    // Sound files.
    /// The bytes are no sound file.
    case notAudio
    /// A sound in a format, or with a rate or channels, that is not played.
    case unsupported
    /// The file ends before, or breaks off where, its header promises more.
    case truncated
    /// It lasts too long to be kept in memory whole.
    case tooLong
    /// The loop does not lie inside the file.
    case badLoop
    /// The file is another than when it was loaded.
    case changed
    /// As much plays, or begins at once, as can be.
    case busy

    // Sound devices.
    /// There is no such device.
    case deviceMissing
    /// Somebody else holds the device.
    case deviceBusy
    /// This user may not open the device.
    case deviceDenied
    /// Anything else that kept the device from being opened.
    case deviceFailed
    /// The device has no rate, format or buffer that could be used.
    case parametersRefused
    /// The device, of sound or a pad, did not answer in time and was left as it was.
    case deviceHangs
    /// The system gave no thread.
    case threadRefused
    /// A recording could not be created or written.
    case recordingFailed
    /// How far ahead a device needs to be filled could not be kept for the next start.
    case fillNotKept
    /// How late a device is heard could not be kept for the next start.
    case leadNotKept

    // The player's settings.
    /// Settings of an earlier run could not be read, and count as none.
    case settingsIgnored
    /// Settings could not be kept for the next start.
    case settingsNotKept

    // What is felt.
    /// A pad that was asked for is not plugged in.
    case padMissing
    /// This user may not open the pad.
    case padDenied
    /// The pad does not do what it is told.
    case padFailed
    /// The haptic log could not be created or written.
    case logFailed

    // The journal.
    /// The journal could not be written to its end.
    case journalFailed
  }
}
