import KeyedArchives
public import ManagedObjectModels
public import PredicateExpressions
public import SQLiteAccess

/// An expression that SQLite calls for each row, because only Swift can evaluate it; its arguments are the row's
/// values.
public struct ValueFunction: Sendable {
    /// The name in SQL; given by the table of functions.
    var name = ""
    let program: ExpressionProgram
    /// What the arguments are: their kinds tell a date from a number.
    let arguments: [SQLPartition.Argument]
    /// The type of the attribute that takes the result.
    let type: AttributeType
    let now: Double
    /// The mapping and the property, for errors.
    let subject: String

    /// Whether equal arguments give equal values.
    let isDeterministic: Bool

    init(
        program: ExpressionProgram, arguments: [SQLPartition.Argument], type: AttributeType, now: Double,
        subject: String, isDeterministic: Bool
    ) {
        self.program = program
        self.arguments = arguments
        self.isDeterministic = isDeterministic
        self.type = type
        self.now = now
        self.subject = subject
    }

    /// Makes the function callable in statements of a connection.
    /// - Throws: `SQLiteError` if the connection is closed, or SQLite refuses the function.
    public func register(on connection: Connection) throws(SQLiteError) {
        try connection.registerFunction(
            name, argumentCount: Int32(arguments.count), deterministic: isDeterministic, evaluation())
    }

    /// Evaluates the function for rows, on one thread.
    public func evaluation() -> any RecordFunction { ValueEvaluation(self) }

    /// The arguments of a call, as SQL over the row.
    public var argumentTexts: [String] { arguments.map(\.value.literalText) }

    /// The call in SQL.
    public var call: String { "\(name)(\(argumentTexts.joined(separator: ", ")))" }

    /// The value as its column takes it; nil if Core Data would not take it.
    public static func stored(_ value: ExpressionValue, as type: AttributeType) -> SQLiteValue? {
        switch (value, type) {
        case (.null, _): .null
        case (.string(let text), .string), (.string(let text), .uri), (.url(let text), .uri): SQLiteValue.string(text)
        case (.date(let seconds), .date): .real(seconds)
        case (.data(let bytes), .binaryData), (.data(let bytes), .transformable), (.uuid(let bytes), .uuid):
            .blob(bytes)
        case (.boolean(let flag), _): Self.number(Int64(flag ? 1 : 0), as: type)
        case (.integer(let number), _): Self.number(number, as: type)
        case (.real(let number), .decimal): Self.number("\(number)", as: type)
        case (.real(let number), _): Self.number(number, as: type)
        case (.decimal(let number), _): Self.number(number.description, as: type)
        default: nil
        }
    }

    // Any number is `NSNumber` to Core Data, which takes of it what the type can hold.

    private static func number(_ number: Int64, as type: AttributeType) -> SQLiteValue? {
        switch type {
        case .decimal: StoredValue.stored(.decimal("\(number)"), as: .decimal)
        case .boolean: .integer(number == 0 ? 0 : 1)
        case .double, .float: StoredValue.stored(.real(Double(number)), as: type)
        case .integer16, .integer32, .integer64: .integer(number)
        default: nil
        }
    }

    private static func number(_ number: Double, as type: AttributeType) -> SQLiteValue? {
        switch type {
        case .boolean: .integer(number == 0 ? 0 : 1)
        case .double, .float: StoredValue.stored(.real(number), as: type)
        case .integer16, .integer32, .integer64: Int64(exactly: number.rounded(.towardZero)).map { .integer($0) }
        default: nil
        }
    }

    private static func number(_ digits: String, as type: AttributeType) -> SQLiteValue? {
        switch type {
        case .decimal: return StoredValue.stored(.decimal(digits), as: .decimal)
        case .boolean: return Double(digits).map { .integer($0 == 0 ? 0 : 1) }
        case .double, .float: return Double(digits).map { StoredValue.stored(.real($0), as: type) }
        case .integer16, .integer32, .integer64:
            if let whole = Int64(digits) { return .integer(whole) }
            return Double(digits).flatMap { Int64(exactly: $0.rounded(.towardZero)) }.map { .integer($0) }
        default: return nil
        }
    }
}

/// A value that the attribute's type cannot hold.
public struct ValueFunctionError: Error, CustomStringConvertible {
    let subject: String
    let kind: String
    let type: AttributeType

    public var description: String {
        "\(subject): the value is \(kind), not of the type \(type.name); convert it with CAST"
    }
}

/// The functions of a mapping model or an edit, each once however many statements call it.
public final class ValueFunctionTable {
    /// The functions, in the order in which they were added.
    public private(set) var all: [ValueFunction] = []
    private var names: [String: String] = [:]
    private var reasons: [String: String] = [:]

    /// Makes a table without functions.
    public init() {}

    /// Adds a function, unless it is there, and gives its name in SQL.
    func add(_ function: ValueFunction, of text: String, in mapping: String, because reason: String) -> String {
        reasons[mapping] = reasons[mapping] ?? reason
        let key = function.subject + "\n" + text
        if let known = names[key] { return known }
        var function = function
        function.name = "ferry_value_\(all.count + 1)"
        all.append(function)
        names[key] = function.name
        return function.name
    }

    /// Why a mapping's rows pass through Swift; nil if they do not.
    public func reason(for mapping: String) -> String? { reasons[mapping] }
}
