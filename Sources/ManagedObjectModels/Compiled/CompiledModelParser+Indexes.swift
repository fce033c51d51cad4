import KeyedArchives
import PredicateExpressions

extension CompiledModelParser {
    /// Reads the indexes of both forms. Compilers and Core Data write the counterpart of one form in the other; only
    /// the declared ones are kept.
    mutating func addIndexes(of object: ArchivedObject, to entity: inout EntityDescription) throws {
        entity.fetchIndexes = try fetchIndexes(of: object)
        entity.compoundIndexes = try nameLists("NSCompoundIndexes", of: object)
        if let superentity = try object.object("NSSuperentity") {
            // The models in stores list the compound indexes of the superentity again; those of some systems list all
            // indexes.
            let inherited = try nameLists("NSCompoundIndexes", of: superentity)
            entity.compoundIndexes.removeAll { inherited.contains($0) }
            let inheritedIndexes = entity.fetchIndexes.isEmpty ? [] : try fetchIndexes(of: superentity)
            entity.fetchIndexes.removeAll { inheritedIndexes.contains($0) }
        }
        if isModelOfStore { entity.foldIndexes() }
        // A fetch index with another name marks its attribute as indexed, and is also listed as a compound index.
        let declared = entity.fetchIndexes.map { $0.elements.map(\.propertyName) }
        let properties = Set(entity.attributes.map(\.name) + entity.relationships.map(\.name))
        entity.compoundIndexes.removeAll { names in
            // An expression is listed by the name of its property, which is not kept.
            declared.contains { elements in
                elements.count == names.count
                    && zip(elements, names).allSatisfy { $0 == $1 || $0 == nil && !properties.contains($1) }
            }
        }
        let marked = Set(entity.fetchIndexes.compactMap(\.indexedAttribute))
        for place in entity.attributes.indices where marked.contains(entity.attributes[place].name) {
            entity.attributes[place].isIndexed = false
        }
    }

    private mutating func fetchIndexes(of object: ArchivedObject) throws -> [FetchIndexDescription] {
        var indexes: [FetchIndexDescription] = []
        for element in try object.elements("NSFetchIndexDescriptions") ?? [] {
            guard let index = element.object else { continue }
            indexes.append(try fetchIndex(index))
        }
        return indexes
    }

    private mutating func fetchIndex(_ object: ArchivedObject) throws -> FetchIndexDescription {
        guard let name = try object.string("NSIndexName") else { throw object.error(.keyMissing, key: "NSIndexName") }
        var index = FetchIndexDescription(name: name, elements: [])
        index.partialIndexPredicate = try predicateFormat("NSPartialIndexPredicate", of: object)
        for element in try object.elements("NSIndexElements") ?? [] {
            guard let element = element.object else { continue }
            let collation = try element.integer("NSFetchIndexElementType") ?? 0
            let known = Int(exactly: collation).flatMap(FetchIndexElementDescription.Collation.init(rawValue:))
            if known == nil { warn(.notRepresentable("the type \(collation) of an element of the index \(name)")) }
            let property = try element.object("NSIndexedProperty")
            let expression = try property?.object("NSExpression").map { try Expression(archived: $0).format }
            index.elements.append(
                FetchIndexElementDescription(
                    propertyName: expression == nil ? try element.string("NSPropertyName") : nil,
                    expression: expression, collation: known ?? .binary,
                    isAscending: try element.boolean("NSAscending") ?? true))
        }
        return index
    }
}
