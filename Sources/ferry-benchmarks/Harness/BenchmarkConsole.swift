import Foundation

/// Standard output for figures, standard error for what happens meanwhile.
enum BenchmarkConsole {
    static func print(_ text: String) {
        try? FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
    }

    static func note(_ text: String) {
        try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
    }
}
