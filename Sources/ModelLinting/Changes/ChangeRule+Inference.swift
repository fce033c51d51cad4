internal import MappingModels

extension ChangeRule {
    /// Finds reasons why Core Data would not migrate automatically, or would fail for some stores.
    static let inference = ChangeRule(.notInferable, .dataDependent) { change in
        change.failures.map { failure in
            change.finding(
                failure.isDataDependent ? .dataDependent : .notInferable, entity: failure.entity,
                property: failure.property, failure.sentence)
        }
    }

    /// Finds different models that Core Data cannot distinguish.
    static let equalHashes = ChangeRule(.indistinguishable) { change in
        guard change.haveEqualHashes, change.source.name != change.destination.name, !change.difference.isEmpty else {
            return []
        }
        let entities = change.difference.entities.map(\.name)
        let place = entities.isEmpty ? "beyond the entities" : "in " + entities.joined(separator: ", ")
        return [
            change.finding(
                .indistinguishable, entity: nil,
                "the version differs from \(change.source.name) \(place), and all hashes are equal")
        ]
    }
}
