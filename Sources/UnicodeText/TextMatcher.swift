internal import CICU
internal import Synchronization

/// A regular expression in ICU's syntax, compiled once, for use by any number of threads.
@safe
public final class TextMatcher: Sendable {
    /// ICU's pattern, which contains the state of one match: it belongs to the thread that took it from the list.
    @safe
    private struct Pattern: @unchecked Sendable {
        let handle: OpaquePointer

        init?(_ handle: OpaquePointer?) {
            guard let handle = unsafe handle else { return nil }
            unsafe self.handle = handle
        }
    }

    /// The idle patterns: each thread takes one, or makes a copy.
    private let idle: Mutex<[Pattern]>
    /// The maximum number of idle copies.
    private let mostIdle: Int

    /// The usual maximum number of threads that match at the same time.
    private static let mostIdle = 16

    /// Compiles a pattern; nil if it is malformed or empty.
    public convenience init?(_ pattern: String, isCaseInsensitive: Bool = false) {
        self.init(pattern, isCaseInsensitive: isCaseInsensitive, mostIdle: Self.mostIdle)
    }

    /// - Parameter mostIdle: the maximum number of copies that are kept; at least one.
    package init?(_ pattern: String, isCaseInsensitive: Bool, mostIdle: Int) {
        self.mostIdle = max(1, mostIdle)
        let units = Array(pattern.utf16)
        guard let length = Int32(exactly: units.count) else { return nil }
        let made = unsafe units.withUnsafeBufferPointer { units in
            unsafe Pattern(ferry_pattern_open(units.baseAddress, length, isCaseInsensitive))
        }
        guard let made else { return nil }
        idle = Mutex([made])
    }

    deinit {
        idle.withLock { idle in
            for pattern in idle { unsafe ferry_pattern_close(pattern.handle) }
        }
    }

    /// The number of idle copies; at least one.
    package var idleCount: Int { idle.withLock { $0.count } }

    /// Returns whether the expression matches at the beginning of the text; nil if that takes too many steps.
    ///
    /// - Parameters:
    ///   - text: the text that is searched.
    ///   - steps: the limit, in units of about 10 000 of ICU's steps.
    public func matchesStart(of text: String, steps: Int32) -> Bool? {
        let units = Array(text.utf16)
        guard let length = Int32(exactly: units.count) else { return nil }
        // One pattern always stays, so that it can be copied.
        let taken = idle.withLock { idle in
            idle.count > 1 ? idle.removeLast() : unsafe Pattern(ferry_pattern_clone(idle[0].handle))
        }
        guard let taken else { return nil }
        let result = unsafe units.withUnsafeBufferPointer { units in
            unsafe ferry_pattern_matches(taken.handle, units.baseAddress, length, steps)
        }
        let isKept = idle.withLock { idle in
            guard idle.count < mostIdle else { return false }
            idle.append(taken)
            return true
        }
        if !isKept { unsafe ferry_pattern_close(taken.handle) }
        return result < 0 ? nil : result > 0
    }
}
