import CommandLineParsing
import FoundationEssentials
import Glibc
import PersistentStores

/// A file that a command writes for its user. What is there already stays, unless the command was given `--force`.
enum CommandOutput {
    /// Something is there that is not to be replaced.
    struct Exists: Error, CustomStringConvertible {
        let path: String

        var description: String { "\(path): it exists already; choose another path, or replace it with --force" }
    }

    /// The path that means standard output.
    static let standard = "-"

    /// Refuses standard output as the place of what is more than one stream of bytes: a store, or a folder.
    static func checkIsPath(_ output: String?, _ what: String, of option: String = "--output") throws(UsageError) {
        if let output, output == standard {
            throw .badValue(output, of: option, expected: "a path: \(what) cannot go to standard output")
        }
    }

    /// Throws if a file at that path could not be written, as far as that can be known before.
    static func check(_ path: String, isReplacing: Bool) throws {
        if path.isEmpty { throw FileError(.write, "\"\"", number: ENOENT) }
        if path == standard { return }
        // A pipe or a device is there, whoever may write to its folder.
        if FileSystem.isStream(path) { return }
        if FileSystem.isDirectory(path) { throw FileError(.write, path, number: EISDIR) }
        let directory = FileSystem.directory(of: path)
        guard FileSystem.exists(directory) else { throw FileError(.write, path, number: ENOENT) }
        guard FileSystem.isDirectory(directory) else { throw FileError(.write, path, number: ENOTDIR) }
        if access(directory, W_OK) != 0 { throw FileError(.write, path) }
        if !isReplacing, FileSystem.isThere(path) { throw Exists(path: path) }
    }

    /// Writes a text; it has its name when it is whole. `standard` is standard output, as it is of all commands.
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
                // A reader that has seen enough is not a failure.
                return
            }
        }
        try FileSystem.writeOutput(bytes, to: path, replacing: isReplacing)
    }
}

extension Flag where Options: OptionTable {
    /// The option by which files that are there give way.
    static func force(_ path: Path<Bool>, _ what: String) -> Self {
        .switch("force", path, "Replace \(what) that is there already.")
    }
}
