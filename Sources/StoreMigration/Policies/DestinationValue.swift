import KeyedArchives
import ManagedObjectModels
import PersistentStores
import PredicateExpressions
import SQLiteAccess

/// The few properties of an attribute that are needed for every value.
struct DestinationTarget: Sendable {
    let name: String
    let type: AttributeType
    let isExternal: Bool

    init(_ attribute: ResolvedAttribute?) {
        name = attribute?.name ?? ""
        type = attribute?.type ?? .undefined
        isExternal = attribute?.description.hasExternalData ?? false
    }
}

/// Converts a policy's value of an attribute to the value of its column.
enum DestinationValue {
    /// Returns the value for the column. Throws `PolicyError` if the attribute's type cannot hold the value.
    static func stored(_ value: AttributeValue?, as target: DestinationTarget) throws(PolicyError) -> SQLiteValue {
        guard let value else { return .null }
        guard let stored = stored(value, target.type) else { throw refusal(of: value, target.name, target.type) }
        if target.isExternal, case .blob(let bytes) = stored {
            // The format is in docs/format/sqlite-store.md#external-binary-data: tag 1, then the data itself.
            return .blob([1] + bytes)
        }
        return stored
    }

    /// Returns the error for a value that the type of an attribute cannot hold.
    static func refusal(of value: AttributeValue?, _ name: String, _ type: AttributeType) -> PolicyError {
        let shown = value.map { "\(kind(of: $0)) \(text(of: $0))" } ?? "what its expression results in"
        return PolicyError("\(name) is of type \(type.name), and cannot take \(shown)")
    }

    private static func stored(_ value: AttributeValue, _ type: AttributeType) -> SQLiteValue? {
        switch (value, type) {
        case (.integer(let number), .integer16), (.integer(let number), .integer32), (.integer(let number), .integer64):
            return only(type.integerRange?.contains(number) ?? true, .integer(number))
        case (.boolean(let flag), .integer16), (.boolean(let flag), .integer32), (.boolean(let flag), .integer64),
            (.boolean(let flag), .boolean):
            return .integer(flag ? 1 : 0)
        case (.integer(let number), .boolean): return .integer(number == 0 ? 0 : 1)
        case (.real(let number), .double): return only(!number.isNaN, .real(number))
        case (.real(let number), .float):
            // A finite number must stay finite.
            let fits = !number.isNaN && (Float(number).isFinite || number.isInfinite)
            return only(fits, StoredValue.stored(.real(number), as: type))
        case (.integer(let number), .double), (.integer(let number), .float):
            return StoredValue.stored(.real(Double(number)), as: type)
        case (.decimal(let digits), .decimal):
            return only(DecimalText.isNumber(digits), StoredValue.stored(value, as: type))
        case (.integer(let number), .decimal): return .integer(number)
        case (.real(let number), .decimal):
            return only(number.isFinite, StoredValue.stored(.decimal("\(number)"), as: type))
        case (.date(let seconds), .date): return only(seconds.isFinite, .real(seconds))
        case (.string(let text), .string), (.uri(let text), .uri), (.string(let text), .uri):
            return SQLiteValue.string(text)
        case (.uuid(let bytes), .uuid): return only(bytes.count == 16, .blob(bytes))
        case (.binary(let bytes), .binaryData), (.binary(let bytes), .transformable): return .blob(bytes)
        case (.array, .transformable): return StoredValue.stored(value, as: type)
        default: return nil
        }
    }

    /// Returns the value if it fits, and nil otherwise. This is a function because the nil of `fits ? value : nil`
    /// would be SQL's NULL.
    private static func only(_ fits: Bool, _ value: @autoclosure () -> SQLiteValue) -> SQLiteValue? {
        fits ? .some(value()) : .none
    }

    private static func kind(of value: AttributeValue) -> String {
        switch value {
        case .integer: "the integer"
        case .decimal: "the decimal"
        case .real: "the real"
        case .string: "the text"
        case .boolean: "the boolean"
        case .date: "the date"
        case .binary: "binary data"
        case .uuid: "the UUID"
        case .uri: "the URI"
        case .array: "the array"
        case .unparsed: "the text"
        }
    }

    /// Returns a value for messages, shortened.
    private static func text(of value: AttributeValue) -> String {
        switch value {
        case .integer(let number): "\(number)"
        case .real(let number), .date(let number): "\(number)"
        case .boolean(let flag): "\(flag)"
        case .decimal(let text), .string(let text), .uri(let text), .unparsed(let text): "\"\(text.prefix(40))\""
        case .binary(let bytes), .uuid(let bytes): "of \(bytes.count) bytes"
        case .array(let elements): "of \(elements.count) elements"
        }
    }
}

/// Decimal numbers as text.
enum DecimalText {
    /// Returns whether a text is a decimal number in the range of decimals, or `NaN`, which a decimal attribute can
    /// hold.
    static func isNumber(_ text: String) -> Bool {
        if text == "NaN" { return true }
        guard let number = Double(text), abs(number) <= NumberLoss.decimals.upperBound else { return false }
        return text.utf8.allSatisfy { byte in
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || Array("+-.eE".utf8).contains(byte)
        }
    }

    /// Returns whether the stored value of a decimal has other digits.
    static func isRounded(_ text: String, _ stored: SQLiteValue) -> Bool {
        guard case .real = stored else { return false }
        // Every decimal with fifteen digits has its own double.
        if text.utf8.count <= 15, !text.utf8.contains(where: { $0 | 0x20 == UInt8(ascii: "e") }) { return false }
        return DecimalNumber(text).map { NumberLoss.isRounded($0, to: stored) } ?? true
    }
}
