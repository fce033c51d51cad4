public import ManagedObjectModels
public import MappingModels
public import PersistentStores
import SQLiteAccess

/// The functions that a policy can call while it runs, as in Core Data's `NSMigrationManager`.
///
/// The pairs of source objects and destination objects are stored on disk, or follow from the keys. Therefore the
/// memory use does not grow with the number of objects.
public final class MigrationContext {
    /// The entity mapping that names the policy.
    public let mapping: EntityMapping
    unowned let run: PolicyRun
    unowned let current: PolicyRun.Current
    @exclusivity(unchecked) var usesMappedRelationships = false

    init(_ mapping: EntityMapping, run: PolicyRun, current: PolicyRun.Current) {
        self.mapping = mapping
        self.run = run
        self.current = current
    }

    /// Creates an object of the mapping's destination entity with the mapping's values, and associates it with its
    /// source.
    /// - Throws: `PolicyError` if the mapping has no destination entity, or if a value does not fit; `SQLiteError` if
    ///   the row cannot be written.
    @discardableResult
    public func createDestinationInstance(for source: SourceObject) throws -> DestinationObject {
        try run.createDestinationInstance(for: source, current, self)
    }

    /// Creates an object with the model's defaults. It belongs to no source object until it is associated with one.
    /// - Throws: `PolicyError` if the entity is abstract, or if the model does not have it; `SQLiteError` if the row
    ///   cannot be written.
    public func insert(_ entityName: String) throws -> DestinationObject {
        try run.insert(entityName)
    }

    /// Records that a source object of this mapping has become a destination object. Relationships that lead to the
    /// source object then lead to the destination object.
    /// - Throws: `SQLiteError` if the pair cannot be recorded.
    public func associate(_ source: SourceObject, with destination: DestinationObject) throws {
        try run.associate(source.key, destination, current)
    }

    /// Sets the relationships of the destination as the mapping says, after the last call of `createRelationships`.
    public func createMappedRelationships(for destination: DestinationObject) {
        usesMappedRelationships = true
    }

    /// The path of the store that is being migrated.
    public var storePath: String { run.external.path }

    /// The path of the SQLite store with the source objects: the store that is being migrated, or the result of earlier
    /// steps of a chain. It may be opened for reading, for example by a `PersistentStoreCoordinator` of `sourceModel`.
    public var sourceStorePath: String { run.inputPath }

    /// The model version of the source objects.
    public var sourceModel: ResolvedModel { run.program.source.model }

    // MARK: Finding

    /// Returns the object of an entity, or of a subentity, whose attributes have these values; the one with the lowest
    /// key if there are several, and nil if there is none.
    /// - Throws: `PolicyError` if the model does not have the entity or an attribute; `SQLiteError` if the new store
    ///   cannot be read.
    public func find(_ entityName: String, where values: [String: AttributeValue?]) throws -> DestinationObject? {
        try run.find(entityName, values)
    }

    /// Returns the object whose attributes have these values, and creates it if there is none.
    /// - Throws: `PolicyError` if the model does not have the entity or an attribute, or if an attribute's type cannot
    ///   hold its value; `SQLiteError` if the new store cannot be read or written.
    public func findOrInsert(
        _ entityName: String, where values: [String: AttributeValue?]
    ) throws -> (object: DestinationObject, isNew: Bool) {
        if let found = try run.find(entityName, values) { return (found, false) }
        let object = try run.insert(entityName)
        for (name, value) in values { try object.set(name, to: value) }
        return (object, true)
    }

    /// Returns the destination objects of each source object, in the order of their keys.
    ///
    /// - Parameters:
    ///   - sources: the IDs of the source objects.
    ///   - mappingName: the entity mapping that has created the destination objects; nil for all entity mappings.
    /// - Throws: `PolicyError` if an object belongs to another store, or if there is no such entity mapping;
    ///   `SQLiteError` if the pairs cannot be read.
    public func destinationObjects(
        for sources: [ManagedObjectID], mappingName: String? = nil
    ) throws -> [[ManagedObjectID]] {
        try sources.map { try run.destinationObjects(of: $0, mappingName) }
    }

    /// Returns the source objects of each destination object, in the order of their keys.
    /// - Throws: `PolicyError` if an object belongs to another store, or if there is no such entity mapping;
    ///   `SQLiteError` if the pairs cannot be read.
    public func sourceObjects(
        for destinations: [ManagedObjectID], mappingName: String? = nil
    ) throws -> [[ManagedObjectID]] {
        try destinations.map { try run.sourceObjects(of: $0, mappingName) }
    }

    /// Returns the source object with an ID, for reading until the next call; nil if there is none.
    /// - Throws: `PolicyError` if the object belongs to another store; `SQLiteError` if the store cannot be read.
    public func sourceObject(_ id: ManagedObjectID) throws -> SourceObject? {
        try run.sourceObject(id)
    }

    /// Returns the destination object with an ID; nil if there is none.
    /// - Throws: `PolicyError` if the object belongs to another store; `SQLiteError` if the new store cannot be read.
    public func destinationObject(_ id: ManagedObjectID) throws -> DestinationObject? {
        try run.destinationObject(id)
    }
}
