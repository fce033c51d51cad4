internal import ManagedObjectModels

extension ModelRule {
    /// A store contains one configuration, and relationships cannot cross stores.
    static let configurations = ModelRule(.invalidConfiguration, .relationshipLeavesConfiguration) { subject in
        subject.model.model.configurations.flatMap { configuration in
            configuration.entityNames.compactMap { name in
                problem(of: name, in: configuration, of: subject.model).map { problem in
                    subject.finding(
                        .invalidConfiguration, property: configuration.name, at: .configuration(configuration.name),
                        problem)
                }
            } + exits(from: configuration, in: subject)
        }
    }

    /// Returns why no store can contain an entity of a configuration; nil if one can.
    private static func problem(
        of name: String, in configuration: ConfigurationDescription, of model: ResolvedModel
    ) -> String? {
        guard let slot = model.slot(named: name) else { return "there is no entity \(name)" }
        // They share a table.
        guard let parent = model.entities[slot].description.superentityName, model.slot(named: parent) != nil,
            !configuration.entityNames.contains(parent)
        else { return nil }
        return "it has \(name) without \(parent), from which that inherits: no store can hold one without the other"
    }

    private static func exits(from configuration: ConfigurationDescription, in subject: LintSubject) -> [LintFinding] {
        let model = subject.model
        let members = Set(configuration.entityNames.compactMap { model.slot(named: $0) })
        return subject.relationships.compactMap { owner, relationship in
            // Objects of any subentity are sufficient, at both ends.
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
