internal import PredicateExpressions

/// Expressions as archives, with the place of the mapping in the error.
enum ExpressionArchive {
    static func expression(_ text: String, at place: MappingModelPlace) throws(MappingModelWritingError) -> Expression {
        do {
            return try Expression(format: text)
        } catch {
            throw MappingModelWritingError(
                "the expression cannot be parsed: \(error)\n\(error.marked(in: text))", at: place)
        }
    }

    static func predicate(_ text: String, at place: MappingModelPlace) throws(MappingModelWritingError) -> Predicate {
        do {
            return try Predicate(format: text)
        } catch {
            throw MappingModelWritingError(
                "the filter cannot be parsed: \(error)\n\(error.marked(in: text))", at: place)
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
