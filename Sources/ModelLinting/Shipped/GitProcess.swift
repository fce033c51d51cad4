import Foundation

/// A run of Git. What goes in and comes out passes through files, so that neither side waits for the other.
struct GitProcess {
    /// A folder for these files.
    let folder: String

    struct Result {
        let status: Int32
        let output: Data
        let errors: String
    }

    func run(_ words: [String], in directory: String, input: String? = nil) throws(GitError) -> Result {
        do {
            let (output, errors) = (folder + "/output", folder + "/errors")
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = ["git", "-C", directory] + words
            // Reading only: not even the index is refreshed. Messages are those that are known here.
            process.environment = ProcessInfo.processInfo.environment.merging(
                ["GIT_OPTIONAL_LOCKS": "0", "LC_ALL": "C"]) { $1 }
            process.standardInput = FileHandle.nullDevice
            if let input {
                try Data(input.utf8).write(to: URL(fileURLWithPath: folder + "/input"))
                process.standardInput = try FileHandle(forReadingFrom: URL(fileURLWithPath: folder + "/input"))
            }
            process.standardOutput = try Self.newFile(output)
            process.standardError = try Self.newFile(errors)
            try process.run()
            process.waitUntilExit()
            return Result(
                status: process.terminationStatus, output: try Data(contentsOf: URL(fileURLWithPath: output)),
                errors: String(decoding: try Data(contentsOf: URL(fileURLWithPath: errors)), as: UTF8.self))
        } catch {
            throw GitError(.failed("\(error)"))
        }
    }

    private static func newFile(_ path: String) throws -> FileHandle {
        try Data().write(to: URL(fileURLWithPath: path))
        return try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    }
}
