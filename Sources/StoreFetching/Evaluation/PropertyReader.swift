import ManagedObjectModels
import PersistentStores
import PredicateExpressions
import SQLiteAccess

/// Reads the properties of single objects, for expressions that Swift evaluates.
///
/// An object is given by its root entity's slot and its primary key. One prepared statement is kept per property.
final class PropertyReader {
    /// nil after the fetch has ended, because the connection's functions retain this reader.
    private var connection: Connection?
    private let layout: StoreLayout
    let externalData: ExternalDataReader
    private var properties: [PropertyName: StoredProperty] = [:]

    /// The error of a failed evaluation, of which SQLite would return only the message.
    var failure: (any Error)?

    private struct PropertyName: Hashable {
        let root: Int32
        let name: String
    }

    init(connection: Connection, layout: StoreLayout, externalData: ExternalDataReader) {
        self.connection = connection
        self.layout = layout
        self.externalData = externalData
    }

    /// Releases the connection and its statements.
    func close() {
        properties = [:]
        connection = nil
    }

    func reference(_ entity: Int, _ key: Int64) -> ObjectReference {
        ObjectReference(entity: Int32(truncatingIfNeeded: layout.model.entities[entity].root), key: key)
    }

    /// Returns the value of a property; NULL if the object does not exist, or its entity has no such property.
    func value(_ name: String, of object: ObjectReference) throws -> ExpressionValue {
        let key = PropertyName(root: object.entity, name: name)
        let property: StoredProperty
        if let known = properties[key] {
            property = known
        } else {
            property = try stored(name, ofRoot: Int(object.entity))
            properties[key] = property
        }
        return try value(property, of: object)
    }

    private func value(_ property: StoredProperty, of object: ObjectReference) throws -> ExpressionValue {
        switch property {
        case .none: return .null
        case .attribute(let statement, let kind, let isExternal):
            return try withRow(statement, object) { statement in
                let value = statement.value(0)
                guard isExternal, let bytes = value.blob else { return ExpressionValue(stored: value, kind: kind) }
                return .data(try externalData.bytes(of: bytes))
            } ?? .null
        case .toOne(let statement, let destination):
            return try withRow(statement, object) { statement in
                statement.isNull(0) ? .null : .object(reference(destination, statement.integer(0)))
            } ?? .null
        case .toMany(let statement, let destination):
            defer { statement.reset() }
            try statement.bind([.integer(object.key)])
            var objects: [ExpressionValue] = []
            while try statement.step() {
                objects.append(.object(reference(destination, statement.integer(0))))
            }
            return .array(objects)
        case .byEntity(let statement, let properties):
            guard let number = try withRow(statement, object, { $0.integer(0) }),
                let property = properties[Int(truncatingIfNeeded: number)]
            else { return .null }
            return try value(property, of: object)
        }
    }

    private func withRow<Result>(
        _ statement: Statement, _ object: ObjectReference, _ read: (Statement) throws -> Result
    ) throws -> Result? {
        defer { statement.reset() }
        try statement.bind([.integer(object.key)])
        return try statement.step() ? try read(statement) : nil
    }

    // MARK: Statements

    /// Returns how a property is stored. If subentities have unrelated properties with the same name, it depends on the
    /// object's entity.
    private func stored(_ name: String, ofRoot root: Int) throws -> StoredProperty {
        let model = layout.model
        var owners: [PropertyKey: [Int]] = [:]
        for slot in model.entities[root].subtree {
            if let key = model.entities[slot].attribute(named: name)?.key
                ?? model.entities[slot].relationship(named: name)?.key
            {
                owners[key, default: []].append(slot)
            }
        }
        guard owners.count > 1 else {
            return try owners.first.map { try statement(name, of: $0.key.owner) } ?? .none
        }
        var properties: [Int: StoredProperty] = [:]
        for (key, slots) in owners {
            let property = try statement(name, of: key.owner)
            for slot in slots { properties[layout.entityNumbers[slot]] = property }
        }
        return .byEntity(try prepared("Z_ENT", of: root), properties)
    }

    private func statement(_ name: String, of slot: Int) throws -> StoredProperty {
        let entity = layout.model.entities[slot]
        if let attribute = entity.attribute(named: name) {
            guard attribute.isStored, let column = layout.column(.attribute(attribute.key)) else { return .none }
            return .attribute(
                try prepared(SQLiteIdentifier.quoted(column.name), of: slot),
                StoreSQLSchema.kind(of: attribute.type) ?? .data,
                isExternal: attribute.description.hasExternalData)
        }
        guard let relationship = entity.relationship(named: name), relationship.isStored else { return .none }
        if !relationship.isToMany {
            guard let column = layout.column(.toOne(relationship.key)) else { return .none }
            return .toOne(try prepared(SQLiteIdentifier.quoted(column.name), of: slot), relationship.destination)
        }
        guard let links = RelationshipLinks(relationship, in: layout) else { return .none }
        return .toMany(try prepared(links.select("Z_PK", of: "?1")), relationship.destination)
    }

    private func prepared(_ column: String, of slot: Int) throws -> Statement {
        let table = SQLiteIdentifier.quoted(layout.table(ofEntity: slot)?.name ?? "")
        return try prepared("SELECT \(column) FROM \(table) WHERE Z_PK = ?1")
    }

    private func prepared(_ sql: String) throws -> Statement {
        guard let connection else { throw EvaluationFault(.unsupported, "the fetch is over") }
        return try connection.prepare(sql, persistent: true)
    }
}

/// How a property is read.
indirect enum StoredProperty {
    case none
    case attribute(Statement, SQLValueKind, isExternal: Bool)
    case toOne(Statement, Int)
    case toMany(Statement, Int)
    /// Depends on the entity number, which the statement returns.
    case byEntity(Statement, [Int: StoredProperty])
}
