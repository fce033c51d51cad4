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

    /// The characters of a line on the terminal at standard error; nil where there is none that says so.
    static var errorWidth: Int? {
        var size = winsize()
        guard ioctl(2, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }

    private static func write(_ text: String, to handle: FileHandle) {
        // A reader that has seen enough is no failure: SIGPIPE is ignored, and so is this.
        try? handle.write(contentsOf: Data(StandIns.named(text).utf8))
    }
}
