import ManagedObjectModels
import MappingModels
import PersistentStores
import PredicateExpressions
import SQLiteAccess

/// A relationship of the new model whose links are the links of one relationship of the source. All mappings of the
/// objects that have it copy the same relationship, and the mappings of the objects that have its inverse do not
/// contradict this.
///
/// These links are read from the place where the source stores them. The links of other relationships are selected for
/// each mapping, with the objects that the mapping has created.
///
/// Policies may set other links afterwards, but they do not make the objects at the ends. If sources with equal values
/// become one object, its key is looked up for each link.
struct CopiedRelationship: Sendable {
    /// The objects at one end.
    struct End: Sendable {
        /// The table of the source, as it appears after `FROM`.
        let table: String
        /// The entities of the source whose objects become objects of the relationship's entity: their numbers in the
        /// source, and the numbers of the new entities in the new store.
        let numbers: [(old: Int, new: Int)]
        /// The condition that a row `m` of the table becomes such an object.
        let condition: String
        /// The difference between the keys of the new objects and the keys of their sources; nil if the keys are looked
        /// up.
        let offset: Int64?
        /// The mappings that create the objects, each from another entity.
        let makers: [ResolvedEntityMapping]

        /// Whether several sources may become one object.
        var unites: Bool { makers.contains { if case .identity = $0.keys { true } else { false } } }

        /// Returns the condition that the object with a key becomes an object of the relationship's entity.
        func existence(of key: String) -> String { "EXISTS (\(selection(of: "1", key)))" }

        /// Returns the number of the new object's entity, given the column with the key of its source; NULL if there is
        /// no new object.
        ///
        /// - Parameters:
        ///   - column: the column with the key of the source.
        ///   - isIntact: whether the objects of all keys become objects of the relationship's entity.
        func entityNumber(_ column: EntityColumn, isIntact: Bool) -> ColumnExpression {
            let key = "s.\(SQLiteIdentifier.bare(column.name))"
            if isIntact, numbers.count == 1 {
                return .row("CASE WHEN \(key) IS NOT NULL THEN \(numbers[0].new) END", base: column.name)
            }
            let cases = numbers.map { "WHEN \($0.old) THEN \($0.new)" }.joined(separator: " ")
            return .lookup("(\(selection(of: "CASE m.Z_ENT \(cases) END", key)))")
        }

        /// Returns a query for whether a link has an object at this end that does not become an object of the
        /// relationship's entity.
        ///
        /// - Parameters:
        ///   - links: the links.
        ///   - key: the column with the keys of the objects, over the rows of `links`.
        func losses(in links: SourceLinks, _ key: String) -> String {
            // Many links may lead to few objects, and an index lists their keys in order.
            "SELECT EXISTS (SELECT 1 FROM (SELECT DISTINCT \(key) AS k \(links.fromWhere)) WHERE NOT \(existence(of: "k")))"
        }

        func selection(of value: String, _ key: String) -> String {
            "SELECT \(value) FROM \(table) m WHERE m.Z_PK = \(key) AND \(condition)"
        }
    }

    /// The relationship of the source.
    let old: ResolvedRelationship
    let owners: End
    let destinations: End
}

extension MappedTransferBuilder {
    /// Returns the relationships of the new model that all mappings copy, by their keys. One-to-one relationships, and
    /// relationships that are their own inverse, are only copied if they are intact in both directions.
    func findCopiedRelationships() -> [PropertyKey: CopiedRelationship] {
        var result: [PropertyKey: CopiedRelationship] = [:]
        for entity in destination.model.entities {
            for relationship in entity.declaredRelationships where relationship.isStored {
                // An invalid expression is reported where it is used.
                if let copied = try? copied(relationship) { result[relationship.key] = copied }
            }
        }
        return result.filter { key, _ in
            inverse(of: key).map { result[$0] != nil } ?? true
        }
    }

    /// Finds the copied relationships all of whose links are kept, so that their objects need not be looked up. Of a
    /// relationship and its inverse, only the one that stores the links is examined.
    ///
    /// - Parameter connection: a connection to the source, whose tables have the same names as in this builder.
    func findIntactRelationships(on connection: Connection) throws(SQLiteError) -> Set<PropertyKey> {
        var result: Set<PropertyKey> = []
        for (key, copied) in candidates {
            guard let links = SourceLinks(copied.old, in: source, naming: expressions.naming) else { continue }
            let lost: [String]
            switch copied.old.storage {
            // If links are in a column, the rows of objects that do not become new objects are not read, so only the
            // other end is checked.
            case .toOne:
                let dropped = copied.destinations.losses(in: links, links.destination)
                lost = [dropped] + (oneSided(copied.old).map { [$0] } ?? [])
            case .unidirectional: lost = [copied.owners.losses(in: links, links.owner)]
            case .joinTable where destination.joinTable(of: key)?.relationship == key:
                lost =
                    [
                        copied.owners.losses(in: links, links.owner),
                        copied.destinations.losses(in: links, links.destination),
                    ] + (oneSided(copied.old).map { [$0] } ?? [])
            // The inverse stores the links, and is examined instead.
            case .inverseToOne, .joinTable: continue
            }
            var isIntact = true
            for query in lost where isIntact { isIntact = try connection.value(query).integer == 0 }
            if isIntact { result.insert(key) }
        }
        return result
    }

    /// Returns a query for whether some links of a relationship of the source have no inverse; nil unless the
    /// relationship is one-to-one, or many-to-many and its own inverse.
    private func oneSided(_ relationship: ResolvedRelationship) -> String? {
        if relationship.isSelfInverse, let join = source.joinTable(of: relationship.key) {
            let side = join.side(of: relationship.key)
            let (owner, destination) = (SQLiteIdentifier.bare(side.owner), SQLiteIdentifier.bare(side.destination))
            let table = expressions.naming.name(join.name)
            return "SELECT EXISTS (SELECT 1 FROM \(table) l WHERE NOT EXISTS (SELECT 1 FROM \(table) m WHERE "
                + "m.\(owner) = l.\(destination) AND m.\(destination) = l.\(owner)))"
        }
        guard relationship.isOneToOne, let column = source.column(.toOne(relationship.key)),
            let back = relationship.inverse.flatMap({ source.column(.toOne($0.key)) })
        else { return nil }
        let schema = expressions.schema
        let key = "s.\(SQLiteIdentifier.bare(column.name))"
        return
            "SELECT EXISTS (SELECT 1 FROM \(schema.table(of: relationship.owner).name) s WHERE \(key) IS NOT NULL AND "
            + "NOT EXISTS (SELECT 1 FROM \(schema.table(of: relationship.destination).name) o WHERE o.Z_PK = \(key) "
            + "AND o.\(SQLiteIdentifier.bare(back.name)) = s.Z_PK))"
    }

    /// Returns the link in the row of an object; nil if the relationship is not copied.
    ///
    /// - Parameter isUnidirectional: whether the object is the relationship's destination.
    func copiedLink(
        _ key: PropertyKey, isUnidirectional: Bool = false, in mapping: ResolvedEntityMapping
    ) throws(MappedTransferError) -> Link? {
        guard let copied = copiedRelationships[key],
            let column = copiedColumn(key, isUnidirectional: isUnidirectional, in: mapping)
        else { return nil }
        let others = isUnidirectional ? copied.owners : copied.destinations
        let isIntact = intactRelationships.contains(key)
        let old = "s.\(SQLiteIdentifier.bare(column.name))"
        let new: ColumnExpression
        if let offset = others.offset {
            if !isIntact {
                new = .lookup("(\(others.selection(of: "m.Z_PK" + Self.plus(offset), old)))")
            } else {
                new = offset == 0 ? .column(column.name) : .row(old + Self.plus(offset), base: column.name)
            }
        } else {
            let keyed = KeyedRows(
                keys: others.table, columns: [column.name], entityNumber: source.entityNumbers[mapping.source],
                isKeptNull: true)
            new = .lookup(
                try newKey(of: old, at: others), keyed: expressions.isUnfiltered(mapping) ? keyed : nil)
        }
        return Link(key: new, entityNumber: others.entityNumber(column, isIntact: isIntact))
    }

    /// Returns the column of the source with the links in the rows of a mapping's objects; nil if they are not copied.
    private func copiedColumn(
        _ key: PropertyKey, isUnidirectional: Bool, in mapping: ResolvedEntityMapping
    ) -> EntityColumn? {
        guard let copied = copiedRelationships[key],
            // Other entities of the table do not have the relationship.
            (isUnidirectional ? copied.destinations : copied.owners).makers.contains(where: { $0.name == mapping.name })
        else { return nil }
        return source.column(isUnidirectional ? .unidirectional(copied.old.key) : .toOne(copied.old.key))
    }

    /// Returns SQL for the key of a new object, given SQL for the key of its source; NULL if the key is looked up and
    /// there is no new object.
    private func newKey(of key: String, at end: CopiedRelationship.End) throws(MappedTransferError) -> String {
        if let offset = end.offset { return key + Self.plus(offset) }
        var keys: [String] = []
        for maker in end.makers { keys.append(try destinationKey(maker, of: key, kind: maker.destination)) }
        return Coalescence.sql(keys)
    }

    /// Returns the place that an object keeps in an ordered relationship; nil if it has none.
    func copiedOrder(
        _ key: PropertyKey, isUnidirectional: Bool = false, in mapping: ResolvedEntityMapping
    ) throws(MappedTransferError) -> ColumnExpression? {
        guard let order = copiedOrderColumn(key, isUnidirectional: isUnidirectional),
            let column = copiedColumn(key, isUnidirectional: isUnidirectional, in: mapping)
        else { return nil }
        func place(ifThereIs link: String) -> String {
            "CASE WHEN \(link) IS NOT NULL THEN s.\(SQLiteIdentifier.bare(order.name)) END"
        }
        // The place of an object without an owner has no meaning, and others are counted from the known places.
        guard intactRelationships.contains(key) else {
            let link = try copiedLink(key, isUnidirectional: isUnidirectional, in: mapping)
            return link.map { .lookup(place(ifThereIs: $0.key.sql)) }
        }
        return keepsPlaces(key, isUnidirectional: isUnidirectional)
            ? .column(order.name)
            : .row(place(ifThereIs: "s.\(SQLiteIdentifier.bare(column.name))"), base: order.name)
    }

    /// Whether objects in an ordered relationship keep the places of their sources. Otherwise, the places are counted:
    /// if policies may set other links, or if the lists of several sources become one.
    func keepsPlaces(_ key: PropertyKey, isUnidirectional: Bool = false) -> Bool {
        guard !hasPolicies, let copied = copiedRelationships[key],
            copiedOrderColumn(key, isUnidirectional: isUnidirectional) != nil
        else { return false }
        return !(isUnidirectional ? copied.owners : copied.destinations).unites
    }

    /// Returns the column of the source with the places of objects in an ordered relationship; nil if they are not
    /// copied.
    private func copiedOrderColumn(_ key: PropertyKey, isUnidirectional: Bool = false) -> EntityColumn? {
        copiedRelationships[key].flatMap { copied in
            source.column(isUnidirectional ? .unidirectionalOrder(copied.old.key) : .toOneOrder(copied.old.key))
        }
    }

    /// Returns the transfer of a join table; nil if its links are not copied.
    func copiedJoin(_ table: JoinTable) throws(MappedTransferError) -> JoinTransfer? {
        guard let copied = copiedRelationships[table.relationship],
            var links = SourceLinks(copied.old, in: source, naming: expressions.naming)
        else { return nil }
        var renamedFrom: JoinTable?
        if intactRelationships.contains(table.relationship) {
            if copied.owners.offset == 0, copied.destinations.offset == 0, copied.old.storage == .joinTable,
                let join = source.joinTable(of: copied.old.key)
            {
                renamedFrom = JoinTransfer.source(join, of: copied.old.key, for: table)
            }
        } else {
            links.conditions += [
                copied.owners.existence(of: links.owner), copied.destinations.existence(of: links.destination),
            ]
        }
        let name = "\(source.model.entities[copied.old.owner].name).\(copied.old.name)"
        let selection = LinkSelection(
            from: links.fromWhere, owner: try newKey(of: links.owner, at: copied.owners),
            destination: try newKey(of: links.destination, at: copied.destinations), order: links.order,
            inverseOrder: links.inverseOrder, description: name,
            isSortedBySQLite: copied.old.storage == .joinTable && copied.owners.offset == 0
                && copied.destinations.offset == 0)
        return JoinTransfer(
            table: table, selections: [selection], renamedFrom: renamedFrom,
            orders: hasPolicies ? .countedLater : .copied)
    }

    /// The specification of a relationship by the mappings of the objects at one end.
    private enum Specification {
        case nothing
        /// All mappings copy this relationship of the sources.
        case copy(ResolvedRelationship)
        case other

        var isNothing: Bool { if case .nothing = self { true } else { false } }
    }

    private func copied(_ relationship: ResolvedRelationship) throws(MappedTransferError) -> CopiedRelationship? {
        let inverse = destination.model.inverse(of: relationship)
        if relationship.inverse != nil, inverse?.isStored != true { return nil }
        let own = try specification(relationship)
        let other = try inverse.map { (inverse) throws(MappedTransferError) in try specification(inverse) }
        let old: ResolvedRelationship
        switch (own, other) {
        case (.copy(let found), nil) where found.inverse == nil: old = found
        case (.copy(let found), .copy(let other)?) where other.key == found.inverse?.key: old = found
        case (.copy(let found), .nothing?) where inverse?.isOrdered == false && !relationship.isOneToOne: old = found
        case (.nothing, .copy(let other)?) where !relationship.isOrdered && !relationship.isOneToOne:
            guard let found = source.model.inverse(of: other) else { return nil }
            old = found
        default: return nil
        }
        guard relationship.isSelfInverse == old.isSelfInverse, old.isStored, old.isToMany == relationship.isToMany,
            old.inverse?.isToMany == relationship.inverse?.isToMany, old.inverse?.isTransient != true,
            let owners = try end(old.owner, of: relationship.owner),
            let destinations = try end(old.destination, of: relationship.destination)
        else { return nil }
        let copied = CopiedRelationship(old: old, owners: owners, destinations: destinations)
        guard owners.offset == nil || destinations.offset == nil else { return copied }
        // A link that only one end has in the source is completed, which takes the objects themselves.
        guard !relationship.isOneToOne, !relationship.isSelfInverse else { return nil }
        switch relationship.storage {
        case .joinTable:
            guard let table = destination.joinTable(of: relationship.key) else { return nil }
            // The lists of several sources become one in the order of all their places.
            return table.orderColumn == nil && table.inverseOrderColumn == nil ? copied : nil
        // Only one source of an object has its row. Its other sources have links too, which count if the objects at the
        // other end list them.
        case .toOne: return !owners.unites || other?.isNothing ?? true ? copied : nil
        case .inverseToOne: return !destinations.unites || own.isNothing ? copied : nil
        case .unidirectional: return destinations.unites ? nil : copied
        }
    }

    private func specification(_ relationship: ResolvedRelationship) throws(MappedTransferError) -> Specification {
        var result: Specification?
        for mapping in mappings where destination.model.isKind(mapping.destination, of: relationship.owner) {
            guard let (instances, place, property) = try instances(relationship, in: mapping) else {
                switch result {
                case nil, .nothing: result = .nothing
                default: return .other
                }
                continue
            }
            guard property.choice == nil, let old = try takenOver(relationship, in: mapping) else { return .other }
            switch result {
            case nil: result = .copy(old)
            case .copy(let other) where other.key == old.key: break
            default: return .other
            }
            let makers = try makers(instances, sources: old.destination, of: relationship, at: place)
            let possible = possibleMakers(old.destination, of: relationship.destination)
            guard Set(makers.map(\.name)) == Set(possible.map(\.name)) else { return .other }
        }
        return result ?? .nothing
    }

    /// Returns the mappings that create objects of an entity from objects of an entity of the source.
    private func possibleMakers(_ sources: Int, of entity: Int) -> [ResolvedEntityMapping] {
        mappings.filter {
            source.model.isKind($0.source, of: sources) && destination.model.isKind($0.destination, of: entity)
        }
    }

    /// Returns one end of a relationship.
    ///
    /// - Returns: nil if a source may become several objects, or if policies create them.
    private func end(_ sources: Int, of entity: Int) throws(MappedTransferError) -> CopiedRelationship.End? {
        let makers = possibleMakers(sources, of: entity)
        guard let first = makers.first, Set(makers.map(\.source)).count == makers.count,
            makers.allSatisfy({ $0.policy == nil }), source.table(ofEntity: sources) != nil
        else { return nil }
        let numbers = makers.map { (source.entityNumbers[$0.source], destination.entityNumbers[$0.destination]) }
        var conditions: [String] = []
        let unfiltered = makers.filter(expressions.isUnfiltered).map { "\(source.entityNumbers[$0.source])" }
        if !unfiltered.isEmpty { conditions.append("m.Z_ENT IN (\(unfiltered.joined(separator: ", ")))") }
        for maker in makers where !expressions.isUnfiltered(maker) {
            conditions.append("(\(try expressions.membership(maker, alias: "m")))")
        }
        return CopiedRelationship.End(
            table: expressions.schema.table(of: sources).name, numbers: numbers,
            condition: conditions.count == 1 ? conditions[0] : "(\(conditions.joined(separator: " OR ")))",
            offset: makers.allSatisfy { $0.keys == .offset(first.offset) } ? first.offset : nil, makers: makers)
    }
}
