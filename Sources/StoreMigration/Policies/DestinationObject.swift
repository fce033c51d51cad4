public import ManagedObjectModels
public import PersistentStores
import SQLiteAccess
import SQLiteFileBuilder

/// An object of the new store. Its row is written when the hook that has created it returns; values that are set later
/// change the row.
public final class DestinationObject {
    let writer: EntityRowWriter
    private unowned let run: PolicyRun
    @exclusivity(unchecked) var key: Int64
    /// The values that were set, by column.
    @exclusivity(unchecked) var own: ReplacedRowValues
    /// The source row with the values that were not set, while the object is new; nil if there is none.
    @exclusivity(unchecked) var row: PolicyRow?
    /// Whether the source row is the current row of a block that was read ahead.
    @exclusivity(unchecked) var isAhead = false
    @exclusivity(unchecked) var isWritten = false
    /// The policy whose mapping has created the object; nil for other objects.
    let maker: ObjectIdentifier?

    init(
        _ writer: EntityRowWriter, key: Int64, row: PolicyRow?, run: PolicyRun, maker: ObjectIdentifier? = nil
    ) {
        self.maker = maker
        self.writer = writer
        self.key = key
        self.row = row
        self.run = run
        own = ReplacedRowValues(columns: writer.columns.count, limits: run.options.fixedLimits.build)
    }

    /// Turns an object that is no longer referenced into a new one.
    func reuse(key: Int64, row: PolicyRow?) {
        self.key = key
        if self.row !== row { self.row = row }
        isWritten = false
        own.removeAll()
    }

    /// The name of the object's entity.
    public var entityName: String { writer.entity.name }

    /// The ID that the object has in the new store.
    public var objectID: ManagedObjectID {
        ManagedObjectID(storeUUID: run.program.storeUUID, entityName: writer.entity.name, primaryKey: key)
    }

    /// Returns the value of an attribute; nil for NULL.
    /// - Throws: `PolicyError` if the entity has no such attribute; `MigrationError` if external data are missing.
    public func value(_ name: String) throws -> AttributeValue? {
        let (index, attribute) = try writer.column(name)
        if !isWritten, !own.isSet(index), let row {
            if row.isNull(Int32(index)) { return nil }
            if writer.isInlined[index] {
                return .binary(try run.external.value(row, Int32(index), name: name, key: key))
            }
            if attribute.description.hasExternalData {
                return .binary(try run.external.value(row, Int32(index), name: name, key: key))
            }
            return try row.attributeValue(Int32(index), as: attribute.type)
        }
        // The type is spelled out, because a nil literal could also mean NULL. Here, nil means that the row has the
        // value.
        let value: SQLiteValue?
        if own.isSet(index) {
            value = own.value(index)
        } else if isWritten {
            value = Optional<SQLiteValue>.none
        } else {
            value = writer.initialValues[index]
        }
        return try run.attributeValue(value, of: attribute, column: writer.columns[index], in: writer.table, key: key)
    }

    /// Sets the value of an attribute; nil for NULL.
    /// - Throws: `PolicyError` if the entity has no such attribute, or if its type cannot hold the value; `SQLiteError`
    ///   if the row cannot be written.
    @_optimize(speed)
    public func set(_ name: String, to value: AttributeValue?) throws {
        let index = try writer.position(of: name)
        if !isWritten, case .string(let text)? = value, writer.targets[index].type == .string {
            return own.set(text: text.utf8.span, at: index)
        }
        let stored = try DestinationValue.stored(value, as: writer.targets[index])
        if case .decimal(let digits)? = value, DecimalText.isRounded(digits, stored) {
            run.noteRounding(of: digits, "\(writer.entity.name).\(name)", objectID)
        }
        if isWritten {
            try run.needFile()
            try writer.update(index, of: key, to: stored, on: run.connection)
        }
        // A value that was set before the row was written is remembered, so it is replaced too.
        if !isWritten || own.isSet(index) { own.set(stored, at: index) }
    }

    /// Replaces the destinations of a relationship by objects, in this order; by none if the list is empty.
    /// - Throws: `PolicyError` if the entity has no such relationship, or if the relationship cannot lead to an object;
    ///   `SQLiteError` if the links cannot be recorded.
    public func relate(_ name: String, to objects: [ManagedObjectID]) throws {
        if run.links.needsFile { try run.needFile() }
        try run.links.record(name, of: self, to: objects, replacing: true)
    }

    /// Replaces the destinations of a relationship by one object.
    /// - Throws: `PolicyError` if the entity has no such relationship, or if the relationship cannot lead to the
    ///   object; `SQLiteError` if the links cannot be recorded.
    public func relate(_ name: String, to object: DestinationObject) throws {
        try relate(name, to: [object.objectID])
    }

    /// Adds objects to a to-many relationship, after those that the policy has added before.
    /// - Throws: `PolicyError` if the entity has no such relationship, or if the relationship cannot lead to an object;
    ///   `SQLiteError` if the links cannot be recorded.
    public func add(_ name: String, _ objects: [ManagedObjectID]) throws {
        if run.links.needsFile { try run.needFile() }
        try run.links.record(name, of: self, to: objects, replacing: false)
    }

    /// Adds an object to a to-many relationship, after those that the policy has added before.
    /// - Throws: `PolicyError` if the entity has no such relationship, or if the relationship cannot lead to the
    ///   object; `SQLiteError` if the links cannot be recorded.
    public func add(_ name: String, _ object: DestinationObject) throws {
        try add(name, [object.objectID])
    }
}
