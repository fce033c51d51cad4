/// Finds the array of records in a JSON document that is one object: `{"data": {"items": [{...}, ...]}}`.
struct JSONRecordFinding {
    /// The keys that lead to an array of objects, and how many objects of it were seen.
    private var found: [(keys: [String], count: Int)] = []
    /// What is open: an object with the key that is read, or an array.
    private var open: [(key: String?, isArray: Bool, place: Int?)] = []

    /// What comes later in a file is not looked at.
    private static let sampleBytes = 4 << 20
    private static let largestDepth = 6

    /// The keys of the array with the most objects, as `records` of a mapping says them; nil for the document itself.
    static func records(in path: String) throws -> String? {
        // What comes through standard input can be read once only.
        guard path != "-" else { return nil }
        var window = try TextWindow.opening(try ByteInput(path: path), as: nil, otherwise: .utf8)
        try window.fill(toHold: sampleBytes)
        let bytes = window.bytes[window.start..<window.end]
        guard bytes.first(where: { JSONParser.isSpace($0) == nil }) == UInt8(ascii: "{") else { return nil }
        var finding = JSONRecordFinding()
        guard finding.read(Array(bytes)) else { return nil }
        let best = finding.found.filter { $0.count > 0 }.max { ($0.count, -$0.keys.count) < ($1.count, -$1.keys.count) }
        guard let best, best.keys.allSatisfy(isSayable) else { return nil }
        return best.keys.joined(separator: ".")
    }

    private static func isSayable(_ key: String) -> Bool {
        !key.isEmpty && !key.contains { "./[]@\"\\".contains($0) }
    }

    /// Goes through the structure; false where a second value follows the first, so that values are the records.
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
                if let text, let last = open.indices.last, !open[last].isArray {
                    open[last].key = String(decoding: bytes[text], as: UTF8.self)
                }
            case UInt8(ascii: "{"):
                countObject()
                open.append((nil, false, nil))
            case UInt8(ascii: "["): openArray()
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                _ = open.popLast()
                if open.isEmpty {
                    return bytes[min(index + 1, bytes.count)...].allSatisfy { JSONParser.isSpace($0) != nil }
                }
            default: break
            }
            index += 1
        }
        return true
    }

    /// Notes an array that only keys lead to.
    private mutating func openArray() {
        var place: Int?
        let keys = open.compactMap(\.key)
        if !open.contains(where: \.isArray), keys.count == open.count, keys.count <= Self.largestDepth {
            place = found.count
            found.append((keys, 0))
        }
        open.append((nil, true, place))
    }

    private mutating func countObject() {
        guard let place = open.last?.place else { return }
        found[place].count += 1
    }
}
