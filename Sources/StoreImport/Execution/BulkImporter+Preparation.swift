import ManagedObjectModels
import PersistentStores
import SQLiteAccess

/// What an importer makes ready before the first record.
extension BulkImporter {
    /// An entity without objects needs no look-ups until a key comes twice; others need an index on their key.
    func prepareKeys() throws {
        let keyed = sources.flatMap(\.objects).filter(\.hasKey).count
        let targets = sources.flatMap(\.objects).flatMap { $0.toOnes + $0.toManys }.map(\.target)
        /// The roots of objects that are made of keys that no object has.
        let created = Set(
            targets.compactMap { target in
                if case .key(let key) = target, key.missing == .create {
                    layout.model.entities[resolvers[key.resolver].slot].root
                } else {
                    nil
                }
            })
        for (sourceIndex, source) in sources.enumerated() {
            var filters: [KeyHistory?] = []
            for (objectIndex, object) in source.objects.enumerated() {
                let columns = writers[sourceIndex][objectIndex].keyColumns
                try indexes.createUniqueIndexes(on: object.table.name, except: columns)
                let isEmpty =
                    try connection.value("SELECT 1 FROM \(SQLiteIdentifier.quoted(object.table.name)) LIMIT 1") == .null
                if object.hasKey, isEmpty, objectCounts[object.table.root] == 1,
                    !created.contains(object.table.root)
                {
                    let limits = options.fixedLimits
                    filters.append(KeyHistory(limits.keys.sharing(limits.filterBytes, among: keyed)))
                } else {
                    filters.append(nil)
                    if object.hasKey {
                        try indexes.require(columns, of: object.table.name)
                        writers[sourceIndex][objectIndex].isKeyUnique = try indexes.isUnique(
                            columns, of: object.table.name)
                    }
                }
            }
            freshness.append(filters)
        }
    }

    private func linkWriter(_ place: LinkPlace) throws(SQLiteError) -> LinkWriter {
        let order = try place.order.map { order throws(SQLiteError) in
            try orderKeys(table: place.table, order: order, key: place.owner)
        }
        let inverseOrder = try place.inverseOrder.map { order throws(SQLiteError) in
            try orderKeys(table: place.table, order: order, key: place.destination)
        }
        return try LinkWriter(place, connection: connection, order: order, inverseOrder: inverseOrder)
    }

    /// Makes the writers of all relationships that the mappings have.
    func prepareLinks() throws {
        for (sourceIndex, source) in sources.enumerated() {
            var writers: [[LinkWriter?]] = []
            var replacements: [[LinkReplacement?]] = []
            for (index, object) in source.objects.enumerated() {
                let relationships = object.toOnes + object.toManys
                let places = relationships.map { LinkPlace($0.relationship, layout: layout) }
                writers.append(try places.map { try $0.map { try linkWriter($0) } })
                for relationship in object.toOnes where toOneNumbers[relationship.relationship.key] == nil {
                    toOneNumbers[relationship.relationship.key] = Int64(toOneNumbers.count)
                }
                replacements.append(
                    try relationships.indices.map { slot in
                        guard slot >= object.toOnes.count, let place = places[slot] else { return nil }
                        return try LinkReplacement(
                            place, replaces: !relationships[slot].adds, connection: connection, schema: schema,
                            name: "\(sourceIndex)_\(index)_\(slot)")
                    })
            }
            linkWriters.append(writers)
            self.replacements.append(replacements)
        }
    }
}
