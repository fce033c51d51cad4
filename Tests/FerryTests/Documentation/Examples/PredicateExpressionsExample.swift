import PredicateExpressions

/// Evaluates an expression over many rows: names are resolved once.
func totals(of rows: [[ExpressionValue]]) throws -> [ExpressionValue] {
    var names = RecordNames(["price", "count"])
    let program = try Expression(format: "price * count").compile(resolving: &names)
    var record = RecordContext()
    return try rows.map { row in
        record.values = row
        return try program.evaluate(in: record)
    }
}
