public import ManagedObjectModels

/// The code of an entity mapping: what Core Data's `NSEntityMigrationPolicy` is, with the same hooks in the same order.
///
/// What is not overridden does what the mapping says, and an override gets it with `super`. One instance serves one
/// entity mapping of one migration, on the migrating thread. An error that a hook throws ends the migration, which
/// leaves the store as it was; it is reported with the mapping and the source object's URI (134170).
open class EntityMigrationPolicy {
    /// Makes the policy of one entity mapping; a migration calls it.
    public required init() {}

    /// Whether another run may go on in the middle of the mapping after this one was killed, as `MigrationOptions.resumes`
    /// asks for; false, unless it is overridden.
    ///
    /// The other run makes an instance of its own and calls `begin` again, then the hooks of the objects that are left.
    /// So a policy may say true if its hooks for one object need nothing that those for another one have kept in the
    /// instance. Of others the whole step is done again.
    open class var isResumable: Bool { false }

    /// Before the first source object.
    /// - Throws: any error, which ends the migration.
    open func begin(_ context: MigrationContext) throws {}

    /// For each source object that the mapping's filter lets through, in the order of the primary keys.
    ///
    /// Without an override one object of the mapping's destination entity comes about, with the mapping's values.
    /// - Throws: any error, which ends the migration.
    open func createDestinationInstances(for source: SourceObject, in context: MigrationContext) throws {
        try context.createDestinationInstance(for: source)
    }

    /// After the last source object.
    /// - Throws: any error, which ends the migration.
    open func endInstanceCreation(in context: MigrationContext) throws {}

    /// For each object that is associated with a source object of the mapping, once all mappings have made theirs.
    ///
    /// Without an override the relationships get what the mapping says. That happens after the last call of this hook;
    /// what the policy itself relates counts more.
    /// - Throws: any error, which ends the migration.
    open func createRelationships(
        for destination: DestinationObject, of source: SourceObject, in context: MigrationContext
    ) throws {
        context.createMappedRelationships(for: destination)
    }

    /// After the last object.
    /// - Throws: any error, which ends the migration.
    open func endRelationshipCreation(in context: MigrationContext) throws {}

    /// Once all objects and relationships are there; an error says that they must not stay.
    /// - Throws: any error, which ends the migration.
    open func performCustomValidation(in context: MigrationContext) throws {}

    /// Called at the end, when everything else has been done.
    /// - Throws: any error, which ends the migration.
    open func end(_ context: MigrationContext) throws {}

    /// The result of a method that a value expression calls: `FUNCTION($entityPolicy, "method:", argument)`.
    ///
    /// Arguments that are not values, such as `$source` and `$manager`, are nil. Without an override the method is
    /// unknown, which is an error.
    /// - Throws: `PolicyError` without an override; an override any error, which ends the migration.
    open func value(
        ofMethod name: String, _ arguments: [AttributeValue?], for source: SourceObject, in context: MigrationContext
    ) throws -> AttributeValue? {
        throw PolicyError("the policy has no method \"\(name)\"; override value(ofMethod:_:for:in:)")
    }
}
