import KeyedArchives
import ManagedObjectModels
import PersistentStores
import SQLiteAccess
import StoreFetching

/// How values of an attribute are stored in rows and presented to a program.
struct StoredForm: Sendable {
    let type: AttributeType
    /// Whether values may be in files beside the store.
    let isExternal: Bool

    /// Returns the value that a column holds; nil for NULL.
    ///
    /// - Throws: `ExternalDataError` for a value whose file is missing.
    func value(
        _ stored: ArenaValue, in arena: [UInt8], _ files: ExternalDataReader?
    ) throws -> AttributeValue? {
        switch stored {
        case .null: return nil
        case .integer(let number):
            switch type {
            case .boolean: return .boolean(number != 0)
            case .double, .float: return .real(Double(number))
            case .date: return .date(Double(number))
            case .decimal: return .decimal("\(number)")
            default: return .integer(number)
            }
        case .real(let number):
            switch type {
            case .date: return .date(number)
            // The shortest text of the double is the decimal that was stored.
            case .decimal: return .decimal(DecimalNumber("\(number)")?.description ?? "\(number)")
            case .integer16, .integer32, .integer64:
                return Int64(exactly: number.rounded(.towardZero)).map { .integer($0) }
            case .boolean: return .boolean(number != 0)
            default: return .real(number)
            }
        case .text(let range):
            let text = String(decoding: arena[range.range], as: UTF8.self)
            switch type {
            case .uri: return .uri(text)
            case .decimal: return .decimal(text)
            default: return .string(text)
            }
        case .blob(let range):
            let bytes = Array(arena[range.range])
            if type == .uuid { return .uuid(bytes) }
            guard isExternal else { return .binary(bytes) }
            if bytes.first == 1 { return .binary(Array(bytes.dropFirst())) }
            return try files.map { .binary(try $0.bytes(of: bytes)) }
        }
    }

    /// Returns a column's value; a value that may be external gets the tag of inline data.
    static func stored(_ value: AttributeValue?, of attribute: EntityShape.Attribute) -> SQLiteValue {
        guard let value else { return .null }
        let stored = StoredValue.stored(value, as: attribute.attribute.type)
        if attribute.isExternal, case .blob(let bytes) = stored { return .blob([1] + bytes) }
        return stored
    }

    /// Returns why an attribute cannot have a value, as part of a sentence; nil if it can.
    static func refusal(_ value: AttributeValue, as type: AttributeType) -> String? {
        switch (value, type) {
        case (.integer(let number), .integer16), (.integer(let number), .integer32), (.integer(let number), .integer64):
            guard let range = type.integerRange, !range.contains(number) else { return nil }
            return "\(number) does not fit the type \(type.name)"
        case (.boolean, .boolean), (.real, .double), (.real, .float), (.decimal, .decimal), (.string, .string),
            (.date, .date), (.binary, .binaryData), (.binary, .transformable), (.uuid, .uuid), (.uri, .uri),
            (_, .undefined):
            return nil
        default: return "a value of another kind cannot be one of the type \(type.name)"
        }
    }

    /// Returns a value in the form of an attribute's type, if the program gives a similar one: an integer for a real,
    /// or for a decimal.
    static func adapted(_ value: AttributeValue, to type: AttributeType) -> AttributeValue {
        switch (value, type) {
        case (.integer(let number), .double), (.integer(let number), .float): .real(Double(number))
        case (.integer(let number), .decimal): .decimal("\(number)")
        case (.integer(let number), .boolean): .boolean(number != 0)
        case (.real(let number), .decimal): .decimal(DecimalNumber("\(number)")?.description ?? "NaN")
        case (.real(let number), .float): .real(Double(Float(number)))
        case (.string(let text), .uri): .uri(text)
        default: value
        }
    }
}
