import KeyedArchives

/// Values of every kind, with the edges of their ranges.
enum SampleValues {
    static let scalars: [PropertyListValue] = [
        .null, true, false,
        0, 1, 127, 128, 255, 256, 65_535, 65_536, .integer(Int64(UInt32.max)), .integer(Int64(UInt32.max) + 1),
        .integer(.max), .integer(.min), -1,
        .init(UInt64.max), .init(Int128.max), .init(Int128.min), .init(Int128(Int64.max) + 1),
        .real(0), .real(-0.0), .real(.pi), .real(.infinity), .real(.nan), .real(.leastNonzeroMagnitude),
        .single(1.5), .single(.nan), .single(-.infinity),
        .date(0), .date(-63_114_076_800), .date(757_382_400.25),
        .data([]), .data(Array(0...255)), .data([UInt8](repeating: 7, count: 70_000)),
        "", "text", "a text of more than fifteen characters", "Grüße, 世界 👋", "with\u{0}NUL",
        .string(String(repeating: "x", count: 300)), .string(String(repeating: "é", count: 300)),
        .malformedText([0x0061, 0xD800]), .malformedText([0xDC00, 0x0062]),
        .uid(0), .uid(255), .uid(256), .uid(70_000), .uid(1 << 40),
    ]

    static let nested: PropertyListValue = [
        "scalars": .array(scalars), "empty array": [], "empty dictionary": .dictionary(PropertyListDictionary()),
        "set": .set(["a", "b"]), "again": .array(scalars),
        "deep": [["a": [["b": []]]]], "many": .array((0..<1000).map { .integer($0) }),
        "names": .dictionary(names),
    ]

    private static let names: PropertyListDictionary = {
        var names = PropertyListDictionary()
        for number in 0..<300 {
            names["key \(number)"] = .string("value \(number % 7)")
        }
        return names
    }()
}
