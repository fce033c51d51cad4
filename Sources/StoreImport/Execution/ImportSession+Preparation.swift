import ImportMappings
import ManagedObjectModels
import PersistentStores
import SQLiteAccess

/// The preparations before the first record is imported.
extension ImportSession {
    /// Prepares the look-ups of keys. An entity without objects needs none until a key is repeated; others need an
    /// index on their key.
    func prepareKeys() throws {
        let keyed = entities.count(where: \.object.hasKey)
        let targets = entities.flatMap(\.relationships).map(\.compiled.target)
        /// The roots of objects that may be created because a record names a key that no object has.
        let created = Set(
            targets.compactMap { target in
                if case .key(let key) = target, key.missing == .create {
                    layout.model.entities[resolvers[key.resolver].slot].root
                } else {
                    nil
                }
            })
        // An object that is created because a record refers to it must be refused when it is created, not when the
        // indexes are created at the end.
        for case .key(let target) in targets where target.clash != .none {
            let resolver = resolvers[target.resolver]
            try indexes.createUniqueIndexes(
                on: resolver.entityTable.name, except: target.clash == .key ? [] : resolver.key.ownColumns)
        }
        for entity in entities {
            let object = entity.object
            let columns = object.keyColumns
            try indexes.createUniqueIndexes(on: object.table.name, except: columns)
            guard object.hasKey else { continue }
            let isEmpty =
                try connection.value("SELECT 1 FROM \(SQLiteIdentifier.quoted(object.table.name)) LIMIT 1") == .null
            if isEmpty, scope.objectCounts[object.table.root] == 1, !created.contains(object.table.root) {
                let limits = options.fixedLimits
                entity.keyHistory = KeyHistory(limits.keys.sharing(limits.filterBytes, among: keyed))
            } else {
                try indexes.require(columns, of: object.table.name)
                entity.writer.isKeyUnique = try indexes.isUnique(columns, of: object.table.name)
            }
        }
    }

    /// Begins to note the changed rows in the tables of objects with a key, so that the other rows can be read from
    /// pages.
    func prepareEarlierRows() throws(SQLiteError) {
        let keyed = entities.filter(\.object.hasKey)
        let tables = Dictionary(
            keyed.map { ($0.object.table.name, keys.firstNewKey(inTableOf: $0.object.table.root) - 1) },
            uniquingKeysWith: { first, _ in first })
        let names = tables.sorted { $0.key < $1.key }.map { (name: $0.key, last: $0.value) }
        guard let rows = try EarlierRows(names, connection, options.fixedLimits) else { return }
        for entity in keyed {
            entity.earlier = rows.place(of: entity.object.table.name).map { EarlierObjects(rows, table: $0) }
        }
    }

    private func linkWriter(_ place: LinkPlace) throws(SQLiteError) -> LinkWriter {
        let order = try place.order.map { order throws(SQLiteError) in
            try places.keys(table: place.table, order: order, key: place.owner)
        }
        let inverseOrder = try place.inverseOrder.map { order throws(SQLiteError) in
            try places.keys(table: place.table, order: order, key: place.destination)
        }
        return try LinkWriter(place, connection: connection, order: order, inverseOrder: inverseOrder)
    }

    /// Creates the writers of all relationships that the mappings contain.
    func prepareLinks() throws {
        var replacements: [LinkReplacement] = []
        for entity in entities {
            let object = entity.object
            for (slot, relationship) in entity.relationships.enumerated() {
                relationship.number = links.number(of: relationship.compiled.relationship, in: object)
                guard let place = LinkPlace(relationship.compiled.relationship, layout: layout) else { continue }
                relationship.writer = try linkWriter(place)
                guard slot >= object.toOnes.count else { continue }
                // If several mappings contain a relationship, the last record counts, no matter to which mapping it
                // belongs.
                let key = relationship.compiled.relationship.key
                let mapped = entities.flatMap { other in
                    other.object.toManys.filter { $0.relationship.key == key }.map { (other.object, $0) }
                }
                relationship.isInTurn = mapped.contains { object, _ in object.onMatch == .fill }
                if let known = replacements.first(where: { $0.relationship == key }) {
                    relationship.replacement = known
                    continue
                }
                let made = try LinkReplacement(
                    place, of: key, replaces: mapped.contains { !$1.adds }, adds: mapped.contains { $1.adds },
                    connection: connection, schema: schema, name: "\(entity.source.index)_\(entity.index)_\(slot)")
                relationship.replacement = made
                made.isTwoSided = place.order != nil && isTwoSided(relationship.compiled.relationship)
                replacements.append(made)
            }
        }
    }

    /// Returns whether both directions of a many-to-many relationship are mapped as lists, and are different
    /// relationships.
    private func isTwoSided(_ relationship: ResolvedRelationship) -> Bool {
        guard let inverse = relationship.inverse, inverse.key != relationship.key else { return false }
        return entities.contains { $0.object.toManys.contains { $0.relationship.key == inverse.key } }
    }

    /// Creates the writers of the other sides of to-one relationships.
    func prepareInverses() throws {
        let waiting = waitingRelationships
        for entity in entities {
            for relationship in entity.relationships.prefix(entity.object.toOnes.count) {
                relationship.inverse = try InverseWriter(
                    relationship.compiled.relationship, connection: connection, layout: layout, indexes: indexes
                ) { table, order, key throws(SQLiteError) in
                    try places.arrivals(of: relationship.number, table: table, order: order, key: key)
                }
            }
        }
        shareLinks()
        for entity in entities {
            for (position, relationship) in entity.relationships.prefix(entity.object.toOnes.count).enumerated() {
                guard let writer = relationship.inverse, let inverse = relationship.compiled.relationship.inverse else {
                    continue
                }
                unproven?.oneToOnes.add(writer, of: relationship.number)
                writer.tellsFormerOwner = links.number(of: inverse.key) != nil
                // A uniqueness constraint would refuse an object that is written with a destination which another
                // object still has.
                if writer.isOneToOne,
                    relationship.isUnique || waiting.contains(relationship.compiled.relationship.key),
                    !entity.object.keyRelationships.contains(position)
                {
                    relationship.waits = relationship.compiled.isKeyed
                    relationship.waitsInPlace = !relationship.compiled.isKeyed
                }
            }
        }
    }

    /// Makes all links wait that several mappings set for a one-to-many relationship.
    private func shareLinks() {
        let objects = entities.map(\.object)
        let shared = entities.flatMap { entity in
            entity.relationships.enumerated().compactMap { position, relationship in
                relationship.compiled.isShared(among: objects, in: layout)
                    && !entity.object.keyRelationships.contains(position) ? relationship : nil
            }
        }
        for relationship in shared {
            relationship.isShared = true
            let keys = [relationship.compiled.relationship.key, relationship.compiled.relationship.inverse?.key]
            relationship.waitsInPlace =
                !relationship.compiled.isKeyed
                && objects.contains { object in
                    object.onMatch == .fill
                        && (object.toOnes + object.toManys).contains { keys.contains($0.relationship.key) }
                }
            relationship.replacement?.isShared = true
            relationship.inverse?.arrivals?.keepsPlaces = false
            guard !relationship.compiled.relationship.isToMany else { continue }
            relationship.waits = relationship.compiled.isKeyed
            relationship.sharedLists =
                shared.first { other in
                    other.compiled.relationship.key == relationship.compiled.relationship.inverse?.key
                        && other.replacement?.replaces ?? false
                }?.replacement
        }
    }

    /// The to-one relationships whose links may wait, with their inverses: those that may lead to objects of later
    /// records, that belong to records which may be revoked, or that only fill empty relationships.
    var waitingRelationships: Set<PropertyKey> {
        var found: Set<PropertyKey> = []
        for entity in entities {
            let firstFile = scope.files.firstIndex(of: entity.source.index) ?? 0
            for relationship in entity.object.toOnes {
                let waits =
                    if case .key(let target) = relationship.target {
                        obligations.mayOpen.contains(true) || entity.object.onMatch == .fill
                            || scope.lastFiles[target.slot].map { $0 >= firstFile } ?? false
                    } else {
                        entity.object.onMatch == .fill
                            && InverseWriter.isOneToOne(relationship.relationship, layout: layout)
                    }
                guard waits else { continue }
                found.insert(relationship.relationship.key)
                if let inverse = relationship.relationship.inverse { found.insert(inverse.key) }
            }
        }
        return found
    }
}
