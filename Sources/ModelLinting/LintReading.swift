internal import ManagedObjectModels

/// A version that was read for the rules, or the finding because of which it cannot be checked.
enum LintReading {
    case sound(LintSubject)
    case broken(LintFinding)

    init(_ version: ModelVersion) {
        do throws(ModelError) {
            self = .sound(try Self.subject(version))
        } catch {
            let reader = DocumentFindings(version: version.description, file: version.documentPath)
            self = .broken(reader.finding(error))
        }
    }

    static func subject(_ version: ModelVersion) throws(ModelError) -> LintSubject {
        let document = try version.document()
        do throws(ModelError) {
            return LintSubject(
                name: version.description, file: version.documentPath, document: document,
                model: try ResolvedModel(document.model))
        } catch {
            var error = error
            error.path = error.path ?? version.documentPath
            throw error
        }
    }
}
