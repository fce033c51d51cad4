import Foundation

/// A program beside this one: locks of one process do not show within it.
enum OtherProcess {
    /// Runs SQL with the sqlite3 tool and returns what it says, errors included.
    static func sql(_ text: String, on path: String) throws -> String {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["sqlite3", "-bail", path, text]
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: output, as: UTF8.self)
    }

    /// The sqlite3 tool inside a transaction, until it is told to end.
    final class Session {
        private let process = Process()
        private let input = Pipe()
        private let output = Pipe()

        /// Returns when the statements have run.
        init(on path: String, running sql: String) throws {
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = ["sqlite3", "-bail", path]
            process.standardInput = input
            process.standardOutput = output
            try process.run()
            try input.fileHandleForWriting.write(contentsOf: Data("\(sql)\nSELECT 'ready';\n".utf8))
            var said = ""
            while !said.contains("ready"), case let data = output.fileHandleForReading.availableData, !data.isEmpty {
                said += String(decoding: data, as: UTF8.self)
            }
        }

        /// Kills it where it stands.
        func kill() {
            Foundation.kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }

        deinit {
            if process.isRunning { kill() }
        }
    }
}
