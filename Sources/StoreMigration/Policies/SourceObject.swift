public import ManagedObjectModels
public import PersistentStores
import SQLiteAccess

/// An object of the store that is being migrated, for reading. It is reused: its values are valid until the hook
/// returns.
public final class SourceObject {
    let layout: SourceRecordLayout
    private let ownRow: PolicyRow
    /// Whether the row is one of those that were read ahead.
    let isAhead: Bool
    private unowned let run: PolicyRun
    /// The primary key, which remains when the row has moved on.
    @exclusivity(unchecked) var key: Int64 = 0
    /// Whether the row must still be looked up by its key.
    @exclusivity(unchecked) private var isBehind = false
    @exclusivity(unchecked) private var names: NameMemo
    private let attributes: [SourceRecordLayout.Attribute]

    /// - Parameters:
    ///   - layout: the places of the values in the row.
    ///   - row: the object's row, or a row that is looked up by its key after `move`.
    ///   - run: the run of the policies.
    init(_ layout: SourceRecordLayout, row: PolicyRow, run: PolicyRun) {
        self.layout = layout
        ownRow = row
        isAhead = row.ahead != nil
        self.run = run
        attributes = layout.attributes
        names = NameMemo(layout.attributeNames, layout.attributePositions)
    }

    /// The row with the object's values, which is looked up if necessary.
    var row: PolicyRow {
        get throws {
            try lookUp()
            return ownRow
        }
    }

    private func lookUp() throws {
        guard isBehind else { return }
        try ownRow.lookUp(key)
        isBehind = false
    }

    /// Moves to another object, whose row is looked up when it is needed.
    func move(to key: Int64) {
        self.key = key
        isBehind = true
    }

    /// Releases the row.
    func leave() {
        ownRow.leave()
        isBehind = true
    }

    /// The name of the object's entity.
    public var entityName: String { layout.entityName }

    /// The ID of the object in the store that is being migrated.
    public var objectID: ManagedObjectID {
        ManagedObjectID(storeUUID: run.program.storeUUID, entityName: layout.entityName, primaryKey: key)
    }

    /// The names of the stored attributes, sorted.
    public var attributeNames: [String] { layout.attributeNames }

    /// The names of the stored relationships, sorted.
    public var relationshipNames: [String] { layout.relationshipNames }

    /// Returns the value of an attribute; nil for NULL.
    /// - Throws: `PolicyError` if the entity has no such attribute; `SQLiteError` if the row cannot be read.
    public func value(_ name: String) throws -> AttributeValue? {
        let attribute = try attribute(name)
        let row = try row
        if row.isNull(attribute.column) { return nil }
        if attribute.isExternal { return .binary(try run.external.value(row, attribute.column, name: name, key: key)) }
        return try row.attributeValue(attribute.column, as: attribute.type)
    }

    /// Returns a text or URI; nil for NULL and for a value of another type.
    /// - Throws: `PolicyError` if the entity has no such attribute; `SQLiteError` if the row cannot be read.
    @_optimize(speed)
    public func string(_ name: String) throws -> String? {
        let column = try attribute(name).column
        try lookUp()
        return ownRow.text(column)
    }

    /// Returns an integer or boolean; nil for NULL and for a value of another type.
    /// - Throws: `PolicyError` if the entity has no such attribute; `SQLiteError` if the row cannot be read.
    @_optimize(speed)
    public func integer(_ name: String) throws -> Int64? {
        let column = try attribute(name).column
        try lookUp()
        return ownRow.storageClass(column) == .integer ? try ownRow.integer(column) : nil
    }

    /// Returns a number, or the seconds from 2001 to a date; nil for NULL and for a value of another type.
    /// - Throws: `PolicyError` if the entity has no such attribute; `SQLiteError` if the row cannot be read.
    @_optimize(speed)
    public func real(_ name: String) throws -> Double? {
        let column = try attribute(name).column
        try lookUp()
        return ownRow.number(column)
    }

    @_optimize(speed)
    private func attribute(_ name: String) throws(PolicyError) -> SourceRecordLayout.Attribute {
        guard let position = names.position(of: name) else {
            throw PolicyError("\(layout.entityName) has no stored attribute \"\(name)\"")
        }
        return attributes[position]
    }

    /// Returns the objects to which a relationship leads, in its order; at most one for a to-one relationship.
    /// - Throws: `PolicyError` if the entity does not store such a relationship; `SQLiteError` if the links cannot be
    ///   read.
    public func related(_ name: String) throws -> [ManagedObjectID] {
        if let reference = layout.references[name] {
            let row = try row
            guard !row.isNull(reference.column) else { return [] }
            let number = try reference.entityColumn.map { try row.integer($0) }
            let entity = number.flatMap { run.program.source.slot(ofEntityNumber: Int($0)) } ?? reference.destination
            return [run.sourceID(entity, try row.integer(reference.column))]
        }
        guard let collection = layout.collections[name] else {
            throw PolicyError("\(layout.entityName) has no stored relationship \"\(name)\"")
        }
        return try run.sourceIDs(collection.query, key)
    }
}
