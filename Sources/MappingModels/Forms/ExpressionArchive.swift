internal import PredicateExpressions

/// Archives and reads expressions; errors name the part of the mapping.
enum ExpressionArchive {
    static func expression(_ text: String, at place: MappingModelPlace) throws(MappingModelWritingError) -> Expression {
        try parsed("expression", text, at: place) { (text) throws(FormatError) in try Expression(format: text) }
    }

    static func predicate(_ text: String, at place: MappingModelPlace) throws(MappingModelWritingError) -> Predicate {
        try parsed("filter", text, at: place) { (text) throws(FormatError) in try Predicate(format: text) }
    }

    private static func parsed<Part>(
        _ what: String, _ text: String, at place: MappingModelPlace, _ parse: (String) throws(FormatError) -> Part
    ) throws(MappingModelWritingError) -> Part {
        do {
            return try parse(text)
        } catch {
            throw MappingModelWritingError(
                "the \(what) cannot be parsed: \(error)\n\(error.marked(in: text))", at: place)
        }
    }

    static func bytes(_ text: String, at place: MappingModelPlace) throws -> [UInt8] {
        let expression = try expression(text, at: place)
        do {
            return try expression.archive()
        } catch {
            throw MappingModelWritingError("the expression cannot be archived: \(error)", at: place)
        }
    }
}
