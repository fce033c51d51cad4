import Foundation

/// SQLite's own shell with a database open, told what to do line by line.
final class OtherProcess {
    static let command = ["/usr/bin/sqlite3", "/usr/local/bin/sqlite3"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()

    init(opening path: String) throws {
        process.executableURL = URL(fileURLWithPath: OtherProcess.command ?? "")
        process.arguments = ["-batch", path]
        process.standardInput = input
        process.standardOutput = output
        process.standardError = output
        try process.run()
    }

    deinit {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    /// Runs statements to their end; what they print, errors included.
    func run(_ sql: String) throws -> String {
        let mark = "-- \(UUID().uuidString)"
        try input.fileHandleForWriting.write(contentsOf: Data((sql + ";\n.print \"\(mark)\"\n").utf8))
        var text = ""
        while true {
            let data = output.fileHandleForReading.availableData
            guard !data.isEmpty else { return text }
            text += String(decoding: data, as: UTF8.self)
            if let range = text.range(of: mark + "\n") { return String(text[..<range.lowerBound]) }
        }
    }

    /// Ends it without any of the cleaning up that closing a database does.
    func kill() {
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }
}
