internal import ManagedObjectModels

extension ModelRule {
    /// A store holds one configuration, and no relationship crosses stores.
    static let configurations = ModelRule(.invalidConfiguration, .relationshipLeavesConfiguration) { subject in
        subject.model.model.configurations.flatMap { configuration in
            configuration.entityNames.filter { subject.model.slot(named: $0) == nil }.map { name in
                subject.finding(
                    .invalidConfiguration, property: configuration.name, at: .configuration(configuration.name),
                    "there is no entity \(name)")
            } + exits(from: configuration, in: subject)
        }
    }

    private static func exits(from configuration: ConfigurationDescription, in subject: LintSubject) -> [LintFinding] {
        let model = subject.model
        let members = Set(configuration.entityNames.compactMap { model.slot(named: $0) })
        return subject.relationships.compactMap { owner, relationship in
            // Objects of any subentity will do, at both ends.
            guard relationship.isStored, owner.subtree.contains(where: members.contains),
                !model.entities[relationship.destination].subtree.contains(where: members.contains)
            else { return nil }
            return subject.finding(
                .relationshipLeavesConfiguration, relationship.name, of: owner,
                "the configuration \(configuration.name) does not have its destination "
                    + model.entities[relationship.destination].name)
        }
    }
}
