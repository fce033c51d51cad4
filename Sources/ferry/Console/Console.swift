import FoundationEssentials
import Glibc
import Synchronization
import TextEncodings

/// Standard output and standard error.
///
/// Reports and diagnostics name what stands in models and stores: what a terminal would take for a command is escaped
/// here, once for all of them.
enum Console {
    /// Reports go to standard output.
    static func print(_ text: String) {
        write(PrintableText.escaped(text), to: 1)
    }

    /// Documents that others read go to standard output as they are.
    static func print(document: String) {
        write(document, to: 1)
    }

    /// Diagnostics go to standard error.
    static func note(_ text: String) {
        write(PrintableText.escaped(text), to: 2)
    }

    /// Wipes the last line on the terminal at standard error, and writes another one in its place.
    static func rewriteLine(_ text: String) {
        lineIsOpen.withLock { isOpen in
            put(wiping + PrintableText.line(text), to: 2)
            isOpen = true
        }
    }

    /// Wipes the line that `rewriteLine` has written last, if there is one.
    static func wipeLine() { lineIsOpen.withLock { wipe(&$0) } }

    private static func wipe(_ isOpen: inout Bool) {
        if isOpen { put(wiping, to: 2) }
        isOpen = false
    }

    /// Whether the terminal's last line is one that changes: what is printed comes in its place.
    private static let lineIsOpen = Mutex(false)
    private static let wiping = "\r\u{1B}[K"

    static var errorIsTerminal: Bool { isatty(2) == 1 }

    /// The characters of a line on the terminal at standard error; nil if there is none that says so.
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
                // A reader that has seen enough is not a failure: SIGPIPE is ignored, and so is this.
                return
            }
        }
    }
}
