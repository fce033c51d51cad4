/// Adding objects of Foundation's classes.
extension KeyedArchiveBuilder {
    /// Adds an `NSArray`, or an `NSMutableArray`.
    public mutating func array(_ elements: [Reference], isMutable: Bool = false) -> Reference {
        object(isMutable ? .mutableArray : .array, [("NS.objects", .references(elements))])
    }

    /// Adds an `NSSet`.
    public mutating func set(_ elements: [Reference]) -> Reference {
        object(.set, [("NS.objects", .references(elements))])
    }

    /// Adds an `NSDictionary`, or an `NSMutableDictionary`.
    public mutating func dictionary(_ pairs: [(Reference, Reference)], isMutable: Bool = false) -> Reference {
        object(
            isMutable ? .mutableDictionary : .dictionary,
            [("NS.keys", .references(pairs.map(\.0))), ("NS.objects", .references(pairs.map(\.1)))])
    }

    /// Adds an `NSDate` for seconds since 2001-01-01T00:00:00Z.
    public mutating func date(_ seconds: Double) -> Reference {
        object(.date, [("NS.time", .inline(.real(seconds)))])
    }

    /// Adds an `NSUUID` of 16 bytes.
    public mutating func uuid(_ bytes: [UInt8]) -> Reference {
        object(.uuid, [("NS.uuidbytes", .inline(.data(bytes)))])
    }

    /// Adds an `NSURL` without a base.
    public mutating func url(_ text: String) -> Reference {
        object(.url, [("NS.base", .reference(.null)), ("NS.relative", .reference(string(text)))])
    }

    /// Adds an `NSDecimalNumber`.
    public mutating func decimal(_ number: DecimalNumber) -> Reference {
        let (words, length) = number.archivedMantissa
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

extension DecimalNumber {
    /// Makes the number from its archived form; a negative one without words is NaN.
    ///
    /// - Parameters:
    ///   - words: eight words of 16 bits, the lowest first.
    ///   - length: the number of words that are used.
    ///   - isBigEndian: the order of the bytes in a word.
    ///   - isNegative: whether the number is below zero.
    ///   - exponent: the power of ten by which the mantissa is multiplied, from -128 to 127.
    public init(archivedMantissa words: [UInt8], length: Int, isBigEndian: Bool, isNegative: Bool, exponent: Int) {
        if length == 0, isNegative {
            self = .notANumber
            return
        }
        var mantissa: UInt128 = 0
        for position in (0..<length).reversed() {
            let (first, second) = (UInt128(words[2 * position]), UInt128(words[2 * position + 1]))
            mantissa = mantissa << 16 | (isBigEndian ? first << 8 | second : second << 8 | first)
        }
        self.init(isNegative: isNegative, mantissa: mantissa, exponent: exponent)
    }

    /// The mantissa in its archived form: eight words of 16 bits, the lowest first, and the number of words that are
    /// used.
    public var archivedMantissa: (words: [UInt8], length: Int) {
        (
            (0..<16).map { UInt8(truncatingIfNeeded: mantissa >> ($0 * 8)) },
            (mantissa.bitWidth - mantissa.leadingZeroBitCount + 15) / 16
        )
    }
}

extension ArchivedClass {
    /// `NSArray`, a subclass of `NSObject`.
    public static let array = ArchivedClass(["NSArray", "NSObject"])
    /// `NSMutableArray`, a subclass of `NSArray`.
    public static let mutableArray = ArchivedClass(["NSMutableArray", "NSArray", "NSObject"])
    /// `NSSet`, a subclass of `NSObject`.
    public static let set = ArchivedClass(["NSSet", "NSObject"])
    /// `NSDictionary`, a subclass of `NSObject`.
    public static let dictionary = ArchivedClass(["NSDictionary", "NSObject"])
    /// `NSMutableDictionary`, a subclass of `NSDictionary`.
    public static let mutableDictionary = ArchivedClass(["NSMutableDictionary", "NSDictionary", "NSObject"])
    /// `NSDate`, a subclass of `NSObject`.
    public static let date = ArchivedClass(["NSDate", "NSObject"])
    /// `NSUUID`, a subclass of `NSObject`.
    public static let uuid = ArchivedClass(["NSUUID", "NSObject"])
    /// `NSURL`, a subclass of `NSObject`.
    public static let url = ArchivedClass(["NSURL", "NSObject"])
    // Foundation itself archives decimal numbers under the name of the placeholder.
    /// `NSDecimalNumber`, under the name of the placeholder that Foundation archives it with.
    public static let decimalNumber = ArchivedClass([
        "NSDecimalNumberPlaceholder", "NSDecimalNumber", "NSNumber", "NSValue", "NSObject",
    ])
}
