import KeyedArchives
public import PredicateExpressions
public import SQLiteAccess

extension ExpressionValue {
    /// Makes the value of a column of a store; the kind distinguishes a date from a number, and a decimal from a real.
    public init(stored value: SQLiteValue, kind: SQLValueKind) {
        self =
            switch (value, kind) {
            case (.null, _): .null
            case (.integer(let number), .boolean): .boolean(number != 0)
            case (.integer(let number), .date): .date(Double(number))
            case (.real(let number), .date): .date(number)
            case (.integer(let number), .decimal): DecimalNumber("\(number)").map { .decimal($0) } ?? .integer(number)
            // The shortest text of the double is the decimal that was stored.
            case (.real(let number), .decimal): DecimalNumber("\(number)").map { .decimal($0) } ?? .real(number)
            // Core Data stores a decimal that is not a number as this text; expressions treat it as no value.
            case (.text(let bytes), .decimal):
                DecimalNumber(String(decoding: bytes, as: UTF8.self)).flatMap { $0.isNotANumber ? nil : .decimal($0) }
                    ?? .null
            case (.integer(let number), _): .integer(number)
            case (.real(let number), _): .real(number)
            case (.text(let bytes), .url): .url(String(decoding: bytes, as: UTF8.self))
            case (.text(let bytes), _): .string(String(decoding: bytes, as: UTF8.self))
            case (.blob(let bytes), .uuid): .uuid(bytes)
            case (.blob(let bytes), _): .data(bytes)
            }
    }
}
