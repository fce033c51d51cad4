import DocumentReading
import ManagedObjectModels

/// Problems as errors and warnings with their locations.
extension SwiftDataSources {
    private static let shownProblems = 20

    func error(_ first: SwiftDataProblem, others: ArraySlice<SwiftDataProblem>) -> ModelError {
        var error = ModelError(
            .source(first.message), entity: first.entity, property: first.property,
            path: declarations.files[first.place.file].path, line: first.place.line)
        error.column = first.place.column
        error.excerpt = excerpt(at: first.place)
        for other in others.prefix(Self.shownProblems - 1) {
            error.excerpt = (error.excerpt.map { $0 + "\n" } ?? "") + warning(other, .source(other.message)).description
        }
        if others.count >= Self.shownProblems {
            error.excerpt = (error.excerpt ?? "") + "\nand \(others.count - Self.shownProblems + 1) more"
        }
        return error
    }

    func problems(of derived: DerivedModel) -> [ModelWarning] {
        derived.problems.prefix(Self.shownProblems).map { warning($0, .source($0.message)) }
    }

    func warning(_ problem: SwiftDataProblem, _ code: ModelWarning.Code) -> ModelWarning {
        var warning = ModelWarning(
            code, entity: problem.entity, property: problem.property,
            path: declarations.files[problem.place.file].path, line: problem.place.line)
        warning.column = problem.place.column
        warning.excerpt = excerpt(at: problem.place)
        return warning
    }

    /// Returns the line of a location with a caret; the file is read again for it.
    private func excerpt(at place: SwiftPlace) -> String? {
        let path = declarations.files[place.file].path
        let text = try? SourceText(path: path, maximumSize: Self.maximumFileSize)
        return text?.excerpt(at: SourceLocation(file: path, line: place.line, column: place.column))?.rendered
    }
}
