import ManagedObjectModels
import PersistentStores
import SQLiteAccess

/// Finds the objects of the destination that have the same keys as the source's.
struct MergeKeys {
    /// The attributes that identify the objects of an entity.
    private struct Key {
        let attributes: [ResolvedAttribute]
        /// Whether they form a uniqueness constraint, for which the destination's table has an index.
        let isConstraint: Bool
    }

    private let selection: MergeSelection
    private let destination: StoreLayout
    private let onMatch: MergeOptions.OnMatch
    private let limit: Int
    private let storeUUID: String
    /// The keys, by slot.
    private var keys: [Int: Key] = [:]

    /// - Parameter storeUUID: the UUID of the source, for the URIs in faults.
    init(
        _ selection: MergeSelection, into destination: StoreLayout, _ options: MergeOptions, limit: Int,
        storeUUID: String
    ) throws {
        self.selection = selection
        self.destination = destination
        self.limit = limit
        self.storeUUID = storeUUID
        onMatch = options.onMatch
        let model = selection.source.model
        for name in options.keys.keys.sorted() where model.entity(named: name) == nil {
            throw MergeError.unknownEntity(name)
        }
        for entity in model.entities where !entity.isAbstract {
            keys[entity.slot] = try Self.key(of: entity, in: model, options)
        }
    }

    /// Returns the key of the nearest entity that has one: as given in the options, or its first uniqueness constraint.
    private static func key(
        of entity: ResolvedEntity, in model: ResolvedModel, _ options: MergeOptions
    ) throws -> Key? {
        let constraints = model.uniquenessConstraints(of: entity.slot)
        var next: Int? = entity.slot
        while let slot = next {
            let ancestor = model.entities[slot]
            let asked = options.keys[ancestor.name]
            if let names = asked ?? constraints.first(where: { $0.entity == slot })?.properties {
                let attributes = try names.map { name throws(MergeError) in
                    guard let attribute = ancestor.attribute(named: name) else {
                        throw .unknownProperty(name, of: ancestor.name)
                    }
                    guard attribute.isStored, !attribute.isDerived,
                        !attribute.description.hasExternalData
                    else { throw .unusableKey(name, of: ancestor.name) }
                    return attribute
                }
                return Key(attributes: attributes, isConstraint: asked == nil)
            }
            next = ancestor.superentity
        }
        return nil
    }

    func hasKey(_ slot: Int) -> Bool { keys[slot] != nil }

    /// Sets the destination's key and the state of all objects: those without a counterpart are inserted.
    ///
    /// - Returns: faults for duplicate keys, and for matching objects if those are an error.
    func match() throws -> [EditFault] {
        let connection = selection.connection
        var faults: [EditFault] = []
        for (slot, key) in keys.sorted(by: { $0.key < $1.key }) { faults += try match(slot, key) }
        let state = onMatch == .update ? MergeSelection.State.updated : .skipped
        try connection.execute(
            "UPDATE \(MergeSelection.table) SET state = iif(d IS NULL, \(MergeSelection.State.inserted.rawValue), "
                + "\(state.rawValue)) WHERE state IS NULL; "
                + "DELETE FROM \(MergeSelection.table) WHERE state = \(MergeSelection.State.referenced.rawValue) "
                + "AND d IS NULL")
        return faults
    }

    private func match(_ slot: Int, _ key: Key) throws -> [EditFault] {
        let connection = selection.connection
        let layout = selection.source
        guard let table = layout.table(ofEntity: slot), let target = destination.table(ofEntity: slot) else {
            return []
        }
        let number = layout.entityNumbers[slot]
        let own = "root = \(table.root) AND number = \(number)"
        guard try connection.value("SELECT 1 FROM \(MergeSelection.table) WHERE \(own) LIMIT 1") != .null else {
            return []
        }
        func columns(_ layout: StoreLayout) -> [String] {
            key.attributes.compactMap { layout.column(.attribute($0.key)).map { SQLiteIdentifier.quoted($0.name) } }
        }
        let (from, to) = (columns(layout), columns(destination))
        guard from.count == key.attributes.count, to.count == from.count else { return [] }
        let targetName = "main.\(SQLiteIdentifier.quoted(target.name))"
        let targetNumber = "Z_ENT = \(destination.entityNumbers[slot])"
        var place = targetName
        if !key.isConstraint {
            // Only an index makes the search for each key fast.
            try connection.execute(
                "CREATE TEMP TABLE ferry_keys AS SELECT Z_PK, Z_ENT, \(to.joined(separator: ", ")) FROM \(targetName) "
                    + "WHERE \(targetNumber); "
                    + "CREATE INDEX temp.ferry_keys_values ON ferry_keys (\(to.joined(separator: ", ")))")
            place = "temp.ferry_keys"
        }
        let isEqual = zip(to, from).map { "t.\($0) = o.\($1)" }.joined(separator: " AND ")
        let counterparts = "\(selection.name(table)) o CROSS JOIN \(place) t ON \(isEqual) AND t.\(targetNumber)"
        try connection.execute(
            "UPDATE \(MergeSelection.table) AS m SET d = (SELECT min(t.Z_PK) FROM \(counterparts) WHERE o.Z_PK = m.s) "
                + "WHERE \(own)")
        let name = key.attributes.map(\.name).joined(separator: ",")
        let matched = "FROM \(MergeSelection.table) m WHERE \(own)"
        var faults: [EditFault] = []
        func add(_ message: String, _ condition: String) throws {
            let rows = try connection.rows(
                "SELECT m.s, count(*) OVER () \(matched) AND \(condition) ORDER BY m.s LIMIT \(max(1, limit))")
            guard let count = rows.first?[1].integer else { return }
            let entity = layout.model.entities[slot].name
            faults.append(
                EditFault(
                    code: 133021, entity: entity, property: name, message: message, count: count,
                    objects: rows.prefix(limit).map {
                        ManagedObjectID(storeUUID: storeUUID, entityName: entity, primaryKey: $0[0].integer ?? 0).uri
                    }))
        }
        try add(
            "several objects of the destination have this key",
            "(SELECT count(*) FROM \(counterparts) WHERE o.Z_PK = m.s) > 1")
        let list = from.map { "o.\($0)" }.joined(separator: ", ")
        let isThere = from.map { "o.\($0) NOT NULL" }.joined(separator: " AND ")
        try add(
            "several objects to merge have this key",
            "m.state IS NULL AND m.s IN (SELECT k FROM (SELECT o.Z_PK AS k, count(*) OVER (PARTITION BY \(list)) AS n "
                + "FROM \(MergeSelection.table) a CROSS JOIN \(selection.name(table)) o ON o.Z_PK = a.s "
                + "WHERE a.root = \(table.root) AND a.number = \(number) AND a.state IS NULL AND \(isThere)) WHERE n > 1)"
        )
        if onMatch == .error {
            try add("the destination has an object with this key", "m.state IS NULL AND m.d NOT NULL")
        }
        if !key.isConstraint { try connection.execute("DROP TABLE temp.ferry_keys") }
        return faults
    }
}
