public import ManagedObjectModels
public import PersistentStores
import SQLiteAccess

/// An object of the store that is migrated, for reading. It is reused: what it says holds until the hook returns.
public final class SourceObject {
    let layout: SourceRecordLayout
    let row: Statement
    private unowned let run: PolicyRun
    /// The primary key; it stays when the row has gone on.
    var key: Int64 = 0

    init(_ layout: SourceRecordLayout, row: Statement, run: PolicyRun) {
        self.layout = layout
        self.row = row
        self.run = run
    }

    public var entityName: String { layout.entityName }

    public var objectID: ManagedObjectID {
        ManagedObjectID(storeUUID: run.program.storeUUID, entityName: layout.entityName, primaryKey: key)
    }

    /// The names of the stored attributes, sorted.
    public var attributeNames: [String] { layout.attributes.keys.sorted() }

    /// The names of the stored relationships, sorted.
    public var relationshipNames: [String] { (Array(layout.references.keys) + layout.collections.keys).sorted() }

    /// An attribute's value; nil for NULL. Throws `PolicyError` for a name that the entity does not have.
    public func value(_ name: String) throws -> AttributeValue? {
        let attribute = try attribute(name)
        if row.isNull(attribute.column) { return nil }
        if attribute.isExternal { return .binary(try run.external.value(row, attribute.column, name: name, key: key)) }
        return row.attributeValue(attribute.column, as: attribute.type)
    }

    /// A text or URI; nil for NULL and for a value of another type.
    public func string(_ name: String) throws -> String? {
        let column = try attribute(name).column
        return row.storageClass(column) == .text ? row.string(column) : nil
    }

    /// An integer or boolean; nil for NULL and for a value of another type.
    public func integer(_ name: String) throws -> Int64? {
        let column = try attribute(name).column
        return row.storageClass(column) == .integer ? row.integer(column) : nil
    }

    /// A number, or the seconds of a date since 2001; nil for NULL and for a value of another type.
    public func real(_ name: String) throws -> Double? {
        let column = try attribute(name).column
        switch row.storageClass(column) {
        case .integer, .real: return row.real(column)
        default: return nil
        }
    }

    private func attribute(_ name: String) throws(PolicyError) -> SourceRecordLayout.Attribute {
        guard let attribute = layout.attributes[name] else {
            throw PolicyError("\(layout.entityName) has no stored attribute \"\(name)\"")
        }
        return attribute
    }

    /// The objects that a relationship leads to, in its order; one at the most for a to-one.
    public func related(_ name: String) throws -> [ManagedObjectID] {
        if let reference = layout.references[name] {
            guard !row.isNull(reference.column) else { return [] }
            let number = reference.entityColumn.map { row.integer($0) }
            let entity = number.flatMap { run.program.source.slot(ofEntityNumber: Int($0)) } ?? reference.destination
            return [run.sourceID(entity, row.integer(reference.column))]
        }
        guard let collection = layout.collections[name] else {
            throw PolicyError("\(layout.entityName) has no stored relationship \"\(name)\"")
        }
        return try run.sourceIDs(collection.query, key)
    }
}
