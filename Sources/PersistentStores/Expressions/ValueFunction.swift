import KeyedArchives
public import ManagedObjectModels
public import PredicateExpressions
public import SQLiteAccess

/// An expression that SQLite calls for each row, because only Swift can evaluate it; its arguments are values of the
/// row.
public struct ValueFunction: Sendable {
    /// The name in SQL, assigned by the table of functions.
    var name = ""
    let program: ExpressionProgram
    /// The arguments with their kinds, which distinguish a date from a number.
    let arguments: [SQLPartition.Argument]
    /// The type of the attribute that the result is stored in.
    let type: AttributeType
    let now: Double
    /// The mapping and the property, for error messages.
    let subject: String

    /// Whether equal arguments give equal values.
    public let isDeterministic: Bool

    /// Called for every value that the type cannot keep in full.
    private(set) var noteLoss: (@Sendable () -> Void)?

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

    /// Returns the function with a closure that is called on the evaluating thread for each value that is cut off,
    /// rounded or out of range.
    public func watched(by note: @escaping @Sendable () -> Void) -> ValueFunction {
        var function = self
        function.noteLoss = note
        return function
    }

    /// Registers the function on a connection, together with one that returns which part of its value a column cannot
    /// keep.
    /// - Throws: `SQLiteError` if the connection is closed, or SQLite refuses the function.
    public func register(on connection: Connection) throws(SQLiteError) {
        let count = Int32(arguments.count)
        try connection.registerFunction(
            name, argumentCount: count, deterministic: isDeterministic, evaluation())
        let evaluation = ValueEvaluation(self)
        try connection.registerFunction(
            name + Self.numberSuffix, argumentCount: count + 1, deterministic: isDeterministic
        ) { arguments in
            for index in 1..<arguments.count { arguments.add(index, to: evaluation) }
            let value = try evaluation.value()
            if arguments.integer(0) == Self.asksForLoss {
                return .integer(NumberLoss(of: value, as: type)?.rawValue ?? 0)
            }
            // The digits, if they matter; otherwise a value that SQL can compare.
            guard case .decimal(let number) = value, type != .decimal else { return value.sqliteValue }
            return Int64(number.description).map { .integer($0) } ?? .real(number.real)
        }
    }

    private static let numberSuffix = "_number"
    private static let asksForLoss: Int64 = 0

    /// Returns the SQL of the number that a call computes, before the attribute's type cuts anything off.
    public static func number(ofCall call: String) -> String { question(asksForLoss + 1, ofCall: call) }

    /// Returns the possible losses for a call's value, each with its condition, and a condition that holds if any of
    /// them does.
    public static func losses(
        ofCall call: String, as type: AttributeType
    ) -> (any: String, each: [(loss: NumberLoss, sql: String)]) {
        let answer = question(asksForLoss, ofCall: call)
        return ("\(answer) <> 0", NumberLoss.all(of: type).map { ($0, "\(answer) = \($0.rawValue)") })
    }

    private static func question(_ question: Int64, ofCall call: String) -> String {
        let name = call.prefix { $0 != "(" }
        let arguments = call[name.endIndex...].dropFirst()
        return "\(name)\(numberSuffix)(\(question)\(arguments == ")" ? "" : ", ")\(arguments)"
    }

    /// Evaluates the function for rows, on one thread.
    public func evaluation() -> any RecordFunction { ValueEvaluation(self) }

    /// The arguments of a call, as SQL over the row.
    public var argumentTexts: [String] { arguments.map(\.value.literalText) }

    /// The call in SQL.
    public var call: String { "\(name)(\(argumentTexts.joined(separator: ", ")))" }

    /// Returns the value as its column stores it; nil if Core Data would not accept its type.
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
        case (.decimal(let number), .integer16), (.decimal(let number), .integer32),
            (.decimal(let number), .integer64):
            Int64(number.truncated.description).map { .integer($0) }
        case (.decimal(let number), _): Self.number(number.description, as: type)
        default: nil
        }
    }

    // To Core Data any number is an `NSNumber`, of which it keeps what the attribute's type can hold.

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
        case .decimal: StoredValue.stored(.decimal(digits), as: .decimal)
        case .boolean: Double(digits).map { .integer($0 == 0 ? 0 : 1) }
        case .double, .float: Double(digits).map { StoredValue.stored(.real($0), as: type) }
        default: nil
        }
    }
}

/// A value that the attribute's type cannot hold.
public struct ValueFunctionError: Error, CustomStringConvertible {
    let subject: String
    let kind: String
    let type: AttributeType
    let isTooLarge: Bool

    public var description: String {
        isTooLarge
            ? "\(subject): the number does not fit the type \(type.name)"
            : "\(subject): the value is \(kind), not of the type \(type.name); convert it with CAST"
    }
}

/// The functions of a mapping model or an edit, each only once no matter how many statements call it.
public final class ValueFunctionTable {
    /// The functions, in the order in which they were added.
    public private(set) var all: [ValueFunction] = []
    private var names: [String: String] = [:]
    private var reasons: [String: String] = [:]

    /// Makes a table without functions.
    public init() {}

    /// Adds a function, unless it is in the table already, and returns its name in SQL.
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

    /// Returns why a mapping's rows are computed in Swift; nil if they are not.
    public func reason(for mapping: String) -> String? { reasons[mapping] }
}
