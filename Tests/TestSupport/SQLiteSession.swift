import Foundation

/// The sqlite3 tool on a database, open until it is told to end: another process, whose locks count.
public final class SQLiteSession {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()

    /// Opens the database and runs statements.
    public init(on path: String, running sql: String = "") throws {
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["sqlite3", path]
        process.standardInput = input
        process.standardOutput = output
        process.standardError = output
        try process.run()
        if !sql.isEmpty { try run(sql) }
    }

    /// Runs statements and returns what they print, errors included.
    @discardableResult
    public func run(_ sql: String) throws -> String {
        try input.fileHandleForWriting.write(contentsOf: Data("\(sql)\n;SELECT 'rea' || 'dy';\n".utf8))
        var said = ""
        while !said.contains("ready\n") {
            let data = output.fileHandleForReading.availableData
            guard !data.isEmpty else { throw CocoaError(.fileReadUnknown) }
            said += String(decoding: data, as: UTF8.self)
        }
        return said.replacingOccurrences(of: "ready\n", with: "")
    }

    /// Closes the database as a program that ends does.
    public func close() {
        // Not by closing the pipe: another process that was started meanwhile may hold its end.
        try? input.fileHandleForWriting.write(contentsOf: Data(".quit\n".utf8))
        process.waitUntilExit()
    }

    /// Kills it where it stands.
    public func kill() {
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    deinit {
        if process.isRunning { kill() }
    }
}
