internal import ManagedObjectModels

extension DiagramContent {
    /// Makes the content for one version: every entity with the properties that it declares, every relationship once.
    init(_ model: ResolvedModel, title: String, detail: DiagramDetail) {
        let pairs = RelationshipPairs(model).pairs
        self.init(
            title: title,
            summary: Self.count(model.entities.count, "entity", "entities") + ", "
                + Self.count(pairs.count, "relationship", "relationships"))
        nodes = model.entities.map { entity in
            var node = DiagramNode(
                name: entity.name, subtitle: PropertyRows.subtitle(entity, in: model), isAbstract: entity.isAbstract)
            if detail == .all { node.rows = entity.description.attributes.map { PropertyRows.row($0) } }
            if detail != .none {
                node.rows += entity.declaredRelationships.map { PropertyRows.row($0.description) }
            }
            if detail == .all { node.rows += entity.description.fetchedProperties.map { PropertyRows.row($0) } }
            return node
        }
        edges = model.entities.compactMap { entity in
            entity.superentity.map {
                DiagramEdge(kind: .inheritance, from: .init(node: entity.slot), to: .init(node: $0))
            }
        }
        edges += pairs.map { pair in
            edge(
                pair, ownNode: pair.relationship.owner, otherNode: pair.inverse?.owner ?? pair.relationship.destination)
        }
        if detail == .none { joinHiddenRelationships() }
    }

    /// Returns the line for a relationship, from its row to that of its inverse.
    func edge(_ pair: RelationshipPairs.Pair, ownNode: Int, otherNode: Int) -> DiagramEdge {
        let inverse = pair.inverse
        return DiagramEdge(
            kind: .relationship,
            from: .init(
                node: ownNode, row: row(pair.relationship.name, of: ownNode),
                multiplicity: inverse.map { PropertyRows.multiplicity($0.description) }),
            to: .init(
                node: otherNode, row: inverse.flatMap { row($0.name, of: otherNode) },
                multiplicity: PropertyRows.multiplicity(pair.relationship.description)),
            names: [pair.relationship.name] + (inverse.map { [$0.name] } ?? []))
    }

    private func row(_ name: String, of node: Int) -> Int? {
        nodes[node].rows.firstIndex { $0.isRelationship && $0.name == name && $0.change != .removed }
    }

    static func count(_ number: Int, _ one: String, _ many: String) -> String {
        "\(number) \(number == 1 ? one : many)"
    }
}
