public import ManagedObjectModels
public import PredicateExpressions
import SQLiteAccess

/// Translates expressions over the rows of a store's tables into SQL, for statements that write their values into
/// columns.
///
/// Expressions without an SQL form become calls of a function, which must be registered on the statement's connection.
public struct RowExpressions: Sendable {
    /// The tables and columns of the store, as the expression compiler sees them.
    public let schema: StoreSQLSchema
    /// The time that `now()` returns, the same for all rows, in seconds since 2001.
    public let now: Double
    /// The variables that stand for the row.
    public let rowVariables: [String]

    /// Makes a translator of expressions over the rows of a store.
    public init(_ schema: StoreSQLSchema, now: Double, rowVariables: [String] = []) {
        self.schema = schema
        self.now = now
        self.rowVariables = rowVariables
    }

    /// Returns a compiler of expressions over a row of a statement.
    public func compiler(_ row: SQLRow) -> SQLCompiler<StoreSQLSchema> {
        SQLCompiler(schema, entity: row.entity, alias: row.alias, rowVariables: Set(rowVariables), now: now)
    }

    /// Returns a call of a function that evaluates the expression in Swift, with the values that SQL can supply from a
    /// row.
    ///
    /// - Throws: `SQLRefusal` if SQL cannot give what it needs; `EvaluationError` for a mistake.
    public func call(
        _ expression: Expression, on row: SQLRow, for use: ValueUse, _ functions: ValueFunctionTable
    ) throws -> String {
        let variable = rowVariables.first ?? "row"
        let parts = try compiler(row).partition(expression, variable: variable)
        var names = RecordNames(parts.arguments.map(\.name), variables: [variable])
        let program = try parts.expression.compile(resolving: &names)
        let name = functions.add(
            ValueFunction(
                program: program, arguments: parts.arguments, type: use.type, now: now, subject: use.subject,
                isDeterministic: !expression.isRandom),
            of: expression.format, in: use.group, because: use.reason)
        return "\(name)(\(parts.arguments.map(\.value.literalText).joined(separator: ", ")))"
    }

    /// Returns the SQL of a value as the attribute's column stores it; nil if Core Data would not accept its type:
    /// numbers are `NSNumber`.
    public static func stored(_ fragment: SQLFragment, in attribute: ResolvedAttribute) -> String? {
        guard let sql = converted(fragment.literalText, fragment.kind, to: attribute.type) else { return nil }
        let isTagged = attribute.description.hasExternalData && fragment.kind != .null
        return isTagged ? inline(sql) : sql
    }

    /// Returns the SQL of a value that is kept in the column of an attribute with external storage
    /// (docs/format/sqlite-store.md#external-binary-data).
    public static func inline(_ sql: String) -> String {
        "CASE WHEN \(sql) IS NULL THEN NULL ELSE CAST(X'01' || CAST(\(sql) AS BLOB) AS BLOB) END"
    }

    private static func converted(_ sql: String, _ kind: SQLValueKind, to type: AttributeType) -> String? {
        switch (kind, type) {
        case (.null, _): "NULL"
        case (.integer, .integer16), (.integer, .integer32), (.integer, .integer64), (.boolean, .boolean),
            (.boolean, .integer16), (.boolean, .integer32), (.boolean, .integer64), (.decimal, .decimal),
            (.integer, .decimal), (.real, .decimal), (.boolean, .decimal), (.string, .string), (.url, .uri),
            (.string, .uri), (.date, .date), (.uuid, .uuid), (.data, .binaryData), (.data, .transformable):
            sql
        case (.real, .integer16), (.real, .integer32), (.real, .integer64), (.decimal, .integer16),
            (.decimal, .integer32), (.decimal, .integer64):
            "CAST(\(sql) AS INTEGER)"
        case (.integer, .boolean), (.real, .boolean), (.decimal, .boolean): "((\(sql)) <> 0)"
        case (.integer, .double), (.integer, .float), (.real, .double), (.real, .float), (.decimal, .double),
            (.decimal, .float), (.boolean, .double), (.boolean, .float):
            "CAST(\(sql) AS REAL)"
        default: nil
        }
    }
}
