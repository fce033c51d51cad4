import ManagedObjectModels

extension VersionedModel {
    /// Returns the version for stores that contain the objects of one configuration, but have the complete model.
    /// - Throws: `MigrationError` if there is no such configuration, or if its entities require others.
    public func limited(to name: String) throws -> VersionedModel {
        _ = try members(of: name)
        var result = VersionedModel(
            name: self.name, path: path, model: model, hashes: hashes, digest: digest, checksum: checksum,
            unprovenHashes: unprovenHashes, configuration: name)
        result.alternatives = alternatives
        return result
    }

    /// Returns the part of the version for old stores of one configuration, which lack the tables of the others.
    /// - Throws: `MigrationError` if there is no such configuration, or if its entities require others.
    public func restricted(to name: String) throws -> VersionedModel {
        let configuration = try members(of: name)
        let members = Set(configuration.entityNames)
        var part = model.model
        part.entities = part.entities.filter { members.contains($0.name) }
        part.configurations = [configuration]
        part.fetchRequestTemplates = part.fetchRequestTemplates.filter { members.contains($0.entityName) }
        let hashes = self.hashes.filter { members.contains($0.key) }
        let known32 = hashes.compactMapValues { VersionHash(bytes: $0) }
        var result = VersionedModel(
            name: self.name, path: path, model: try ResolvedModel(part), hashes: hashes,
            digest: ModelHashes.digest(of: known32), checksum: ModelHashes.checksum(of: known32),
            unprovenHashes: unprovenHashes.filter { members.contains($0.key) }, configuration: name)
        result.isPart = true
        return result
    }

    private func members(of name: String) throws -> ConfigurationDescription {
        let known = model.model.configurations
        guard let configuration = known.first(where: { $0.name == name }) else {
            throw MigrationError(
                .unknownConfiguration(name, version: self.name, known: known.map(\.name).sorted()), path: path)
        }
        try checkClosed(Set(configuration.entityNames), of: name)
        return configuration
    }

    /// Checks that the entities need no others: in Core Data, superentities share a table with their subentities, and
    /// no relationship leads to another store.
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
