import CommandLineParsing
import FoundationEssentials
import Glibc
import PersistentStores

/// A file that a command writes for its user. Existing files are kept unless the command has the option `--force`.
enum CommandOutput {
    /// The error for an existing file that must not be replaced.
    struct Exists: Error, CustomStringConvertible {
        let path: String

        var description: String { "\(path): it exists already; choose another path, or replace it with --force" }
    }

    /// The path that stands for standard output.
    static let standard = "-"

    /// Throws an error if the output is standard output but is more than a single stream of bytes, such as a store or a
    /// folder.
    static func checkIsPath(_ output: String?, _ what: String, of option: String = "--output") throws(UsageError) {
        if let output, output == standard {
            throw .badValue(output, of: option, expected: "a path: \(what) cannot go to standard output")
        }
    }

    /// Throws an error if it is already known that a file cannot be written to a path.
    static func check(_ path: String, isReplacing: Bool) throws {
        if path.isEmpty { throw FileError(.write, "\"\"", number: ENOENT) }
        if path == standard { return }
        // A pipe or a device exists already, so the permissions of its folder do not matter.
        if FileSystem.isStream(path) { return }
        if FileSystem.isDirectory(path) { throw FileError(.write, path, number: EISDIR) }
        let directory = FileSystem.directory(of: path)
        guard FileSystem.exists(directory) else { throw FileError(.write, path, number: ENOENT) }
        guard FileSystem.isDirectory(directory) else { throw FileError(.write, path, number: ENOTDIR) }
        if access(directory, W_OK) != 0 { throw FileError(.write, path) }
        if !isReplacing, FileSystem.isThere(path) { throw Exists(path: path) }
    }

    /// Writes a text, to a file that gets its name when it is complete, or to standard output for `standard`.
    static func write(_ text: String, to path: String, isReplacing: Bool) throws {
        try write(Array(text.utf8), to: path, isReplacing: isReplacing)
    }

    /// Writes bytes in the same way.
    static func write(_ bytes: [UInt8], to path: String, isReplacing: Bool) throws {
        try check(path, isReplacing: isReplacing)
        if path == standard {
            do {
                return try StandardOutput.write(bytes)
            } catch is StandardOutput.Closed {
                // It is not an error if the reader stops reading.
                return
            }
        }
        try FileSystem.writeOutput(bytes, to: path, replacing: isReplacing)
    }
}

extension Flag where Options: OptionTable {
    /// Returns the option with which existing files are replaced.
    static func force(_ path: Path<Bool>, _ what: String) -> Self {
        .switch("force", path, "Replace \(what) that is there already.")
    }
}
