import ManagedObjectModels
import MappingModels
import PersistentStores
import PredicateExpressions
import SQLiteAccess

/// Links that are not in the row of the object whose mapping specifies them: those of to-many relationships, and
/// inverses.
extension MappedTransferBuilder {
    /// Returns the steps for all relationships that are neither in the rows yet nor in join tables, in the order of the
    /// mappings: links of the mappings, then links of policies, then the other sides and the places in ordered
    /// relationships.
    func linkSteps(
        policies: [PolicyStep], _ program: PolicyProgram
    ) throws(MappedTransferError) -> [MigrationStep] {
        var steps: [MigrationStep] = []
        for mapping in mappings {
            for relationship in destination.model.entities[mapping.destination].relationships
            where relationship.isStored && copiedRelationships[relationship.key] == nil {
                switch relationship.storage {
                case .inverseToOne, .unidirectional:
                    for links in try links(relationship, in: mapping) {
                        steps += keySteps(relationship, links.pairs, owner: mapping)
                        if links.hasPlaces { steps += placeSteps(relationship, links.pairs) }
                    }
                case .toOne where mapping.policy != nil: steps += try toOneSteps(relationship, in: mapping)
                case .toOne, .joinTable: break
                }
            }
        }
        if !policies.isEmpty {
            steps.append(
                MigrationStep(
                    phase: .relationships, table: "", summary: "what the policies have related",
                    work: .policyLinks(program)))
        }
        steps += inverseSteps() + orderSteps()
        guard !policies.isEmpty else { return steps }
        steps += policies.map { policyStep($0, .validation) }
        // The removal comes before the indexes are created, which then use its pages.
        steps.append(
            MigrationStep(
                phase: .relationships, table: "", summary: "end of the policies", work: .policyEnd(program)))
        return steps
    }

    /// Returns the step for a later stage of a policy.
    func policyStep(_ policy: PolicyStep, _ stage: PolicyStep.Stage) -> MigrationStep {
        var step = MigrationStep(
            phase: .relationships, table: "", summary: "\(stage.rawValue) of \(policy.mapping.name)",
            work: .policy(policy.at(stage)))
        if stage == .relationships { step.mapping = policy.mapping.name }
        return step
    }

    /// Returns the links in join tables.
    func joinTables() throws(MappedTransferError) -> [JoinTransfer] {
        var result: [JoinTransfer] = []
        for table in destination.joinTables {
            if let join = copiedJoin(table) {
                result.append(join)
                continue
            }
            var selections: [LinkSelection] = []
            for mapping in mappings {
                for relationship in destination.model.entities[mapping.destination].relationships
                where relationship.isStored && destination.joinTable(of: relationship.key)?.name == table.name {
                    for links in try links(relationship, in: mapping) {
                        selections += joinSelections(relationship, links, table)
                    }
                }
            }
            result.append(
                JoinTransfer(
                    table: table, selections: selections, renamedFrom: nil,
                    orders: hasPolicies ? .countedLater : .counted))
        }
        return result
    }

    private func joinSelections(
        _ relationship: ResolvedRelationship, _ links: RelationshipLinks, _ table: JoinTable
    ) -> [LinkSelection] {
        let owner = destination.model.entities[relationship.owner].name
        func selection(_ owns: Bool, place: String?) -> LinkSelection {
            LinkSelection(
                from: "FROM (\(links.pairs))", owner: owns ? "o" : "d", destination: owns ? "d" : "o",
                order: owns ? place : nil, inverseOrder: owns ? nil : place,
                description: "\(owner).\(relationship.name)")
        }
        let place = links.hasPlaces ? "n" : nil
        // If a relationship is its own inverse, each object has the other one.
        if table.isSelfInverse { return [selection(true, place: place), selection(false, place: nil)] }
        return [selection(relationship.key == table.relationship, place: place)]
    }

    /// Returns the steps for a to-one relationship of objects that a policy has created.
    private func toOneSteps(
        _ relationship: ResolvedRelationship, in mapping: ResolvedEntityMapping
    ) throws(MappedTransferError) -> [MigrationStep] {
        guard let link = try toOneLink(relationship, in: mapping),
            let column = destination.column(.toOne(relationship.key)),
            let table = destination.table(ofEntity: mapping.destination)
        else { return [] }
        let (name, key) = (SQLiteIdentifier.bare(table.name), SQLiteIdentifier.bare(column.name))
        let number = destination.column(.toOneEntity(relationship.key)).map { SQLiteIdentifier.bare($0.name) }
        let owner = try owner(mapping)
        let tables = ["\(expressions.schema.table(of: mapping.source).name) s"] + owner.tables
        let conditions = [try expressions.membership(mapping, alias: "s")] + owner.conditions
        return [
            MigrationStep(
                phase: .relationships, table: table.name, summary: "links of \(relationship.name)",
                work: .statement(
                    "UPDATE main.\(name) SET \(key) = p.k\(number.map { ", \($0) = p.e" } ?? "") FROM (SELECT \(owner.key) AS o, "
                        + "\(link.key.sql) AS k\(number == nil ? "" : ", \(link.entityNumber.sql) AS e") FROM "
                        + "\(tables.joined(separator: ", ")) WHERE \(conditions.joined(separator: " AND "))) AS p "
                        + "WHERE \(name).Z_PK = p.o"))
        ]
    }

    /// A query of the owner's key `o` and the destination's key `d`, without duplicates.
    private struct RelationshipLinks {
        let pairs: String
        /// Whether the query also returns the destination's place `n`.
        let hasPlaces: Bool
    }

    /// Returns the links that a mapping specifies for a relationship, with one query for each mapping that can have
    /// created the destinations.
    private func links(
        _ relationship: ResolvedRelationship, in mapping: ResolvedEntityMapping
    ) throws(MappedTransferError) -> [RelationshipLinks] {
        guard let (instances, place, _) = try instances(relationship, in: mapping) else { return [] }
        let (links, entity) = try expressions.links(instances.path, of: mapping, alias: "s", at: place)
        var result: [RelationshipLinks] = []
        for maker in try makers(instances, sources: entity, of: relationship, at: place) {
            let pairs = try pairs(mapping, links, maker, kind: relationship.destination)
            result.append(RelationshipLinks(pairs: pairs, hasPlaces: links.order != nil))
        }
        return result
    }

    /// Returns a query of the owner's key `o`, the destination's key `d` and its place `n`, without duplicates.
    private func pairs(
        _ mapping: ResolvedEntityMapping, _ links: SQLLinks, _ maker: ResolvedEntityMapping, kind: Int
    ) throws(MappedTransferError) -> String {
        let owner = try owner(mapping)
        var tables = ["\(expressions.schema.table(of: mapping.source).name) s"] + owner.tables + links.tables
        var conditions = [try expressions.membership(mapping, alias: "s")] + owner.conditions + links.conditions
        let value = links.value.literalText
        let key: String
        if case .associated(let table, _) = maker.keys {
            // A policy may have created several objects from one source.
            tables.append("\(table) k")
            conditions += ["k.source = \(value)", isKind("k.entity", kind)]
            key = "k.destination"
        } else {
            key = try destinationKey(maker, of: value, kind: kind)
        }
        let (place, selection, group) =
            links.order.map { (", \($0) AS n", "o, d, min(n) AS n", " GROUP BY o, d") }
            ?? ("", "DISTINCT o, d", "")
        return "SELECT \(selection) FROM (SELECT \(owner.key) AS o, \(key) AS d\(place) FROM "
            + "\(tables.joined(separator: ", ")) WHERE \(conditions.joined(separator: " AND "))) "
            + "WHERE o IS NOT NULL AND d IS NOT NULL\(group)"
    }

    /// Returns the key of the object that has the relationship, and the tables and conditions that it needs. Every
    /// source of an object is included, even if another source represents it.
    private func owner(
        _ mapping: ResolvedEntityMapping
    ) throws(MappedTransferError) -> (key: String, tables: [String], conditions: [String]) {
        switch mapping.keys {
        case .offset(let offset): ("s.Z_PK\(Self.plus(offset))", [], [])
        case .identity: (try destinationKey(mapping, of: "s.Z_PK", kind: mapping.destination), [], [])
        case .associated(let table, _):
            (
                "w.destination", ["\(table) w"],
                [
                    "w.source = s.Z_PK", isKind("w.entity", mapping.destination),
                    "NOT EXISTS (SELECT 1 FROM \(table)_EXCEPT x WHERE x.destination = w.destination)",
                ]
            )
        }
    }

    /// Returns the steps that set the links of a to-many relationship in the rows of its destination, after clearing
    /// the links that these rows' own mapping has set.
    private func keySteps(
        _ relationship: ResolvedRelationship, _ pairs: String, owner: ResolvedEntityMapping
    ) -> [MigrationStep] {
        guard let table = destination.table(ofEntity: relationship.destination) else { return [] }
        let key =
            relationship.inverse.flatMap { destination.column(.toOne($0.key)) }
            ?? destination.column(.unidirectional(relationship.key))
        let number =
            relationship.inverse.flatMap { destination.column(.toOneEntity($0.key)) }
            ?? destination.column(.unidirectionalEntity(relationship.key))
        guard let key else { return [] }
        let name = SQLiteIdentifier.bare(table.name)
        let column = SQLiteIdentifier.bare(key.name)
        var assignments = "\(column) = p.o"
        if let number {
            assignments += ", \(SQLiteIdentifier.bare(number.name)) = \(destination.entityNumbers[owner.destination])"
        }
        return [
            MigrationStep(
                phase: .relationships, table: table.name, summary: "links of \(relationship.name)",
                work: .statement(
                    "UPDATE main.\(name) SET \(assignments) FROM (SELECT d, min(o) AS o FROM (\(pairs)) GROUP BY d) AS p "
                        + "WHERE \(name).Z_PK = p.d AND \(name).\(column) IS NULL"))
        ]
    }

    /// Returns the steps that set the places in an ordered relationship, as in its source.
    private func placeSteps(_ relationship: ResolvedRelationship, _ pairs: String) -> [MigrationStep] {
        guard let table = destination.table(ofEntity: relationship.destination),
            let key = relationship.inverse.flatMap({ destination.column(.toOne($0.key)) })
                ?? destination.column(.unidirectional(relationship.key)),
            let order = relationship.inverse.flatMap({ destination.column(.toOneOrder($0.key)) })
                ?? destination.column(.unidirectionalOrder(relationship.key))
        else { return [] }
        let name = SQLiteIdentifier.bare(table.name)
        return [
            MigrationStep(
                phase: .relationships, table: table.name, summary: "places of \(relationship.name)",
                work: .statement(
                    "UPDATE main.\(name) SET \(SQLiteIdentifier.bare(order.name)) = p.n FROM (\(pairs)) AS p "
                        + "WHERE \(name).Z_PK = p.d AND \(name).\(SQLiteIdentifier.bare(key.name)) = p.o"))
        ]
    }

    /// Returns the steps that set the inverses of one-to-one links for which a mapping specified only one side.
    private func inverseSteps() -> [MigrationStep] {
        var steps: [MigrationStep] = []
        for entity in destination.model.entities {
            for relationship in entity.declaredRelationships where relationship.isStored && !relationship.isToMany {
                guard copiedRelationships[relationship.key] == nil, let inverse = relationship.inverse,
                    !inverse.isToMany, !inverse.isTransient,
                    let own = destination.table(ofEntity: entity.slot),
                    let other = destination.table(ofEntity: relationship.destination),
                    let column = destination.column(.toOne(relationship.key)),
                    let back = destination.column(.toOne(inverse.key))
                else { continue }
                let (name, key) = (SQLiteIdentifier.bare(own.name), SQLiteIdentifier.bare(column.name))
                var assignments = "\(key) = p.o"
                if let number = destination.column(.toOneEntity(relationship.key)) {
                    assignments += ", \(SQLiteIdentifier.bare(number.name)) = p.e"
                }
                steps.append(
                    MigrationStep(
                        phase: .relationships, table: own.name,
                        summary: "inverses of \(entity.name).\(relationship.name)",
                        work: .statement(
                            "UPDATE main.\(name) SET \(assignments) FROM (SELECT \(SQLiteIdentifier.bare(back.name)) AS d, "
                                + "min(Z_PK) AS o, min(Z_ENT) AS e FROM main.\(SQLiteIdentifier.bare(other.name)) "
                                + "WHERE \(SQLiteIdentifier.bare(back.name)) IS NOT NULL GROUP BY 1) AS p "
                                + "WHERE \(name).Z_PK = p.d AND \(name).\(key) IS NULL")))
            }
        }
        return steps
    }

    /// Returns the steps that set order keys according to known places, or else to the objects' own keys, with gaps
    /// between them (docs/format/sqlite-store.md#many-to-many).
    private func orderSteps() -> [MigrationStep] {
        var steps: [MigrationStep] = []
        func number(_ table: String, _ column: String, by key: String, then other: String) {
            let (name, order) = (SQLiteIdentifier.bare(table), SQLiteIdentifier.bare(column))
            let (group, position) = (SQLiteIdentifier.bare(key), SQLiteIdentifier.bare(other))
            steps.append(
                MigrationStep(
                    phase: .relationships, table: table, summary: "number \(column) by key",
                    work: .statement(
                        "UPDATE main.\(name) SET \(order) = c.n FROM (SELECT rowid AS r, "
                            + "\(OrderKeys.counted(by: group, placed: order, then: position)) AS n FROM main.\(name) "
                            + "WHERE \(group) IS NOT NULL) AS c WHERE c.r = \(name).rowid"
                    )))
        }
        for table in destination.tables {
            for column in table.columns {
                switch column.role {
                case .toOneOrder(let key):
                    if let own = table.column(.toOne(key)), copiedOrderColumn(key) == nil {
                        number(table.name, column.name, by: own.name, then: "Z_PK")
                    }
                case .unidirectionalOrder(let key):
                    if let own = table.column(.unidirectional(key)),
                        copiedOrderColumn(key, isUnidirectional: true) == nil
                    {
                        number(table.name, column.name, by: own.name, then: "Z_PK")
                    }
                default: break
                }
            }
        }
        for table in destination.joinTables where hasPolicies {
            if let order = table.orderColumn {
                number(table.name, order, by: table.ownerColumn, then: table.destinationColumn)
            }
            if let order = table.inverseOrderColumn {
                number(table.name, order, by: table.destinationColumn, then: table.ownerColumn)
            }
        }
        return steps
    }
}
