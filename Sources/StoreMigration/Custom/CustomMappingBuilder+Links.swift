import ManagedObjectModels
import MappingModels
import PersistentStores
import PredicateExpressions
import SQLiteAccess

/// Links that are not in the row of the object whose mapping names them: those of to-many relationships, and inverses.
extension CustomMappingBuilder {
    /// The steps of all relationships that are not in the rows yet, in the order of the mappings: what the mappings
    /// name, then what policies have related, then the other sides and the places in ordered relationships.
    func linkSteps(
        policies: [PolicyStep], _ program: PolicyProgram
    ) throws(CustomMappingError) -> [MigrationStep] {
        var steps = policies.map { step in
            var result = MigrationStep(
                phase: .relationships, table: "", summary: "relationships of \(step.mapping.name)",
                work: .policy(step.at(.relationships)))
            result.mapping = step.mapping.name
            return result
        }
        for mapping in mappings {
            for relationship in destination.model.entities[mapping.destination].relationships
            where relationship.isStored {
                if relationship.isToMany {
                    steps += try linkSteps(relationship, in: mapping)
                } else if mapping.policy != nil {
                    steps += try toOneSteps(relationship, in: mapping)
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
        steps += policies.map { step in
            MigrationStep(
                phase: .relationships, table: "", summary: "validation of \(step.mapping.name)",
                work: .policy(step.at(.validation)))
        }
        // Before the indexes are made, which use its pages.
        steps.append(
            MigrationStep(
                phase: .relationships, table: "", summary: "end of the policies", work: .policyEnd(program)))
        return steps
    }

    /// A to-one relationship of objects that a policy has made.
    private func toOneSteps(
        _ relationship: ResolvedRelationship, in mapping: ResolvedEntityMapping
    ) throws(CustomMappingError) -> [MigrationStep] {
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

    private func linkSteps(
        _ relationship: ResolvedRelationship, in mapping: ResolvedEntityMapping
    ) throws(CustomMappingError) -> [MigrationStep] {
        guard let (instances, place, _) = try instances(relationship, in: mapping) else { return [] }
        let (links, entity) = try expressions.links(instances.path, of: mapping, alias: "s", at: place)
        var steps: [MigrationStep] = []
        for maker in try makers(instances, sources: entity, of: relationship, at: place) {
            let pairs = try pairs(mapping, links, maker, kind: relationship.destination)
            switch relationship.storage {
            case .joinTable: steps += joinSteps(relationship, pairs)
            case .inverseToOne, .unidirectional: steps += keySteps(relationship, pairs, owner: mapping)
            case .toOne: break
            }
            if links.order != nil { steps += placeSteps(relationship, pairs) }
        }
        return steps
    }

    /// A query of the owner's key `o`, the destination's key `d` and its place `n`, each pair once.
    private func pairs(
        _ mapping: ResolvedEntityMapping, _ links: SQLLinks, _ maker: ResolvedEntityMapping, kind: Int
    ) throws(CustomMappingError) -> String {
        let owner = try owner(mapping)
        var tables = ["\(expressions.schema.table(of: mapping.source).name) s"] + owner.tables + links.tables
        var conditions = [try expressions.membership(mapping, alias: "s")] + owner.conditions + links.conditions
        let value = links.value.literalText
        let key: String
        if case .associated(let table, _) = maker.keys {
            // A policy may have made several objects of one source.
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

    /// The key of the object that has the relationship, and what the statement needs for it. Every source of an object
    /// counts, also those that another one stands for.
    private func owner(
        _ mapping: ResolvedEntityMapping
    ) throws(CustomMappingError) -> (key: String, tables: [String], conditions: [String]) {
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

    private func joinSteps(_ relationship: ResolvedRelationship, _ pairs: String) -> [MigrationStep] {
        guard let table = destination.joinTable(of: relationship.key) else { return [] }
        let side = table.side(of: relationship.key)
        func insert(_ owner: String, _ destination: String) -> MigrationStep {
            let columns = [side.owner, side.destination].map(SQLiteIdentifier.bare).joined(separator: ", ")
            return MigrationStep(
                phase: .relationships, table: table.name, summary: "links of \(relationship.name)",
                work: .fillWhole(
                    WholeFill(
                        statement: "INSERT OR IGNORE INTO main.\(SQLiteIdentifier.bare(table.name)) (\(columns)) "
                            + "SELECT \(owner), \(destination) FROM (\(pairs)) ORDER BY 1, 2")))
        }
        // Where both are the same relationship, each object has the other.
        return table.isSelfInverse ? [insert("o", "d"), insert("d", "o")] : [insert("o", "d")]
    }

    /// The links of a to-many relationship in the rows that it leads to; what a row's own mapping said goes first.
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

    /// The places of an ordered relationship's links, as its source has them.
    private func placeSteps(_ relationship: ResolvedRelationship, _ pairs: String) -> [MigrationStep] {
        func step(_ table: String, _ order: String, _ owner: String, _ key: String) -> MigrationStep {
            let (name, order) = (SQLiteIdentifier.bare(table), SQLiteIdentifier.bare(order))
            return MigrationStep(
                phase: .relationships, table: table, summary: "places of \(relationship.name)",
                work: .statement(
                    "UPDATE main.\(name) SET \(order) = p.n FROM (\(pairs)) AS p WHERE \(name).\(SQLiteIdentifier.bare(key)) = p.d "
                        + "AND \(name).\(SQLiteIdentifier.bare(owner)) = p.o"))
        }
        if let table = destination.joinTable(of: relationship.key) {
            let side = table.side(of: relationship.key)
            return side.order.map { [step(table.name, $0, side.owner, side.destination)] } ?? []
        }
        guard let table = destination.table(ofEntity: relationship.destination),
            let key = relationship.inverse.flatMap({ destination.column(.toOne($0.key)) })
                ?? destination.column(.unidirectional(relationship.key)),
            let order = relationship.inverse.flatMap({ destination.column(.toOneOrder($0.key)) })
                ?? destination.column(.unidirectionalOrder(relationship.key))
        else { return [] }
        return [step(table.name, order.name, key.name, "Z_PK")]
    }

    /// One-to-one links of which a mapping named one side only.
    private func inverseSteps() -> [MigrationStep] {
        var steps: [MigrationStep] = []
        for entity in destination.model.entities {
            for relationship in entity.declaredRelationships where relationship.isStored && !relationship.isToMany {
                guard let inverse = relationship.inverse, !inverse.isToMany, !inverse.isTransient,
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

    /// Order keys by the places that are known, else by the objects' own keys, in steps that leave room between them
    /// (docs/format/sqlite-store.md#many-to-many).
    private func orderSteps() -> [MigrationStep] {
        var steps: [MigrationStep] = []
        func number(_ table: String, _ column: String, by key: String, then other: String) {
            let (name, order) = (SQLiteIdentifier.bare(table), SQLiteIdentifier.bare(column))
            let (group, position) = (SQLiteIdentifier.bare(key), SQLiteIdentifier.bare(other))
            steps.append(
                MigrationStep(
                    phase: .relationships, table: table, summary: "number \(column) by key",
                    work: .statement(
                        "UPDATE main.\(name) SET \(order) = c.n FROM (SELECT rowid AS r, \(ProgramBuilder.firstOrderKey) + "
                            + "\(ProgramBuilder.orderKeyStep) * (row_number() OVER (PARTITION BY \(group) "
                            + "ORDER BY \(order) IS NULL, \(order), \(position)) - 1) AS n FROM main.\(name) WHERE \(group) IS NOT NULL) AS c WHERE c.r = \(name).rowid"
                    )))
        }
        for table in destination.tables {
            for column in table.columns {
                switch column.role {
                case .toOneOrder(let key):
                    if let own = table.column(.toOne(key)) {
                        number(table.name, column.name, by: own.name, then: "Z_PK")
                    }
                case .unidirectionalOrder(let key):
                    if let own = table.column(.unidirectional(key)) {
                        number(table.name, column.name, by: own.name, then: "Z_PK")
                    }
                default: break
                }
            }
        }
        for table in destination.joinTables {
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
