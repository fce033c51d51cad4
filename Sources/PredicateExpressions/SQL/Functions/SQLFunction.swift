/// The SQL functions that compiled expressions call, implemented by the same Swift code as evaluations, so that results
/// are equal.
enum SQLFunction {
    /// Returns integers and NULL unchanged; the real that results from an overflow is an error.
    static let integer = "ferry_integer"
    static let modulus = "ferry_modulus"
    static let power = "ferry_power"
    static let exclusiveOr = "ferry_xor"
    /// Arguments: `(text, options)`.
    static let fold = "ferry_fold"
    /// Arguments: `(text, part, options)`.
    static let contains = "ferry_contains"
    static let beginsWith = "ferry_begins_with"
    static let endsWith = "ferry_ends_with"
    /// Arguments: `(text, pattern, options)`.
    static let like = "ferry_like"
    static let matches = "ferry_matches"
    /// Arguments: `(value, kind, type)`.
    static let cast = "ferry_cast"
    /// Arguments: `(text, selector)`.
    static let sortKey = "ferry_sort_key"
    static let decimalSum = "ferry_decimal_sum"
    static let decimalAverage = "ferry_decimal_average"

    /// Arguments: `(value, place)`. An aggregate that packs a collection into one value.
    static let pack = "ferry_pack"

    static func name(_ function: NumberFunction) -> String { "ferry_" + function.rawValue.dropLast().lowercased() }

    static func name(_ function: TextFunction) -> String { "ferry_" + function.rawValue.dropLast().lowercased() }

    static func name(_ function: CollectionFunction) -> String { "ferry_" + function.rawValue.dropLast().lowercased() }

    /// The collection functions that SQLite lacks, or that it rounds at each step.
    static let aggregates: [CollectionFunction] = [.sum, .average, .median, .standardDeviation]

    // MARK: Kinds in SQL

    /// Returns the code of a type in the arguments of a cast.
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

    /// Returns the type of a cast's result, if it is a function.
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
