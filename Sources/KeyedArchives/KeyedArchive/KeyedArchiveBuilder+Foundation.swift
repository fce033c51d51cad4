/// Objects of Foundation's classes.
extension KeyedArchiveBuilder {
    /// An `NSArray`, or an `NSMutableArray`.
    public mutating func array(_ elements: [Reference], isMutable: Bool = false) -> Reference {
        object(isMutable ? .mutableArray : .array, [("NS.objects", .references(elements))])
    }

    /// An `NSSet`.
    public mutating func set(_ elements: [Reference]) -> Reference {
        object(.set, [("NS.objects", .references(elements))])
    }

    /// An `NSDictionary`, or an `NSMutableDictionary`.
    public mutating func dictionary(_ pairs: [(Reference, Reference)], isMutable: Bool = false) -> Reference {
        object(
            isMutable ? .mutableDictionary : .dictionary,
            [("NS.keys", .references(pairs.map(\.0))), ("NS.objects", .references(pairs.map(\.1)))])
    }

    /// An `NSDate` of seconds since 2001-01-01T00:00:00Z.
    public mutating func date(_ seconds: Double) -> Reference {
        object(.date, [("NS.time", .inline(.real(seconds)))])
    }

    /// An `NSUUID` of 16 bytes.
    public mutating func uuid(_ bytes: [UInt8]) -> Reference {
        object(.uuid, [("NS.uuidbytes", .inline(.data(bytes)))])
    }

    /// An `NSURL` without a base.
    public mutating func url(_ text: String) -> Reference {
        object(.url, [("NS.base", .reference(.null)), ("NS.relative", .reference(string(text)))])
    }

    /// An `NSDecimalNumber`.
    public mutating func decimal(_ number: DecimalNumber) -> Reference {
        var words: [UInt8] = []
        var rest = number.mantissa
        for _ in 0..<16 {
            words.append(UInt8(truncatingIfNeeded: rest))
            rest >>= 8
        }
        let length = (number.mantissa.bitWidth - number.mantissa.leadingZeroBitCount + 15) / 16
        return object(
            .decimalNumber,
            [
                ("NS.exponent", .inline(.integer(Int64(number.exponent)))),
                ("NS.length", .inline(.integer(Int64(length)))),
                ("NS.negative", .inline(.boolean(number.isNegative))),
                ("NS.compact", .inline(false)),
                ("NS.mantissa.bo", .inline(1)),
                ("NS.mantissa", .inline(.data(words))),
            ])
    }
}

extension ArchivedClass {
    public static let array = ArchivedClass(["NSArray", "NSObject"])
    public static let mutableArray = ArchivedClass(["NSMutableArray", "NSArray", "NSObject"])
    public static let set = ArchivedClass(["NSSet", "NSObject"])
    public static let dictionary = ArchivedClass(["NSDictionary", "NSObject"])
    public static let mutableDictionary = ArchivedClass(["NSMutableDictionary", "NSDictionary", "NSObject"])
    public static let date = ArchivedClass(["NSDate", "NSObject"])
    public static let uuid = ArchivedClass(["NSUUID", "NSObject"])
    public static let url = ArchivedClass(["NSURL", "NSObject"])
    // The placeholder is what Foundation itself archives decimal numbers as.
    public static let decimalNumber = ArchivedClass([
        "NSDecimalNumberPlaceholder", "NSDecimalNumber", "NSNumber", "NSValue", "NSObject",
    ])
}
