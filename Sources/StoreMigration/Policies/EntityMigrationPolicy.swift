public import ManagedObjectModels

/// The code of an entity mapping, like Core Data's `NSEntityMigrationPolicy`, with the same hooks in the same order.
///
/// A hook that is not overridden does what the mapping says, and an override can do this by calling `super`. An
/// instance is used for one entity mapping of one migration, on the migrating thread. If a hook throws an error, the
/// migration ends and does not change the store. The error is reported with the mapping and the URI of the source
/// object (134170).
open class EntityMigrationPolicy {
    /// Creates the policy of one entity mapping; called by the migration.
    public required init() {}

    /// Whether another run may continue in the middle of the mapping if this run is killed (see
    /// `MigrationOptions.resumes`); false by default.
    ///
    /// The other run creates its own instance, calls `begin` again, and then calls the hooks for the remaining objects.
    /// A policy may therefore return true if its hooks for one object need nothing that its hooks for other objects
    /// have kept in the instance. If it returns false, the whole step is repeated.
    open class var isResumable: Bool { false }

    /// Called before the first source object.
    /// - Throws: any error, which ends the migration.
    open func begin(_ context: MigrationContext) throws {}

    /// Called for each source object that passes the mapping's filter, in the order of the primary keys.
    ///
    /// The default implementation creates one object of the mapping's destination entity, with the mapping's values.
    /// - Throws: any error, which ends the migration.
    open func createDestinationInstances(for source: SourceObject, in context: MigrationContext) throws {
        try context.createDestinationInstance(for: source)
    }

    /// Called after the last source object.
    /// - Throws: any error, which ends the migration.
    open func endInstanceCreation(in context: MigrationContext) throws {}

    /// Called for each object that is associated with a source object of the mapping, after all mappings have created
    /// their objects.
    ///
    /// The default implementation sets the relationships as the mapping says. This happens after the last call of this
    /// hook, and relationships that the policy itself sets take precedence.
    /// - Throws: any error, which ends the migration.
    open func createRelationships(
        for destination: DestinationObject, of source: SourceObject, in context: MigrationContext
    ) throws {
        context.createMappedRelationships(for: destination)
    }

    /// Called after `createRelationships` has been called for the last object.
    /// - Throws: any error, which ends the migration.
    open func endRelationshipCreation(in context: MigrationContext) throws {}

    /// Called when all objects and relationships exist. An override throws an error if the migration must not be
    /// completed.
    /// - Throws: any error, which ends the migration.
    open func performCustomValidation(in context: MigrationContext) throws {}

    /// Called at the end, when everything else has been done.
    /// - Throws: any error, which ends the migration.
    open func end(_ context: MigrationContext) throws {}

    /// Returns the result of a method that a value expression calls: `FUNCTION($entityPolicy, "method:", argument)`.
    ///
    /// Arguments that are not values, such as `$source` and `$manager`, are nil. The default implementation knows no
    /// methods, and throws an error.
    /// - Throws: `PolicyError` by default. An override may throw any error, which ends the migration.
    open func value(
        ofMethod name: String, _ arguments: [AttributeValue?], for source: SourceObject, in context: MigrationContext
    ) throws -> AttributeValue? {
        throw PolicyError("the policy has no method \"\(name)\"; override value(ofMethod:_:for:in:)")
    }
}
