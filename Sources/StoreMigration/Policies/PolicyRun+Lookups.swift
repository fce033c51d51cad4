import ManagedObjectModels
import PersistentStores
import SQLiteAccess

/// The queries of policies.
extension PolicyRun {
    func sourceID(_ slot: Int, _ key: Int64) -> ManagedObjectID {
        ManagedObjectID(
            storeUUID: program.storeUUID, entityName: program.source.model.entities[slot].name, primaryKey: key)
    }

    func destinationID(_ slot: Int, _ key: Int64) -> ManagedObjectID {
        ManagedObjectID(
            storeUUID: program.storeUUID, entityName: program.destination.model.entities[slot].name, primaryKey: key)
    }

    /// Returns the source objects that a query of keys and entity numbers finds for a key.
    func sourceIDs(_ query: String, _ key: Int64) throws -> [ManagedObjectID] {
        let statement = try statement(query)
        defer { statement.reset() }
        try statement.bindInteger(key, at: 1)
        var result: [ManagedObjectID] = []
        while try statement.step() {
            guard let slot = program.source.slot(ofEntityNumber: Int(statement.integer(1))) else { continue }
            result.append(sourceID(slot, statement.integer(0)))
        }
        return result
    }

    func destinationObjects(of id: ManagedObjectID, _ mappingName: String?) throws -> [ManagedObjectID] {
        try flush()
        try needFile()
        let slot = try slot(of: id, in: program.source, "the old")
        var result: Set<ManagedObjectID> = []
        for association in try associations(mappingName)
        where program.source.model.isKind(association.source, of: slot)
            || program.source.model.isKind(slot, of: association.source)
        {
            let statement = try pairStatement(association.forward)
            defer { statement.reset() }
            try statement.bindInteger(id.primaryKey, at: 1)
            while try statement.step() {
                guard !statement.isNull(0) else { continue }
                let entity =
                    program.destination.slot(ofEntityNumber: Int(statement.integer(1))) ?? association.destination
                result.insert(destinationID(entity, statement.integer(0)))
            }
        }
        return result.sorted { ($0.entityName, $0.primaryKey) < ($1.entityName, $1.primaryKey) }
    }

    func sourceObjects(of id: ManagedObjectID, _ mappingName: String?) throws -> [ManagedObjectID] {
        try flush()
        try needFile()
        let slot = try slot(of: id, in: program.destination, "the new")
        let root = program.destination.model.entities[slot].root
        var result: Set<ManagedObjectID> = []
        for association in try associations(mappingName)
        where program.destination.model.entities[association.destination].root == root {
            if let table = association.table { try needIndex(on: table, ["destination"], pairs) }
            let statement = try pairStatement(association.backward)
            defer { statement.reset() }
            try statement.bindInteger(id.primaryKey, at: 1)
            while try statement.step() {
                result.insert(sourceID(association.source, statement.integer(0)))
            }
        }
        return result.sorted { ($0.entityName, $0.primaryKey) < ($1.entityName, $1.primaryKey) }
    }

    private func associations(_ mappingName: String?) throws(PolicyError) -> [PolicyProgram.Association] {
        guard let mappingName else { return program.associations }
        let found = program.associations.filter { $0.mapping == mappingName }
        guard !found.isEmpty else { throw PolicyError("there is no entity mapping \"\(mappingName)\"") }
        return found
    }

    func slot(of id: ManagedObjectID, in layout: StoreLayout, _ which: String) throws(PolicyError) -> Int {
        guard id.storeUUID.uppercased() == program.storeUUID.uppercased() else {
            throw PolicyError("\(id.uri) is an object of another store")
        }
        guard let slot = layout.model.slot(named: id.entityName) else {
            throw PolicyError("\(id.uri): \(which) model has no entity \"\(id.entityName)\"")
        }
        return slot
    }

    func sourceObject(_ id: ManagedObjectID) throws -> SourceObject? {
        let slot = try slot(of: id, in: program.source, "the old")
        guard let table = program.source.table(ofEntity: slot) else { return nil }
        func find(_ slot: Int) throws -> SourceObject? {
            let layout = record(of: slot)
            let statement = try statement(
                "SELECT \(layout.columns.joined(separator: ", ")), s.Z_ENT FROM \(program.naming.name(table.name)) s WHERE s.Z_PK = ?1"
            )
            statement.reset()
            try statement.bindInteger(id.primaryKey, at: 1)
            guard try statement.step() else { return nil }
            let actual = program.source.slot(ofEntityNumber: Int(statement.integer(Int32(layout.columns.count))))
            guard let actual, program.source.model.isKind(actual, of: slot) else { return nil }
            guard actual == slot else { return try find(actual) }
            let object = SourceObject(layout, row: PolicyRow(statement), run: self)
            object.key = id.primaryKey
            return object
        }
        return try find(slot)
    }

    func destinationObject(_ id: ManagedObjectID) throws -> DestinationObject? {
        try flushObjects(of: nil)
        try needFile()
        let slot = try slot(of: id, in: program.destination, "the new")
        guard let table = program.destination.table(ofEntity: slot) else { return nil }
        let statement = try statement("SELECT Z_ENT FROM main.\(SQLiteIdentifier.quoted(table.name)) WHERE Z_PK = ?1")
        defer { statement.reset() }
        try statement.bindInteger(id.primaryKey, at: 1)
        guard try statement.step() else { return nil }
        return try written(id.primaryKey, number: statement.integer(0), kindOf: slot)
    }

    /// Returns an object whose row has been written; nil if it does not belong to the entity or a subentity.
    func written(_ key: Int64, number: Int64, kindOf slot: Int) throws -> DestinationObject? {
        guard let actual = program.destination.slot(ofEntityNumber: Int(number)),
            program.destination.model.isKind(actual, of: slot)
        else { return nil }
        let object = DestinationObject(try writer(actual), key: key, row: nil, run: self)
        object.isWritten = true
        return object
    }

    func find(_ entityName: String, _ values: [String: AttributeValue?]) throws -> DestinationObject? {
        try flushObjects(of: nil)
        try needFile()
        guard let slot = program.destination.model.slot(named: entityName) else {
            throw PolicyError("the new model has no entity \"\(entityName)\"")
        }
        guard !values.isEmpty else { throw PolicyError("to find an object of \(entityName), name an attribute") }
        let writer = try writer(slot)
        let names = values.keys.sorted()
        var columns: [String] = []
        var stored: [SQLiteValue] = []
        for name in names {
            let (index, attribute) = try writer.column(name)
            columns.append(writer.columns[index])
            stored.append(try DestinationValue.stored(values[name] ?? nil, as: DestinationTarget(attribute)))
        }
        try needIndex(on: writer.table, columns.map(Self.unquoted), connection)
        let numbers = program.destination.model.entities[slot].subtree.map {
            "\(program.destination.entityNumbers[$0])"
        }
        let statement = try statement(
            "SELECT Z_PK, Z_ENT FROM main.\(SQLiteIdentifier.bare(writer.table)) WHERE "
                + columns.enumerated().map { "\($1) IS ?\($0 + 1)" }.joined(separator: " AND ")
                + " AND Z_ENT IN (\(numbers.joined(separator: ", "))) ORDER BY Z_PK LIMIT 1")
        defer { statement.reset() }
        for (index, value) in stored.enumerated() { try statement.bind(value, at: Int32(index + 1)) }
        guard try statement.step() else { return nil }
        return try written(statement.integer(0), number: statement.integer(1), kindOf: slot)
    }

    private static func unquoted(_ column: String) -> String {
        column.hasPrefix("\"") ? String(column.dropFirst().dropLast()).replacing("\"\"", with: "\"") : column
    }

    /// Returns an attribute's value in an object: the value that was set, or else the value in the row.
    func attributeValue(
        _ value: SQLiteValue?, of attribute: ResolvedAttribute, column: String, in table: String, key: Int64
    ) throws -> AttributeValue? {
        let statement: Statement
        if let value {
            statement = try self.statement("SELECT ?1")
            statement.reset()
            try statement.bind(value, at: 1)
        } else {
            try needFile()
            statement = try self.statement("SELECT \(column) FROM main.\(SQLiteIdentifier.bare(table)) WHERE Z_PK = ?1")
            statement.reset()
            try statement.bindInteger(key, at: 1)
        }
        defer { statement.reset() }
        guard try statement.step(), !statement.isNull(0) else { return nil }
        if attribute.description.hasExternalData {
            return .binary(try external.value(statement, 0, name: column, key: key))
        }
        return statement.attributeValue(0, as: attribute.type)
    }
}
