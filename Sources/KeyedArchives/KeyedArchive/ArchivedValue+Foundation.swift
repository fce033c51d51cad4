/// Values of Foundation's classes; nil if the value has another type, an error if it is malformed.
extension ArchivedValue {
    /// Returns the text of a string, mutable or not; also nil if the bytes of an `NSString` are not UTF-8.
    /// - Throws: `KeyedArchiveError` or `PropertyListError` if the object cannot be decoded.
    public func string() throws -> String? {
        switch self {
        case .scalar(let value): return value.string
        case .object(let object) where object.isKind(of: "NSString"):
            // Only plain values, since an archive may claim that a string contains itself.
            if let text = try object.value("NS.string").scalar?.string {
                return text
            }
            return try object.value("NS.bytes").scalar?.data.flatMap { String(validating: $0, as: UTF8.self) }
        default: return nil
        }
    }

    /// Returns the bytes of data, mutable or not; nil for a value of another type.
    /// - Throws: `KeyedArchiveError` with code `keyMissing` if an `NSData` has no bytes; `KeyedArchiveError` or
    ///   `PropertyListError` if it cannot be decoded.
    public func data() throws -> [UInt8]? {
        switch self {
        case .scalar(let value): return value.data
        case .object(let object) where object.isKind(of: "NSData"):
            guard let data = try object.value("NS.data").scalar?.data ?? object.value("NS.bytes").scalar?.data else {
                throw object.error(.keyMissing, key: "NS.data")
            }
            return data
        default: return nil
        }
    }

    /// Returns the time of a date, in seconds since 2001-01-01T00:00:00Z; nil for a value of another type.
    /// - Throws: `KeyedArchiveError` with code `keyMissing` if an `NSDate` has no time; `KeyedArchiveError` or
    ///   `PropertyListError` if it cannot be decoded.
    public func date() throws -> Double? {
        switch self {
        case .scalar(let value): return value.date
        case .object(let object) where object.isKind(of: "NSDate"):
            guard let seconds = try object.real("NS.time") else { throw object.error(.keyMissing, key: "NS.time") }
            return seconds
        default: return nil
        }
    }

    /// Returns the 16 bytes of an `NSUUID`; nil for a value of another type.
    /// - Throws: `KeyedArchiveError` with code `valueInvalid` if an `NSUUID` does not have 16 bytes;
    ///   `KeyedArchiveError` or `PropertyListError` if it cannot be decoded.
    public func uuid() throws -> [UInt8]? {
        guard let object, object.isKind(of: "NSUUID") else { return nil }
        guard let bytes = try object.data("NS.uuidbytes"), bytes.count == 16 else {
            throw object.error(.valueInvalid, key: "NS.uuidbytes")
        }
        return bytes
    }

    /// Returns the text of an `NSURL`, relative to the text of its base, which is usually nil; nil for a value of
    /// another type.
    /// - Throws: `KeyedArchiveError` with code `keyMissing` if an `NSURL` has no text; `KeyedArchiveError` or
    ///   `PropertyListError` if it cannot be decoded.
    public func url() throws -> (relative: String, base: String?)? {
        guard let object, object.isKind(of: "NSURL") else { return nil }
        guard let relative = try object.string("NS.relative") else {
            throw object.error(.keyMissing, key: "NS.relative")
        }
        return (relative, try object.value("NS.base").object?.string("NS.relative"))
    }

    /// Returns the number of an `NSDecimalNumber`; nil for a value of another type.
    /// - Throws: `KeyedArchiveError` with code `valueInvalid` if its length, exponent or mantissa is out of range;
    ///   `KeyedArchiveError` or `PropertyListError` if it cannot be decoded.
    public func decimal() throws -> DecimalNumber? {
        guard let object, object.isKind(of: "NSDecimalNumber") else { return nil }
        guard let length = try object.integer("NS.length"), (0...8).contains(length),
            let exponent = try object.integer("NS.exponent"), (-128...127).contains(exponent),
            let words = try object.data("NS.mantissa"), words.count == 16
        else { throw object.error(.valueInvalid, key: "NS.mantissa") }
        // NS.mantissa.bo gives the byte order of the words: 1 for little-endian, 2 for big-endian.
        return DecimalNumber(
            archivedMantissa: words, length: Int(length), isBigEndian: try object.integer("NS.mantissa.bo") == 2,
            isNegative: try object.boolean("NS.negative") ?? false, exponent: Int(exponent))
    }
}
