/// Finds the records in a JSON document that consists of one object: an array of objects, such as `{"data": {"items":
/// [{...}, ...]}}`, or an object with similar members, such as `{"currencies": {"EUR": {...}, "USD": {...}}}`.
struct JSONRecordFinding {
    /// The keys that lead to arrays of objects, and the number of objects seen in each.
    private var found: [(keys: [String], count: Int, hasMembers: Bool)] = []
    private var open: [Open] = []

    /// An object or array that is not closed.
    private struct Open {
        var isArray: Bool
        /// For an array of objects: its index in `found`.
        var place: Int?
        /// For an object: the current key.
        var key: String?
        /// For an object: its keys, up to the limit.
        var keys = Set<String>()
        /// For an object: the number of members that are objects, the number of other members, and the keys that its
        /// first members have in common.
        var objectCount = 0
        var otherCount = 0
        var common: Set<String>?
    }

    /// The smallest number of similar members; fewer may be similar by chance.
    private static let leastMembers = 3
    private let limits: DraftLimits

    init(_ limits: DraftLimits) {
        self.limits = limits
    }

    /// Returns the path of the array or object with the most records, as `records` of a mapping specifies it; nil for
    /// the document itself.
    static func records(in path: String, within limits: DraftLimits = DraftLimits()) throws -> String? {
        // A stream can be read only once.
        guard !StreamInput.isStream(path) else { return nil }
        var window = try TextWindow.opening(try ByteInput(path: path), as: nil, otherwise: .utf8)
        try window.fill(toHold: limits.searchedBytes)
        let bytes = window.bytes[window.start..<window.end].prefix(limits.searchedBytes)
        guard bytes.first(where: { JSONParser.isSpace($0) == nil }) == UInt8(ascii: "{") else { return nil }
        var finding = JSONRecordFinding(limits)
        return finding.read(Array(bytes)) ? finding.records : nil
    }

    /// The path of the array or object with the most records so far.
    var records: String? {
        let best = found.filter { $0.count > 0 }.max { ($0.count, -$0.keys.count) < ($1.count, -$1.keys.count) }
        guard let best, best.keys.allSatisfy(Self.isSayable) else { return nil }
        return (best.keys + (best.hasMembers ? ["*"] : [])).joined(separator: ".")
    }

    private static func isSayable(_ key: String) -> Bool {
        !key.isEmpty && key != "*" && !key.contains { "./[]@\"\\".contains($0) }
    }

    /// Reads the structure; returns false if a second value follows the first one, so that the values themselves are
    /// the records.
    private mutating func read(_ bytes: [UInt8]) -> Bool {
        var index = 0
        var text: Range<Int>?
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "\""):
                let start = index + 1
                index = start
                while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
                    index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
                }
                text = start..<min(index, bytes.count)
            case UInt8(ascii: ":"):
                if let text { begin(member: String(decoding: bytes[text], as: UTF8.self)) }
            case UInt8(ascii: "{"): openObject()
            case UInt8(ascii: "["): openArray()
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                close()
                if open.isEmpty {
                    return bytes[min(index + 1, bytes.count)...].allSatisfy { JSONParser.isSpace($0) != nil }
                }
            default: break
            }
            index += 1
        }
        closeAll()
        return true
    }

    /// Closes all containers at the end of the sample, so that objects that were not complete count as well.
    mutating func closeAll() {
        if !open.isEmpty { open.removeLast() }
        while !open.isEmpty { close() }
    }

    mutating func openObject() {
        if let place = open.last?.place { found[place].count += 1 }
        open.append(Open(isArray: false))
    }

    /// Adds a key; it counts as another kind of member until its value turns out to be an object.
    mutating func begin(member key: String) {
        guard let place = open.indices.last, !open[place].isArray else { return }
        open[place].key = key
        open[place].otherCount += 1
        if open[place].keys.count < limits.comparedKeys { open[place].keys.insert(key) }
    }

    /// Adds an array that is reached by keys alone.
    mutating func openArray() {
        var place: Int?
        let keys = open.compactMap(\.key)
        if !open.contains(where: \.isArray), keys.count == open.count, keys.count <= limits.recordDepth {
            place = found.count
            found.append((keys, 0, false))
        }
        open.append(Open(isArray: true, place: place))
    }

    mutating func close() {
        guard let closed = open.popLast(), !closed.isArray else { return }
        let keys = open.compactMap(\.key)
        if closed.objectCount >= Self.leastMembers, closed.otherCount == 0, closed.common?.isEmpty == false,
            keys.count == open.count, keys.count <= limits.recordDepth
        {
            found.append((keys, closed.objectCount, true))
        }
        guard let outer = open.indices.last, !open[outer].isArray, open[outer].key != nil else { return }
        open[outer].otherCount -= 1
        open[outer].objectCount += 1
        open[outer].common = open[outer].common.map { $0.intersection(closed.keys) } ?? closed.keys
    }
}
