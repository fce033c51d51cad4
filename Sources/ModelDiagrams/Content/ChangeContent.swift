internal import ManagedObjectModels
internal import MappingModels

/// Collects the content of a diagram of changes. A value is used once.
struct ChangeContent {
    private let links: ModelCorrespondence
    private let differences: [String: EntityDifference]
    private let removals: [String: EntityDifference]

    /// The nodes, by source slot.
    private var sourceNodes: [Int: Int] = [:]
    private(set) var content: DiagramContent

    init(_ links: ModelCorrespondence, title: String, showsUnchanged: Bool, detail: DiagramDetail) {
        self.links = links
        let found = ModelDifference(links).entities
        removals = Dictionary(
            found.filter { $0.kind == .removed }.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        differences = Dictionary(
            found.filter { $0.kind != .removed }.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        content = DiagramContent(title: title, summary: "", isComparison: true)
        addNodes(detail)
        addInheritance()
        addRelationships()
        addRemovedRelationships()
        content.joinHiddenRelationships()
        summarise()
        if !showsUnchanged { dropUnchanged() }
    }

    // MARK: Boxes

    private mutating func addNodes(_ detail: DiagramDetail) {
        for entity in links.destination.entities {
            if let source = links.sourceSlot[entity.slot] { sourceNodes[source] = content.nodes.count }
            content.nodes.append(node(entity, differences[entity.name], detail))
        }
        for entity in links.source.entities where links.destinationSlot[entity.slot] == nil {
            sourceNodes[entity.slot] = content.nodes.count
            var node = DiagramNode(
                name: entity.name, subtitle: PropertyRows.subtitle(entity, in: links.source),
                isAbstract: entity.isAbstract, change: .removed)
            node.rows = Self.rows(of: entity, detail)
            content.nodes.append(node)
        }
    }

    private func node(_ entity: ResolvedEntity, _ difference: EntityDifference?, _ detail: DiagramDetail) -> DiagramNode
    {
        var node = DiagramNode(
            name: entity.name, subtitle: PropertyRows.subtitle(entity, in: links.destination),
            isAbstract: entity.isAbstract)
        guard let difference else { return node }
        node.change = DiagramChange(difference.kind)
        if let former = difference.formerName { node.subtitle = "was \(former)" }
        if node.change == .added {
            node.rows = Self.rows(of: entity, detail)
            return node
        }
        node.rows = difference.changes.map { change in
            DiagramRow(
                name: change.facet.label, detail: change.new ?? "none", change: .changed,
                explanation: "\(change.facet.label): \(change.old ?? "none") → \(change.new ?? "none")")
        }
        node.rows += difference.properties.compactMap { row($0, of: entity) }
        return node
    }

    private static func rows(of entity: ResolvedEntity, _ detail: DiagramDetail) -> [DiagramRow] {
        var rows: [DiagramRow] = []
        if detail == .all { rows = entity.description.attributes.map { PropertyRows.row($0) } }
        if detail != .none { rows += entity.declaredRelationships.map { PropertyRows.row($0.description) } }
        if detail == .all { rows += entity.description.fetchedProperties.map { PropertyRows.row($0) } }
        return rows
    }

    /// Returns a row for a changed property, with its type in the version that has it.
    private func row(_ property: PropertyDifference, of entity: ResolvedEntity) -> DiagramRow? {
        let isRemoved = property.kind == .removed
        let owner = isRemoved ? links.sourceEntity(of: entity.slot) : entity
        guard let description = owner?.description else { return nil }
        var row: DiagramRow?
        switch property.property {
        case .attribute:
            row = description.attributes.first { $0.name == property.name }.map { PropertyRows.row($0) }
        case .relationship:
            row = description.relationships.first { $0.name == property.name }.map { PropertyRows.row($0) }
        case .fetchedProperty:
            row = description.fetchedProperties.first { $0.name == property.name }.map { PropertyRows.row($0) }
        }
        row?.change = DiagramChange(property.kind)
        if let former = property.formerName { row?.name = "\(property.name) ← \(former)" }
        let changes = property.changes.map { "\($0.facet.label): \($0.old ?? "none") → \($0.new ?? "none")" }
        row?.explanation = changes.isEmpty ? nil : changes.joined(separator: "; ")
        if property.changes.count == 1, let change = property.changes.first, property.formerName == nil,
            change.old?.count ?? 0 < 24, change.new?.count ?? 0 < 24
        {
            row?.detail = "\(change.facet.label): \(change.old ?? "none") → \(change.new ?? "none")"
        }
        return row
    }

    // MARK: Lines

    private mutating func addInheritance() {
        for entity in links.destination.entities {
            let former = links.sourceEntity(of: entity.slot)
            let formerParent = former?.superentity.flatMap { links.destinationSlot[$0] }
            if let parent = entity.superentity {
                var edge = DiagramEdge(kind: .inheritance, from: .init(node: entity.slot), to: .init(node: parent))
                if formerParent != parent { edge.change = .added }
                content.edges.append(edge)
            }
        }
        for entity in links.source.entities {
            guard let parent = entity.superentity, let node = sourceNodes[entity.slot], let above = sourceNodes[parent]
            else { continue }
            let current = links.destinationEntity(of: entity.slot)?.superentity
            if current == nil || current != links.destinationSlot[parent] {
                content.edges.append(
                    DiagramEdge(
                        kind: .inheritance, from: .init(node: node), to: .init(node: above), change: .removed))
            }
        }
    }

    private mutating func addRelationships() {
        for pair in RelationshipPairs(links.destination).pairs {
            let other = pair.inverse?.owner ?? pair.relationship.destination
            var edge = content.edge(pair, ownNode: pair.relationship.owner, otherNode: other)
            let sides = [pair.relationship] + (pair.inverse.map { [$0] } ?? [])
            let kinds = sides.map { kind(of: $0) }
            edge.change = kinds.first { $0 != .unchanged } ?? .unchanged
            if edge.from.row == nil { edge.from.row = row(pair.relationship.name, of: edge.from.node) }
            if edge.to.row == nil, let inverse = pair.inverse { edge.to.row = row(inverse.name, of: edge.to.node) }
            content.edges.append(edge)
        }
    }

    private func kind(of relationship: ResolvedRelationship) -> DiagramChange {
        let owner = links.destination.entities[relationship.owner]
        guard let difference = differences[owner.name] else { return .unchanged }
        if difference.kind == .added { return .added }
        return difference.properties.first {
            $0.property == .relationship && $0.name == relationship.name && $0.kind != .removed
        }
        .map { DiagramChange($0.kind) } ?? .unchanged
    }

    /// Returns the row of a property; rows of renamed properties begin with the new name.
    private func row(_ name: String, of node: Int) -> Int? {
        content.nodes[node].rows.firstIndex {
            $0.isRelationship && $0.change != .removed && ($0.name == name || $0.name.hasPrefix(name + " ← "))
        }
    }

    private mutating func addRemovedRelationships() {
        func isRemoved(_ relationship: ResolvedRelationship) -> Bool {
            let owner = links.source.entities[relationship.owner]
            guard let slot = links.destinationSlot[owner.slot] else { return true }
            return differences[links.destination.entities[slot].name]?.properties.contains {
                $0.property == .relationship && $0.name == relationship.name && $0.kind == .removed
            } ?? false
        }
        for pair in RelationshipPairs(links.source).pairs {
            let inverse = pair.inverse.flatMap { isRemoved($0) ? $0 : nil }
            let isGone = isRemoved(pair.relationship)
            // If one side remains, with another inverse, only the other side was removed.
            guard isGone || inverse != nil else { continue }
            let relationship = isGone ? pair.relationship : inverse ?? pair.relationship
            let partner = isGone ? inverse : nil
            guard let own = sourceNodes[relationship.owner],
                let other = sourceNodes[partner?.owner ?? relationship.destination]
            else { continue }
            func removedRow(_ name: String, _ node: Int) -> Int? {
                content.nodes[node].rows.firstIndex {
                    $0.isRelationship && $0.name == name
                        && ($0.change == .removed || content.nodes[node].change == .removed)
                }
            }
            content.edges.append(
                DiagramEdge(
                    kind: .relationship,
                    from: .init(
                        node: own, row: removedRow(relationship.name, own),
                        multiplicity: partner.map { PropertyRows.multiplicity($0.description) }),
                    to: .init(
                        node: other, row: partner.flatMap { removedRow($0.name, other) },
                        multiplicity: PropertyRows.multiplicity(relationship.description)),
                    change: .removed, names: [relationship.name] + (partner.map { [$0.name] } ?? [])))
        }
    }

    // MARK: The whole

    private mutating func summarise() {
        let parts = [DiagramChange.added, .removed, .renamed, .changed].compactMap { change -> String? in
            let count = content.nodes.count { $0.change == change }
            return count == 0 ? nil : "\(count) \(change.rawValue)"
        }
        content.summary = parts.isEmpty ? "no entity differs" : "entities: " + parts.joined(separator: ", ")
    }

    /// Removes unchanged entities, unless a changed line leads to them.
    private mutating func dropUnchanged() {
        var isKept = content.nodes.map { $0.change != .unchanged }
        for edge in content.edges where edge.change != .unchanged {
            isKept[edge.from.node] = true
            isKept[edge.to.node] = true
        }
        let dropped = isKept.count { !$0 }
        guard dropped > 0 else { return }
        var places: [Int: Int] = [:]
        for node in isKept.indices where isKept[node] { places[node] = places.count }
        content.edges = content.edges.compactMap { edge in
            guard let from = places[edge.from.node], let to = places[edge.to.node] else { return nil }
            var edge = edge
            edge.from = .init(node: from, row: edge.from.row, multiplicity: edge.from.multiplicity)
            edge.to = .init(node: to, row: edge.to.row, multiplicity: edge.to.multiplicity)
            return edge
        }
        content.nodes = isKept.indices.filter { isKept[$0] }.map { content.nodes[$0] }
        content.summary +=
            "; \(DiagramContent.count(dropped, "unchanged entity is", "unchanged entities are")) not shown"
    }
}

extension DiagramChange {
    init(_ kind: DifferenceKind) {
        switch kind {
        case .added: self = .added
        case .removed: self = .removed
        case .renamed: self = .renamed
        case .changed: self = .changed
        }
    }
}
