internal import Glibc
internal import PersistentStores

/// A file of the system's time zone database, in the form of RFC 8536 (TZif).
struct ZoneFile {
    /// Where Debian's `tzdata`, and every other system, keeps them; `TZDIR` names another folder, as for the C library.
    private static let folder = getenv("TZDIR").map { String(cString: $0) } ?? "/usr/share/zoneinfo"

    /// In bytes; a file has a few thousand of them.
    private static let largestFile = 256 << 10

    /// When another offset begins, in seconds since 1970 (UTC), ascending.
    private(set) var starts: [Int] = []
    /// Seconds east of Greenwich: of the time before the first start, then of each.
    private(set) var offsets: [Int] = []

    /// nil if there is no such zone, or if its file is damaged.
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

    /// nil if the bytes are no such file.
    init?(_ bytes: [UInt8]) {
        var reader = ZoneFileReader(bytes)
        guard let first = reader.header(), first.version >= 2 else { return nil }
        // The same with times of 32 bits, for readers of another time.
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
        // The last line says how the clock goes on.
        guard let rule = ZoneRule(String(decoding: reader.rest.split(separator: 0x0A).first ?? [], as: UTF8.self))
        else {
            return
        }
        let last = starts.last ?? Int.min
        for (time, offset) in rule.changes() where time > last { append(time, offset) }
    }

    /// What changes nothing is left out: other names and the light of summer say nothing here.
    private mutating func append(_ start: Int, _ offset: Int) {
        guard offset != offsets[offsets.count - 1] else { return }
        starts.append(start)
        offsets.append(offset)
    }
}
