import FoundationEssentials
import Glibc
import Synchronization
import TextEncodings

/// Standard output and standard error.
///
/// Reports and diagnostics contain texts from models and stores. All control characters that a terminal would interpret
/// are escaped here.
enum Console {
    /// Prints a report to standard output.
    static func print(_ text: String) {
        write(PrintableText.escaped(text), to: 1)
    }

    /// Prints a document for other programs to standard output, unchanged.
    static func print(document: String) {
        write(document, to: 1)
    }

    /// Prints a diagnostic to standard error.
    static func note(_ text: String) {
        write(PrintableText.escaped(text), to: 2)
    }

    /// Replaces the last line on the terminal of standard error.
    static func rewriteLine(_ text: String) {
        lineIsOpen.withLock { isOpen in
            put(wiping + PrintableText.line(text), to: 2)
            isOpen = true
        }
    }

    /// Clears the line that `rewriteLine` has written last, if there is one.
    static func wipeLine() { lineIsOpen.withLock { wipe(&$0) } }

    private static func wipe(_ isOpen: inout Bool) {
        if isOpen { put(wiping, to: 2) }
        isOpen = false
    }

    /// Whether the last line on the terminal is a progress line, which the next output replaces.
    private static let lineIsOpen = Mutex(false)
    private static let wiping = "\r\u{1B}[K"

    static var errorIsTerminal: Bool { isatty(2) == 1 }

    /// The width in characters of the terminal of standard error; nil if it is not known.
    static var errorWidth: Int? {
        var size = winsize()
        guard ioctl(2, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }

    private static func write(_ text: String, to descriptor: Int32) {
        lineIsOpen.withLock { isOpen in
            wipe(&isOpen)
            put(text, to: descriptor)
        }
    }

    private static func put(_ text: String, to descriptor: Int32) {
        let bytes = Array(text.utf8)
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                written += count
            } else if errno != EINTR {
                // It is not an error if the reader stops reading; SIGPIPE is ignored too.
                return
            }
        }
    }
}
