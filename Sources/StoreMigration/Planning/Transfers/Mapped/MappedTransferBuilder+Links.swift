import ManagedObjectModels
import MappingModels
import PersistentStores
import PredicateExpressions
import SQLiteAccess
import StoreAssembly

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
        // The links that rows have of their own mappings come first, as if they were in the rows.
        for mapping in mappings where mapping.policy == nil {
            for relationship in destination.model.entities[mapping.destination].relationships
            where relationship.isStored && relationship.storage == .toOne {
                if try isLinkedLater(relationship, in: mapping) { steps += try toOneSteps(relationship, in: mapping) }
            }
        }
        for mapping in mappings {
            for relationship in destination.model.entities[mapping.destination].relationships
            where relationship.isStored && copiedRelationships[relationship.key] == nil {
                switch relationship.storage {
                case .inverseToOne, .unidirectional:
                    for links in try links(relationship, in: mapping)
                    where try !areInRows(relationship, of: mapping, links.maker) {
                        steps += keySteps(relationship, links, owner: mapping)
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
            if let join = try copiedJoin(table) {
                result.append(join)
                continue
            }
            var selections: [LinkSelection] = []
            for mapping in mappings {
                for relationship in destination.model.entities[mapping.destination].relationships
                where relationship.isStored && destination.joinTable(of: relationship.key)?.name == table.name {
                    let isOrdered = table.orderColumn != nil || table.inverseOrderColumn != nil
                    for links in try links(relationship, in: mapping, onlyOnce: isOrdered) {
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
                description: "\(owner).\(relationship.name)", isSortedBySQLite: false)
        }
        let place = links.hasPlaces ? "n" : nil
        // If a relationship is its own inverse, each object has the other one.
        if table.isSelfInverse { return [selection(true, place: place), selection(false, place: nil)] }
        return [selection(relationship.key == table.relationship, place: place)]
    }

    /// Returns the steps for a to-one relationship of objects that a policy has created, or that leads to such objects.
    private func toOneSteps(
        _ relationship: ResolvedRelationship, in mapping: ResolvedEntityMapping
    ) throws(MappedTransferError) -> [MigrationStep] {
        guard let link = try toOneLink(relationship, in: mapping),
            let columns = destination.linkColumns(ofToOne: relationship.key),
            let table = destination.table(ofEntity: mapping.destination)
        else { return [] }
        let owner = try owner(mapping)
        let tables = ["\(expressions.schema.table(of: mapping.source).name) s"] + owner.tables
        var conditions = [try expressions.membership(mapping, alias: "s")] + owner.conditions
        // Of several sources of an object, the one that has its row says what it is linked to.
        if case .identity(_, let offset) = mapping.keys {
            conditions.append("\(owner.key) = s.Z_PK\(Self.plus(offset))")
        }
        return [
            MigrationStep(
                phase: .relationships, table: table.name, summary: "links of \(relationship.name)",
                work: .links(
                    LinkChange(
                        table: table.name, columns: columns,
                        kind: .destinations(
                            links: "SELECT s.Z_PK AS s, \(owner.key) AS o, \(link.key.sql) AS k, "
                                + "\(columns.entity == nil ? "NULL" : link.entityNumber.sql) AS e FROM "
                                + "\(tables.joined(separator: ", ")) WHERE \(conditions.joined(separator: " AND "))"))))
        ]
    }

    /// A query of the owner's key `o` and the destination's key `d`. A pair with a place is not returned twice.
    private struct RelationshipLinks {
        let pairs: String
        /// Whether the query also returns the destination's place `n`.
        let hasPlaces: Bool
        /// The mapping that has created the destinations.
        let maker: ResolvedEntityMapping
    }

    /// Returns the links that a mapping specifies for a relationship, with one query for each mapping that can have
    /// created the destinations.
    ///
    /// - Parameter onlyOnce: whether a pair without a place must not be returned twice.
    private func links(
        _ relationship: ResolvedRelationship, in mapping: ResolvedEntityMapping, onlyOnce: Bool = false
    ) throws(MappedTransferError) -> [RelationshipLinks] {
        guard let (instances, place, _) = try instances(relationship, in: mapping) else { return [] }
        let (links, entity) = try expressions.links(instances.path, of: mapping, alias: "s", at: place)
        var result: [RelationshipLinks] = []
        for maker in try makers(instances, sources: entity, of: relationship, at: place) {
            let pairs = try pairs(mapping, links, maker, kind: relationship.destination, onlyOnce: onlyOnce)
            result.append(RelationshipLinks(pairs: pairs, hasPlaces: links.order != nil, maker: maker))
        }
        return result
    }

    /// Returns whether the rows of a mapping's objects already have the links of a to-many relationship, because both
    /// objects have the same source, and both mappings say so.
    private func areInRows(
        _ relationship: ResolvedRelationship, of owner: ResolvedEntityMapping, _ maker: ResolvedEntityMapping
    ) throws(MappedTransferError) -> Bool {
        guard owner.policy == nil, case .offset = maker.keys,
            let inverse = relationship.inverse.flatMap({
                destination.model.entities[maker.destination].relationship(named: $0.name)
            }), let (instances, place, property) = try instances(inverse, in: maker), property.choice == nil,
            let listed = try self.instances(relationship, in: owner)?.0,
            SourcePath.names(of: instances.path) == [], SourcePath.names(of: listed.path) == []
        else { return false }
        return try makers(instances, sources: maker.source, of: inverse, at: place).contains { $0.name == owner.name }
    }

    /// Returns a query of the owner's key `o`, the destination's key `d` and its place `n` if it has one.
    private func pairs(
        _ mapping: ResolvedEntityMapping, _ links: SQLLinks, _ maker: ResolvedEntityMapping, kind: Int, onlyOnce: Bool
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
            ?? ("", onlyOnce ? "DISTINCT o, d" : "o, d", "")
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

    /// Returns the steps that set the links of a to-many relationship in the rows of its destination, and their places
    /// as in the source, unless these rows' own mapping has set other links.
    private func keySteps(
        _ relationship: ResolvedRelationship, _ links: RelationshipLinks, owner: ResolvedEntityMapping
    ) -> [MigrationStep] {
        let inverse = relationship.inverse?.key
        guard let table = destination.table(ofEntity: relationship.destination),
            let columns =
                if let inverse {
                    destination.linkColumns(ofToOne: inverse)
                } else {
                    destination.linkColumns(ofUnidirectional: relationship.key)
                }
        else { return [] }
        return [
            MigrationStep(
                phase: .relationships, table: table.name, summary: "links of \(relationship.name)",
                work: .links(
                    LinkChange(
                        table: table.name, columns: columns,
                        kind: .owners(
                            pairs: links.pairs, entity: destination.entityNumbers[owner.destination],
                            hasPlaces: links.hasPlaces && columns.order != nil))))
        ]
    }

    /// Returns the steps that set the inverses of one-to-one links for which a mapping or a policy specified only one
    /// side.
    private func inverseSteps() -> [MigrationStep] {
        var steps: [MigrationStep] = []
        for entity in destination.model.entities {
            for relationship in entity.declaredRelationships where relationship.isStored && !relationship.isToMany {
                guard hasPolicies || copiedRelationships[relationship.key] == nil,
                    let inverse = relationship.inverse, !inverse.isToMany, !inverse.isTransient,
                    let own = destination.table(ofEntity: entity.slot),
                    let other = destination.table(ofEntity: relationship.destination),
                    let columns = destination.linkColumns(ofToOne: relationship.key),
                    let back = destination.linkColumns(ofToOne: inverse.key)
                else { continue }
                steps.append(
                    MigrationStep(
                        phase: .relationships, table: own.name,
                        summary: "inverses of \(entity.name).\(relationship.name)",
                        work: .links(
                            LinkChange(
                                table: own.name, columns: columns, kind: .inverses(table: other.name, columns: back)))))
            }
        }
        return steps
    }

    /// Returns the steps that set order keys according to known places, or else to the objects' own keys, with gaps
    /// between them (docs/format/sqlite-store.md#many-to-many).
    private func orderSteps() -> [MigrationStep] {
        var steps: [MigrationStep] = []
        for table in destination.tables {
            for column in table.columns {
                let keepsPlaces: Bool
                let columns: ChangedLinks.Columns?
                switch column.role {
                case .toOneOrder(let key):
                    keepsPlaces = self.keepsPlaces(key)
                    columns = destination.linkColumns(ofToOne: key)
                case .unidirectionalOrder(let key):
                    keepsPlaces = self.keepsPlaces(key, isUnidirectional: true)
                    columns = destination.linkColumns(ofUnidirectional: key)
                default: continue
                }
                guard !keepsPlaces, let columns else { continue }
                steps.append(
                    MigrationStep(
                        phase: .relationships, table: table.name, summary: "number \(column.name) by key",
                        work: .links(
                            LinkChange(
                                table: table.name, columns: columns,
                                kind: .count(keepsPlaces: false)))))
            }
        }
        for table in destination.joinTables where hasPolicies {
            if let order = table.orderColumn {
                steps.append(numberStep(table, .owners, order, by: table.ownerColumn, then: table.destinationColumn))
            }
            if let order = table.inverseOrderColumn {
                steps.append(
                    numberStep(table, .destinations, order, by: table.destinationColumn, then: table.ownerColumn))
            }
        }
        return steps
    }

    private func numberStep(
        _ table: JoinTable, _ side: LinkPairs.Side, _ column: String, by key: String, then other: String
    ) -> MigrationStep {
        let (name, order) = (SQLiteIdentifier.bare(table.name), SQLiteIdentifier.bare(column))
        let (group, position) = (SQLiteIdentifier.bare(key), SQLiteIdentifier.bare(other))
        return MigrationStep(
            phase: .relationships, table: table.name, summary: "number \(column) by key",
            work: .places(
                table, side,
                "UPDATE main.\(name) SET \(order) = c.n FROM (SELECT rowid AS r, "
                    + "\(OrderKeys.counted(by: group, placed: order, then: position)) AS n FROM main.\(name) "
                    + "WHERE \(group) IS NOT NULL) AS c WHERE c.r = \(name).rowid"))
    }
}
