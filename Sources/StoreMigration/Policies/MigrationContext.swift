public import ManagedObjectModels
public import MappingModels
public import PersistentStores
import SQLiteAccess

/// What a policy can do and ask for, while it runs: Core Data's `NSMigrationManager` as policies know it.
///
/// Which destination object came from which source object stands on disk or follows from the keys: nothing here grows
/// with the number of objects.
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

    /// Makes an object of the mapping's destination entity with the mapping's values, and associates it with its
    /// source.
    /// - Throws: `PolicyError` if the mapping has no destination entity, or a value does not fit; `SQLiteError` if the
    ///   row cannot be written.
    @discardableResult
    public func createDestinationInstance(for source: SourceObject) throws -> DestinationObject {
        try run.createDestinationInstance(for: source, current, self)
    }

    /// Makes an object with the model's defaults. It belongs to no source object until it is associated with one.
    /// - Throws: `PolicyError` for an entity that is abstract or that the model does not have; `SQLiteError` if the row
    ///   cannot be written.
    public func insert(_ entityName: String) throws -> DestinationObject {
        try run.insert(entityName)
    }

    /// Notes that a source object of this mapping has become a destination object: relationships that lead to the one
    /// lead to the other then.
    /// - Throws: `SQLiteError` if the pair cannot be noted.
    public func associate(_ source: SourceObject, with destination: DestinationObject) throws {
        try run.associate(source.key, destination, current)
    }

    /// Gives the destination's relationships what the mapping says, after the last call of `createRelationships`.
    public func createMappedRelationships(for destination: DestinationObject) {
        usesMappedRelationships = true
    }

    /// The path of the store that is migrated.
    public var storePath: String { run.external.path }

    /// The SQLite store that has the source objects: the one that is migrated, or what earlier steps of a chain have made
    /// of it. It may be opened for reading, as by a `PersistentStoreCoordinator` of `sourceModel`.
    public var sourceStorePath: String { run.inputPath }

    /// The version that the source objects are of.
    public var sourceModel: ResolvedModel { run.program.source.model }

    // MARK: Finding

    /// The object of an entity, or of a subentity, whose attributes have these values; the first by key where there are
    /// several, nil if there is none.
    /// - Throws: `PolicyError` for an entity or an attribute that the model does not have; `SQLiteError` if the new
    ///   store cannot be read.
    public func find(_ entityName: String, where values: [String: AttributeValue?]) throws -> DestinationObject? {
        try run.find(entityName, values)
    }

    /// The object whose attributes have these values, made if there is none.
    /// - Throws: `PolicyError` for an entity or an attribute that the model does not have, and for a value that its
    ///   type cannot hold; `SQLiteError` if the new store cannot be read or written.
    public func findOrInsert(
        _ entityName: String, where values: [String: AttributeValue?]
    ) throws -> (object: DestinationObject, isNew: Bool) {
        if let found = try run.find(entityName, values) { return (found, false) }
        let object = try run.insert(entityName)
        for (name, value) in values { try object.set(name, to: value) }
        return (object, true)
    }

    /// The destination objects of each of some source objects, in the order of their keys.
    ///
    /// - Parameters:
    ///   - sources: the IDs of the source objects.
    ///   - mappingName: the entity mapping that made them; nil for all.
    /// - Throws: `PolicyError` for the ID of an object of another store, and for an entity mapping that is not there;
    ///   `SQLiteError` if the pairs cannot be read.
    public func destinationObjects(
        for sources: [ManagedObjectID], mappingName: String? = nil
    ) throws -> [[ManagedObjectID]] {
        try sources.map { try run.destinationObjects(of: $0, mappingName) }
    }

    /// The source objects of each of some destination objects, in the order of their keys.
    /// - Throws: `PolicyError` for the ID of an object of another store, and for an entity mapping that is not there;
    ///   `SQLiteError` if the pairs cannot be read.
    public func sourceObjects(
        for destinations: [ManagedObjectID], mappingName: String? = nil
    ) throws -> [[ManagedObjectID]] {
        try destinations.map { try run.sourceObjects(of: $0, mappingName) }
    }

    /// A source object by its ID, for reading until the next call; nil if there is none.
    /// - Throws: `PolicyError` for the ID of an object of another store; `SQLiteError` if the store cannot be read.
    public func sourceObject(_ id: ManagedObjectID) throws -> SourceObject? {
        try run.sourceObject(id)
    }

    /// A destination object by its ID; nil if there is none.
    /// - Throws: `PolicyError` for the ID of an object of another store; `SQLiteError` if the new store cannot be read.
    public func destinationObject(_ id: ManagedObjectID) throws -> DestinationObject? {
        try run.destinationObject(id)
    }
}
