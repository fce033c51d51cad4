/// Finds the records in a JSON document that is one object: an array of objects, `{"data": {"items": [{...}, ...]}}`, or
/// an object whose members are alike, `{"currencies": {"EUR": {...}, "USD": {...}}}`.
struct JSONRecordFinding {
    /// The keys that lead to an array of objects, and how many objects of it were seen.
    private var found: [(keys: [String], count: Int, hasMembers: Bool)] = []
    private var open: [Open] = []

    /// An object or array that is not closed.
    private struct Open {
        var isArray: Bool
        /// Of an array of objects: its place among those that were found.
        var place: Int?
        /// Of an object: the key that is read.
        var key: String?
        /// Of an object: its keys, as many as matter.
        var keys = Set<String>()
        /// Of an object: how many of its members are objects, how many something else, and the keys that the first have
        /// in common.
        var objectCount = 0
        var otherCount = 0
        var common: Set<String>?
    }

    /// Fewer members that are alike may be so by chance.
    private static let leastMembers = 3
    private let limits: DraftLimits

    init(_ limits: DraftLimits) {
        self.limits = limits
    }

    /// The keys of the array or object with the most records, as `records` of a mapping says them; nil for the document
    /// itself.
    static func records(in path: String, within limits: DraftLimits = DraftLimits()) throws -> String? {
        // A stream can be read once only.
        guard !StreamInput.isStream(path) else { return nil }
        var window = try TextWindow.opening(try ByteInput(path: path), as: nil, otherwise: .utf8)
        try window.fill(toHold: limits.searchedBytes)
        let bytes = window.bytes[window.start..<window.end].prefix(limits.searchedBytes)
        guard bytes.first(where: { JSONParser.isSpace($0) == nil }) == UInt8(ascii: "{") else { return nil }
        var finding = JSONRecordFinding(limits)
        return finding.read(Array(bytes)) ? finding.records : nil
    }

    /// The keys of the array or object with the most records so far.
    var records: String? {
        let best = found.filter { $0.count > 0 }.max { ($0.count, -$0.keys.count) < ($1.count, -$1.keys.count) }
        guard let best, best.keys.allSatisfy(Self.isSayable) else { return nil }
        return (best.keys + (best.hasMembers ? ["*"] : [])).joined(separator: ".")
    }

    private static func isSayable(_ key: String) -> Bool {
        !key.isEmpty && key != "*" && !key.contains { "./[]@\"\\".contains($0) }
    }

    /// Goes through the structure; false if a second value follows the first, so that values are the records.
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

    /// Ends where the sample ends before the document: what was read of its objects counts.
    mutating func closeAll() {
        if !open.isEmpty { open.removeLast() }
        while !open.isEmpty { close() }
    }

    mutating func openObject() {
        if let place = open.last?.place { found[place].count += 1 }
        open.append(Open(isArray: false))
    }

    /// Takes note of a key; until its value turns out to be an object it is something else.
    mutating func begin(member key: String) {
        guard let place = open.indices.last, !open[place].isArray else { return }
        open[place].key = key
        open[place].otherCount += 1
        if open[place].keys.count < limits.comparedKeys { open[place].keys.insert(key) }
    }

    /// Notes an array that only keys lead to.
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
