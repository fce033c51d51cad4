internal import KeyedArchives
public import ManagedObjectModels
public import SQLiteAccess

/// How Core Data stores an attribute's value in its column (docs/format/sqlite-store.md#entity-tables).
public enum StoredValue {
    /// Returns the value of a new object; NULL if the model has no default value, or one that a column cannot hold.
    public static func defaultValue(of attribute: ResolvedAttribute) -> SQLiteValue {
        guard let value = attribute.description.defaultValue else { return .null }
        // docs/format/sqlite-store.md#external-binary-data: values that may be external begin with a tag byte; 01 marks
        // inline data.
        if case .binary(let bytes) = value, attribute.description.hasExternalData {
            return .blob([1] + bytes)
        }
        if case .array = value, !attribute.description.isKeyedArchive { return .null }
        return stored(value, as: attribute.type)
    }

    /// Returns the value as the column of an attribute of a type holds it; NULL if a column cannot hold it.
    public static func stored(_ value: AttributeValue, as type: AttributeType) -> SQLiteValue {
        switch value {
        case .integer(let number):
            return type == .boolean ? .integer(number == 0 ? 0 : 1) : .integer(number)
        case .boolean(let flag): return .integer(flag ? 1 : 0)
        case .real(let number):
            // A Float value is stored with single precision.
            return .real(type == .float ? Double(Float(number)) : number)
        case .date(let seconds): return .real(seconds)
        case .decimal(let digits):
            // DECIMAL has numeric affinity: whole numbers are stored as INTEGER, the others as REAL.
            if let whole = Int64(digits) { return .integer(whole) }
            guard let number = Double(digits), number.isFinite else { return SQLiteValue.string(digits) }
            return .real(number)
        case .string(let text), .uri(let text): return SQLiteValue.string(text)
        case .uuid(let bytes), .binary(let bytes): return .blob(bytes)
        case .array:
            var archive = KeyedArchiveBuilder()
            return archive.value(value, of: type).map { .blob(archive.bytes(root: $0)) } ?? .null
        case .unparsed: return .null
        }
    }
}
