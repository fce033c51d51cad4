/// The SQL functions that compiled expressions call: the same Swift code as evaluates them, so that results are equal.
enum SQLFunction {
    /// Lets integers and NULL through; the real that SQLite makes of an overflow is an error.
    static let integer = "ferry_integer"
    static let modulus = "ferry_modulus"
    static let power = "ferry_power"
    static let exclusiveOr = "ferry_xor"
    /// `(text, options)`
    static let fold = "ferry_fold"
    /// `(text, part, options)`
    static let contains = "ferry_contains"
    static let beginsWith = "ferry_begins_with"
    static let endsWith = "ferry_ends_with"
    /// `(text, pattern, options)`
    static let like = "ferry_like"
    static let matches = "ferry_matches"
    /// `(value, kind, type)`
    static let cast = "ferry_cast"
    /// `(text, selector)`
    static let sortKey = "ferry_sort_key"
    static let decimalSum = "ferry_decimal_sum"
    static let decimalAverage = "ferry_decimal_average"

    /// `(value, place)`: an aggregate that makes one value of a collection.
    static let pack = "ferry_pack"

    static func name(_ function: NumberFunction) -> String { "ferry_" + function.rawValue.dropLast().lowercased() }

    static func name(_ function: TextFunction) -> String { "ferry_" + function.rawValue.dropLast().lowercased() }

    static func name(_ function: CollectionFunction) -> String { "ferry_" + function.rawValue.dropLast().lowercased() }

    /// The collection functions that SQLite has not, or that it rounds at each step.
    static let aggregates: [CollectionFunction] = [.sum, .average, .median, .standardDeviation]

    // MARK: Kinds in SQL

    /// How a kind is written in the arguments of a cast.
    static func code(_ kind: SQLValueKind) -> String? {
        switch kind {
        case .real: "real"
        case .date: "date"
        case .uuid: "uuid"
        case .data: "data"
        case .string: "string"
        default: nil
        }
    }

    /// What kind a cast gives, where it is a function.
    static func kind(of target: CastTarget) -> SQLValueKind? {
        switch target {
        case .string: .string
        case .date: .date
        case .uuid: .uuid
        case .data: .data
        default: nil
        }
    }
}
