internal import CICU
internal import Synchronization

/// A regular expression in ICU's syntax, compiled once, for any number of threads.
@safe
public final class TextMatcher: Sendable {
    /// ICU's pattern, which has the state of one match: whoever took it from the list is the only one that has it.
    @safe
    private struct Pattern: @unchecked Sendable {
        let handle: OpaquePointer

        init?(_ handle: OpaquePointer?) {
            guard let handle = unsafe handle else { return nil }
            unsafe self.handle = handle
        }
    }

    /// Each thread takes one from here, or copies one.
    private let idle: Mutex<[Pattern]>
    /// The most copies that wait for the next thread.
    private let mostIdle: Int

    /// As many threads as match at a time; more than that are seldom.
    private static let mostIdle = 16

    /// Compiles a pattern; nil if it is malformed or empty.
    public convenience init?(_ pattern: String, isCaseInsensitive: Bool = false) {
        self.init(pattern, isCaseInsensitive: isCaseInsensitive, mostIdle: Self.mostIdle)
    }

    /// - Parameter mostIdle: the most copies that are kept; at least one.
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

    /// The copies that wait for the next thread, one at least.
    package var idleCount: Int { idle.withLock { $0.count } }

    /// Whether the expression matches a part of the text that begins where the text does; nil if that takes too much.
    ///
    /// - Parameters:
    ///   - text: the text that is searched.
    ///   - steps: how much is tried, in units of about 10 000 of ICU's steps.
    public func matchesStart(of text: String, steps: Int32) -> Bool? {
        let units = Array(text.utf16)
        guard let length = Int32(exactly: units.count) else { return nil }
        // One of them always stays, so that there is one to copy.
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
