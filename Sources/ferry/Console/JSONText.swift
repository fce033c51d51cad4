import Foundation
import PersistentStores

/// Values as JSON for people and scripts.
enum JSONText {
    static func text(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self) + "\n"
    }

    /// One line, for progress.
    static func line(_ value: some Encodable) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return ((try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? "{}") + "\n"
    }

    /// Writes a report; beside the name, then renamed, so that a reader never sees half of it.
    static func write(_ text: String, to path: String) throws {
        try write(Array(StandIns.named(text).utf8), to: path)
    }

    /// Writes any file in the same way.
    static func write(_ bytes: [UInt8], to path: String) throws {
        try checkWritable(path)
        try FileSystem.replaceFile(bytes, at: path)
    }

    /// Throws where a file at that path could not be written, as far as that can be known before.
    static func checkWritable(_ path: String) throws(FileError) {
        if path.isEmpty { throw FileError(.write, "\"\"", number: ENOENT) }
        // A pipe or a device is there, whoever may write to its folder.
        if FileSystem.isStream(path) { return }
        if FileSystem.isDirectory(path) { throw FileError(.write, path, number: EISDIR) }
        let directory = FileSystem.directory(of: path)
        guard FileSystem.exists(directory) else { throw FileError(.write, path, number: ENOENT) }
        guard FileSystem.isDirectory(directory) else { throw FileError(.write, path, number: ENOTDIR) }
        if access(directory, W_OK) != 0 { throw FileError(.write, path) }
    }
}
