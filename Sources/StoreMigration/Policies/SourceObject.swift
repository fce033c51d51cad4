public import ManagedObjectModels
public import PersistentStores
import SQLiteAccess

/// An object of the store that is migrated, for reading. It is reused: what it says holds until the hook returns.
public final class SourceObject {
    let layout: SourceRecordLayout
    private let ownRow: PolicyRow
    /// Whether the row is one of those that were read ahead.
    let isAhead: Bool
    private unowned let run: PolicyRun
    /// The primary key; it stays when the row has gone on.
    @exclusivity(unchecked) var key: Int64 = 0
    /// Whether the row has still to be looked up by its key.
    @exclusivity(unchecked) private var isBehind = false
    @exclusivity(unchecked) private var names: NameMemo
    private let attributes: [SourceRecordLayout.Attribute]

    /// - Parameter row: the object's row, or one that is looked up by the key after `move`.
    init(_ layout: SourceRecordLayout, row: PolicyRow, run: PolicyRun) {
        self.layout = layout
        ownRow = row
        isAhead = row.ahead != nil
        self.run = run
        attributes = layout.attributes
        names = NameMemo(layout.attributeNames, layout.attributePositions)
    }

    /// The row with the object's values.
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

    /// Makes it another object, whose row is looked up when somebody asks for it.
    func move(to key: Int64) {
        self.key = key
        isBehind = true
    }

    /// Lets go of the row.
    func leave() {
        ownRow.leave()
        isBehind = true
    }

    /// The name of the object's entity.
    public var entityName: String { layout.entityName }

    /// The ID of the object in the store that is migrated.
    public var objectID: ManagedObjectID {
        ManagedObjectID(storeUUID: run.program.storeUUID, entityName: layout.entityName, primaryKey: key)
    }

    /// The names of the stored attributes, sorted.
    public var attributeNames: [String] { layout.attributeNames }

    /// The names of the stored relationships, sorted.
    public var relationshipNames: [String] { layout.relationshipNames }

    /// An attribute's value; nil for NULL.
    /// - Throws: `PolicyError` for a name that the entity does not have; `SQLiteError` if the row cannot be read.
    public func value(_ name: String) throws -> AttributeValue? {
        let attribute = try attribute(name)
        let row = try row
        if row.isNull(attribute.column) { return nil }
        if attribute.isExternal { return .binary(try run.external.value(row, attribute.column, name: name, key: key)) }
        return try row.attributeValue(attribute.column, as: attribute.type)
    }

    /// A text or URI; nil for NULL and for a value of another type.
    /// - Throws: `PolicyError` for a name that the entity does not have; `SQLiteError` if the row cannot be read.
    @_optimize(speed)
    public func string(_ name: String) throws -> String? {
        let column = try attribute(name).column
        try lookUp()
        return ownRow.text(column)
    }

    /// An integer or boolean; nil for NULL and for a value of another type.
    /// - Throws: `PolicyError` for a name that the entity does not have; `SQLiteError` if the row cannot be read.
    @_optimize(speed)
    public func integer(_ name: String) throws -> Int64? {
        let column = try attribute(name).column
        try lookUp()
        return ownRow.storageClass(column) == .integer ? try ownRow.integer(column) : nil
    }

    /// A number, or the seconds of a date since 2001; nil for NULL and for a value of another type.
    /// - Throws: `PolicyError` for a name that the entity does not have; `SQLiteError` if the row cannot be read.
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

    /// The objects that a relationship leads to, in its order; one at the most for a to-one.
    /// - Throws: `PolicyError` for a relationship that the entity does not store; `SQLiteError` if the links cannot be
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
