import DocumentReading
import ManagedObjectModels

/// The rules learned from stores about the sources.
extension SwiftDataSources {
    /// Returns the rules of the given file, otherwise those beside the sources.
    static func rules(
        _ paths: [String], _ selection: SwiftDataSelection
    ) throws(ModelError) -> SwiftDataRules {
        var result = SwiftDataRules()
        var known: Set<String> = []
        for path in selection.rules.map({ [$0] }) ?? paths.map(SwiftDataRules.path) {
            guard known.insert(path).inserted, selection.rules != nil || FileKind(path: path) != nil else { continue }
            let read: SwiftDataRules
            do {
                read = try SwiftDataRules(path: path)
            } catch {
                throw ModelError(.source("\(error)"))
            }
            if let (first, second) = result.contradictions(to: read).first {
                throw ModelError(
                    .source(
                        "the rule \"stored as \(second.answer)\" contradicts \"stored as \(first.answer)\" in another "
                            + "file of rules; name one with --swiftdata-rules"),
                    entity: first.entity, property: first.property, path: path)
            }
            result = result.adding(read)
        }
        return result
    }
}
