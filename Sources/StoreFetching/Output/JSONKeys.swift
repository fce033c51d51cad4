import TextEncodings

/// The text before each value of a JSON record: its key, and the beginnings and ends of objects and arrays.
struct JSONKeys {
    /// The texts: `{"name":` before the first value, `,"name":` or `},"other":[null,` before others.
    private(set) var keys: [[UInt8]] = []
    /// The text that closes the objects and arrays in the record.
    private(set) var closing: [UInt8] = []

    /// - Parameter paths: the paths of values; those with the same beginning are adjacent, and array elements in order.
    init(_ paths: [[RecordStep]]) throws {
        var last: [RecordStep] = []
        for path in paths {
            let common = zip(last.dropLast(), path.dropLast()).prefix { $0 == $1 }.count
            var key = last.isEmpty ? [] : Self.end(last, downTo: common)
            key.append(last.isEmpty ? UInt8(ascii: "{") : UInt8(ascii: ","))
            for depth in common..<path.count {
                if depth > common { Self.open(path[depth], &key) }
                try Self.append(path[depth], behind: depth == common ? last.dropFirst(depth).first : nil, &key)
            }
            keys.append(key)
            last = path
        }
        closing = last.isEmpty ? [] : Self.end(last, downTo: 0)
    }

    /// Returns the text that closes a path, the innermost step first.
    private static func end(_ path: [RecordStep], downTo depth: Int) -> [UInt8] {
        path.dropFirst(depth + 1).reversed().map { if case .item = $0 { UInt8(ascii: "]") } else { UInt8(ascii: "}") } }
    }

    private static func open(_ step: RecordStep, _ key: inout [UInt8]) {
        if case .item = step { key.append(UInt8(ascii: "[")) } else { key.append(UInt8(ascii: "{")) }
    }

    /// Appends the key itself; in an array, NULL for the missing elements since the last one.
    private static func append(_ step: RecordStep, behind last: RecordStep?, _ key: inout [UInt8]) throws {
        switch step {
        case .name(let name): try JSONValueWriter.append(key: name, to: &key)
        case .item(let index):
            var next = 0
            if case .item(let before)? = last { next = before + 1 }
            for _ in next..<max(next, index) { key += "null,".utf8 }
        }
    }
}
