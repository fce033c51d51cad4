public import DocumentReading

/// Several mapping models for one pair of versions: passes over the same store, in the given order.
///
/// With Core Data, an app runs them one after the other with the same destination, to split the work. Here their entity
/// mappings are concatenated, so that objects of one can lead to objects of another.
extension MappingModelDocument {
    /// Returns all entity mappings as one document; nil if there are no documents.
    /// - Throws: `DocumentErrors` if two of them map the same objects; both locations are named.
    public static func passes(_ documents: [MappingModelDocument]) throws(DocumentErrors) -> MappingModelDocument? {
        guard let first = documents.first, documents.count > 1 else { return documents.first }
        var model = first.model
        var errors: [DocumentError] = []
        for (index, document) in documents.enumerated().dropFirst() {
            for mapping in document.model.entityMappings {
                let earlier = documents[..<index].lazy.compactMap { other in
                    other.model.entityMappings.first { overlaps($0, mapping) }.map { (other, $0) }
                }.first
                guard let (other, known) = earlier else { continue }
                let place = other.location(of: MappingModelPlace(entityMapping: known.name))
                let sentence =
                    known.name == mapping.name
                    ? "the entity mapping \(mapping.name) is also in \(place); give one of them another name, or leave it out"
                    : "the entity mapping \(known.name) in \(place) makes the same objects; leave one of them out"
                errors.append(document.error(sentence, at: MappingModelPlace(entityMapping: mapping.name)))
            }
            model.entityMappings += document.model.entityMappings
        }
        guard errors.isEmpty else { throw DocumentErrors(errors) }
        return MappingModelDocument(
            model: model, form: first.form, name: documents.map(\.name).joined(separator: ", "),
            warnings: documents.flatMap(\.warnings),
            locations: documents.reduce(into: [:]) { $0.merge($1.locations) { first, _ in first } })
    }

    /// Returns whether two mappings have the same name, or map the same objects to the same entity.
    private static func overlaps(_ first: EntityMapping, _ second: EntityMapping) -> Bool {
        if first.name == second.name { return true }
        return first.sourceEntityName != nil && first.destinationEntityName != nil
            && first.sourceEntityName == second.sourceEntityName
            && first.destinationEntityName == second.destinationEntityName && first.sourceFilter == second.sourceFilter
            && first.sourceExpression == second.sourceExpression
    }
}
