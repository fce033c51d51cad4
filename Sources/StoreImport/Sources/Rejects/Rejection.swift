/// One reason why a record was rejected: a line of the log.
public struct Rejection: Equatable, Sendable {
    /// The column or path that the value came from; nil if the whole record is meant.
    public var column: String?
    /// The entity that the record was for; nil if it was not known yet.
    public var entity: String?
    /// The property that the value was for; nil if the whole record is meant.
    public var property: String?
    /// Core Data's error number.
    public var code: Int
    /// The error in one word, such as `numberTooLarge`.
    public var error: String
    /// What is wrong, as a sentence.
    public var message: String
    /// The value that is meant; nil if there is none.
    public var value: [UInt8]?
    /// The line in the source; nil for the record's own place.
    public var line: Int?
    /// The offset in the source, in bytes; nil for the record's own place.
    public var byteOffset: Int?

    /// Makes a reason of facts.
    public init(
        column: String? = nil, entity: String? = nil, property: String? = nil, code: Int, error: String,
        message: String, value: [UInt8]? = nil, line: Int? = nil, byteOffset: Int? = nil
    ) {
        self.column = column
        self.entity = entity
        self.property = property
        self.code = code
        self.error = error
        self.message = message
        self.value = value
        self.line = line
        self.byteOffset = byteOffset
    }

    /// What makes a record unreadable; Core Data has no other number for it than that of an external record's import.
    public init(_ problem: RecordProblem) {
        self.init(code: 134200, error: "\(problem.code)", message: problem.sentence, line: problem.line)
    }

    /// Why a value was not converted, and what was expected.
    public init(
        _ failure: ConversionFailure, expected conversion: ValueConversion, column: String?, value: [UInt8]?,
        entity: String?, property: String?
    ) {
        self.init(
            column: column, entity: entity, property: property, code: failure.code, error: "\(failure.reason)",
            message: failure.sentence + "; expected " + conversion.expectation, value: value)
    }
}
