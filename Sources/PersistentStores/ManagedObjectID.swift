/// The name of an object: its store, its entity, and its primary key.
public struct ManagedObjectID: Sendable, Hashable {
    /// The store's UUID, in upper case.
    public let storeUUID: String
    public let entityName: String
    public let primaryKey: Int64

    public init(storeUUID: String, entityName: String, primaryKey: Int64) {
        self.storeUUID = storeUUID
        self.entityName = entityName
        self.primaryKey = primaryKey
    }

    /// `x-coredata://UUID/Entity/pN`, as Core Data's own `uriRepresentation()`.
    public var uri: String {
        "x-coredata://\(storeUUID)/\(entityName)/p\(primaryKey)"
    }
}
