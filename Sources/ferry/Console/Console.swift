import Foundation

/// Standard output and standard error.
enum Console {
    /// Data go to standard output.
    static func print(_ text: String) {
        write(text, to: FileHandle.standardOutput)
    }

    /// Diagnostics go to standard error.
    static func note(_ text: String) {
        write(text, to: FileHandle.standardError)
    }

    static var errorIsTerminal: Bool { isatty(2) == 1 }

    private static func write(_ text: String, to handle: FileHandle) {
        // A reader that has seen enough is no failure: SIGPIPE is ignored, and so is this.
        try? handle.write(contentsOf: Data(text.utf8))
    }
}
