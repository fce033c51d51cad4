/// A time zone for times that are written without one: a fixed offset, or a zone of the system's time zone database.
public struct ZoneOffset: Equatable, Sendable {
    /// The name or offset that was given.
    public let name: String
    /// The times at which the offset changes, in seconds since 1970 (UTC), ascending.
    let starts: [Int]
    /// The offsets in seconds east of UTC: the one before the first change, then the one after each change.
    let offsets: [Int]

    /// UTC, without daylight saving time.
    public static let utc = ZoneOffset(seconds: 0, name: "UTC")

    private init(seconds: Int, name: String) {
        self.init(name: name, starts: [], offsets: [seconds])
    }

    private init(name: String, starts: [Int], offsets: [Int]) {
        self.name = name
        self.starts = starts
        self.offsets = offsets
    }

    /// Creates a zone from `UTC`, `Z`, `+09:00`, `-0330`, `+2`, `GMT+2`, or a name such as `Europe/Berlin`; nil if
    /// there is no such zone.
    public init?(_ name: String) {
        if name.uppercased() == "Z" || name.uppercased() == "UTC" || name.uppercased() == "GMT" {
            self.init(seconds: 0, name: name)
            return
        }
        let isPrefixed = name.hasPrefix("GMT") || name.hasPrefix("UTC")
        if let seconds = ZoneOffset.fixedSeconds(isPrefixed ? String(name.dropFirst(3)) : name) {
            self.init(seconds: seconds, name: name)
            return
        }
        guard let zone = ZoneFile(name) else { return nil }
        self.init(name: name, starts: zone.starts, offsets: zone.offsets)
    }

    private static func fixedSeconds(_ text: String) -> Int? {
        guard let sign = text.first, sign == "+" || sign == "-" else { return nil }
        let parts = text.dropFirst().split(separator: ":", omittingEmptySubsequences: false)
        let digits = parts.count == 1 && text.count == 5 ? [text.dropFirst().prefix(2), text.suffix(2)] : parts
        guard digits.count <= 2, let hours = digits.first.flatMap({ Int($0) }), 0...18 ~= hours else { return nil }
        guard digits.count == 1 || digits[1].count == 2 else { return nil }
        guard let minutes = digits.count == 2 ? Int(digits[1]) : 0, 0...59 ~= minutes else { return nil }
        return (sign == "-" ? -1 : 1) * (hours * 3600 + minutes * 60)
    }

    /// Returns the seconds since 1970 (UTC) of a local time, given as seconds since 1970 on the local clock.
    ///
    /// If a local time occurs twice, the earlier one is used. If the clock skips it, the clock is continued as if it
    /// had not changed.
    @inline(__always)
    func seconds(fromLocal local: Int) -> Int {
        if offsets.count == 1 { return local - offsets[0] }
        return secondsByTable(fromLocal: local)
    }

    private func secondsByTable(fromLocal local: Int) -> Int {
        // Finds the first period that ends, on its own clock, after the time.
        var low = 0
        var high = starts.count
        while low < high {
            let middle = (low + high) / 2
            if local < starts[middle] + offsets[middle] { high = middle } else { low = middle + 1 }
        }
        let found = local - offsets[low]
        // A skipped time is before the period's beginning, so the clock of the period before is continued.
        return low > 0 && found < starts[low - 1] ? local - offsets[low - 1] : found
    }
}
