internal import Glibc
internal import PersistentStores

/// A file of the system's time zone database, in the format of RFC 8536 (TZif).
struct ZoneFile {
    /// The folder in which Debian's `tzdata` and other systems have these files; as in the C library, `TZDIR` overrides
    /// it.
    private static let folder = getenv("TZDIR").map { String(cString: $0) } ?? "/usr/share/zoneinfo"

    /// The size in bytes of the largest file that is read; real files have a few thousand bytes.
    private static let largestFile = 256 << 10

    /// The times at which the offset changes, in seconds since 1970 (UTC), ascending.
    private(set) var starts: [Int] = []
    /// The offsets in seconds east of UTC: the one before the first change, then the one after each change.
    private(set) var offsets: [Int] = []

    /// Returns nil if there is no such zone, or if its file is damaged.
    init?(_ name: String) {
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        let isName = parts.allSatisfy { part in
            !part.isEmpty && part.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F } && !part.hasPrefix(".")
        }
        guard isName, let bytes = try? FileSystem.contents(of: Self.folder + "/" + name, upTo: Self.largestFile) else {
            return nil
        }
        self.init(bytes)
    }

    /// Returns nil if the bytes are not a time zone file.
    init?(_ bytes: [UInt8]) {
        var reader = ZoneFileReader(bytes)
        guard let first = reader.header(), first.version >= 2 else { return nil }
        // The first block has the same data with 32-bit times, for old readers.
        guard reader.skip(first.size(ofTime: 4)), let header = reader.header() else { return nil }
        guard header.types > 0, let times = reader.integers(header.times, of: 8),
            let kinds = reader.integers(header.times, of: 1)
        else { return nil }
        var types: [Int] = []
        for _ in 0..<header.types {
            guard let offset = reader.integer(4), abs(offset) < 26 * 3600, reader.skip(2) else { return nil }
            types.append(offset)
        }
        guard kinds.allSatisfy({ 0..<types.count ~= $0 }), zip(times, times.dropFirst()).allSatisfy({ $0 < $1 }),
            reader.skip(header.sizeAfterTypes(ofTime: 8))
        else { return nil }
        offsets = [types[0]]
        for (time, kind) in zip(times, kinds) { append(time, types[kind]) }
        // The last line contains the rule for later times.
        guard let rule = ZoneRule(String(decoding: reader.rest.split(separator: 0x0A).first ?? [], as: UTF8.self))
        else {
            return
        }
        let last = starts.last ?? Int.min
        for (time, offset) in rule.changes() where time > last { append(time, offset) }
    }

    /// Changes that only affect the name of the zone or the daylight saving flag are left out.
    private mutating func append(_ start: Int, _ offset: Int) {
        guard offset != offsets[offsets.count - 1] else { return }
        starts.append(start)
        offsets.append(offset)
    }
}
