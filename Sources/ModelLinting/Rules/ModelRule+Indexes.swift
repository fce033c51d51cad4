internal import ManagedObjectModels
internal import PredicateExpressions

extension ModelRule {
    static let indexes = ModelRule(.invalidIndex, .duplicateIndex) { subject in
        var findings: [LintFinding] = []
        for entity in subject.model.entities {
            var names: Set<String> = []
            var elements: [[FetchIndexElementDescription]: String] = [:]
            for index in entity.description.fetchIndexes {
                func report(_ code: LintCode, _ message: String) {
                    findings.append(
                        subject.finding(
                            code, entity: entity.name, property: index.name,
                            at: .fetchIndex(index.name, entity: entity.name), message))
                }
                if !names.insert(index.name).inserted {
                    report(.invalidIndex, "two indexes of the entity have the name \(index.name)")
                }
                if index.elements.isEmpty { report(.invalidIndex, "the index has no elements") }
                for element in index.elements {
                    guard let name = element.propertyName, let reason = fault(of: name, in: entity) else { continue }
                    report(.invalidIndex, "the index cannot have \(name): \(reason)")
                }
                // A partial index contains other rows.
                guard index.partialIndexPredicate == nil, !index.elements.isEmpty else { continue }
                if let other = elements.updateValue(index.name, forKey: index.elements) {
                    report(.duplicateIndex, "the index \(other) has the same elements")
                }
            }
        }
        return findings
    }

    private static func fault(of name: String, in entity: ResolvedEntity) -> String? {
        if let attribute = entity.attribute(named: name) {
            return attribute.description.isTransient ? "it is transient" : nil
        }
        if let relationship = entity.relationship(named: name) {
            if !relationship.isStored { return "it is transient" }
            return relationship.isToMany ? "it is to-many" : nil
        }
        // Names of columns that all objects have.
        return ["self", "entity", "objectID"].contains(name) ? nil : "the entity has no such property"
    }

    /// One finding per entity, since all are converted together.
    static let deprecatedIndexes = ModelRule(.deprecatedIndex) { subject in
        subject.model.entities.compactMap { entity in
            let description = entity.description
            let indexed =
                description.attributes.filter(\.isIndexed).map(\.name)
                + description.relationships.filter(\.isIndexed).map(\.name)
            var parts: [String] = []
            if !indexed.isEmpty { parts.append("marked as indexed: \(indexed.joined(separator: ", "))") }
            if !description.compoundIndexes.isEmpty {
                let lists = description.compoundIndexes.map { "(" + $0.joined(separator: ", ") + ")" }
                parts.append("compound indexes: \(lists.joined(separator: ", "))")
            }
            return parts.isEmpty
                ? nil : subject.finding(.deprecatedIndex, entity, parts.joined(separator: "; "))
        }
    }
}
