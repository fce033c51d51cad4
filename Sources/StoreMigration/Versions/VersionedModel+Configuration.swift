import ManagedObjectModels

extension VersionedModel {
    /// The part of the version that a store of one configuration holds.
    ///
    /// Throws `MigrationError` where there is no such configuration, or where its entities need others.
    public func restricted(to name: String) throws -> VersionedModel {
        let known = model.model.configurations
        guard let configuration = known.first(where: { $0.name == name }) else {
            throw MigrationError(
                .unknownConfiguration(name, version: self.name, known: known.map(\.name).sorted()), path: path)
        }
        let members = Set(configuration.entityNames)
        try checkClosed(members, of: name)
        var part = model.model
        part.entities = part.entities.filter { members.contains($0.name) }
        part.configurations = [configuration]
        part.fetchRequestTemplates = part.fetchRequestTemplates.filter { members.contains($0.entityName) }
        let hashes = self.hashes.filter { members.contains($0.key) }
        let known32 = hashes.compactMapValues { VersionHash(bytes: $0) }
        return VersionedModel(
            name: self.name, path: path, model: try ResolvedModel(part), hashes: hashes,
            digest: ModelHashes.digest(of: known32), checksum: ModelHashes.checksum(of: known32),
            unprovenHashes: unprovenHashes.filter { members.contains($0.key) }, configuration: name)
    }

    /// Parents share a table with their heirs, and no relationship leads to another store (behaviour of Core Data).
    private func checkClosed(_ members: Set<String>, of configuration: String) throws {
        func refuse(_ entity: String, needs other: String) -> MigrationError {
            MigrationError(.openConfiguration(configuration, entity: entity, needs: other), path: path)
        }
        for entity in model.entities where members.contains(entity.name) {
            if let parent = entity.superentity.map({ model.entities[$0].name }), !members.contains(parent) {
                throw refuse(entity.name, needs: parent)
            }
            for relationship in entity.relationships where relationship.isStored {
                let destination = model.entities[relationship.destination].name
                guard members.contains(destination) else {
                    throw refuse("\(entity.name).\(relationship.name)", needs: destination)
                }
            }
        }
    }
}
