/// The identity of an object: its store, its entity, and its primary key.
public struct ManagedObjectID: Sendable, Hashable {
    /// The store's UUID, in upper case.
    public let storeUUID: String
    /// The name of the object's entity, which is never an abstract one.
    public let entityName: String
    /// The object's key, `Z_PK`, which is unique in the table of its root entity.
    public let primaryKey: Int64

    /// Whether the object has not been saved; such an ID is only valid in this process.
    public let isTemporary: Bool

    /// Makes the ID of a saved object.
    public init(storeUUID: String, entityName: String, primaryKey: Int64) {
        self.storeUUID = storeUUID
        self.entityName = entityName
        self.primaryKey = primaryKey
        isTemporary = false
    }

    /// Makes the ID of an object that has not been saved.
    ///
    /// - Parameter session: identifies the process, in place of a store's UUID.
    package init(temporary key: Int64, entityName: String, session: String) {
        storeUUID = session
        self.entityName = entityName
        primaryKey = key
        isTemporary = true
    }

    /// Parses `x-coredata://UUID/Entity/pN`; nil for any other text, including the URI of an unsaved object.
    public init?(uri: String) {
        guard uri.hasPrefix(Self.scheme) else { return nil }
        let parts = uri.dropFirst(Self.scheme.count).split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 3, !parts[0].isEmpty, !parts[1].isEmpty, parts[2].first == "p",
            let key = Int64(parts[2].dropFirst()), "p\(key)" == parts[2]
        else { return nil }
        self.init(storeUUID: String(parts[0]), entityName: String(parts[1]), primaryKey: key)
    }

    private static let scheme = "x-coredata://"

    /// `x-coredata://UUID/Entity/pN`, as `uriRepresentation()` of Core Data returns it; a temporary ID is
    /// `x-coredata:///Entity/tUUIDN`.
    public var uri: String {
        isTemporary
            ? Self.scheme + "/\(entityName)/t\(storeUUID)\(primaryKey.magnitude)"
            : Self.scheme + "\(storeUUID)/\(entityName)/p\(primaryKey)"
    }
}
