import ManagedObjectModels
public import PersistentStores
import PredicateExpressions
import SQLiteAccess

extension FetchRequest {
    /// Makes a request for the objects with these URIs in a store, without duplicates.
    ///
    /// - Parameters:
    ///   - uris: the objects' URIs, `x-coredata://UUID/Entity/pN`.
    ///   - entityName: their entity, or a common superentity; nil if the URIs name only one entity.
    ///   - store: the store that contains the objects.
    ///   - layout: the tables and columns of the store, and its model.
    /// - Throws: `FetchError` for a text that is not a URI, a URI of another store, several entities, or objects that
    ///   are not in the store.
    public init(objectIDs uris: [String], entityName: String?, in store: SQLiteStore, layout: StoreLayout) throws {
        try self.init(objectIDs: uris, entityName: entityName, in: [FetchedStore(store, layout)])
    }

    /// Makes a request for the objects with these URIs in several stores of a model, without duplicates, to be run on
    /// all of the stores.
    ///
    /// - Parameters:
    ///   - uris: the objects' URIs, `x-coredata://UUID/Entity/pN`.
    ///   - entityName: their entity, or a common superentity; nil if the URIs name only one entity.
    ///   - stores: the stores that contain the objects; at least one.
    /// - Throws: `FetchError` for a text that is not a URI, a URI of another store, several entities, or objects that
    ///   are in no store.
    public init(objectIDs uris: [String], entityName: String?, in stores: [FetchedStore]) throws {
        var names: [String] = []
        var missing: [String] = []
        for uri in uris {
            let id = ManagedObjectID(uri: uri)
            let member = stores.first { $0.store.metadata.uuid.uppercased() == id?.storeUUID.uppercased() }
            // If no store has it, any of them can report the error.
            let found = member ?? stores[0]
            let layout = found.layout
            let object: ObjectReference
            do {
                object = try StoreObjectIDs(
                    model: layout.model, storeUUID: found.store.metadata.uuid, siblingUUIDs: found.siblings(stores)
                ).object(at: uri).get()
            } catch {
                throw FetchError(.objectIDInvalid(error.detail))
            }
            guard let name = id?.entityName, let entity = layout.model.entity(named: name) else { continue }
            if !names.contains(name) { names.append(name) }
            guard let table = layout.table(ofEntity: entity.slot) else {
                missing.append(uri)
                continue
            }
            let numbers = entity.subtree.map { "\(layout.entityNumbers[$0])" }.joined(separator: ", ")
            let isThere = try found.store.connection.value(
                "SELECT 1 FROM \(SQLiteIdentifier.quoted(table.name)) WHERE Z_PK = ? AND Z_ENT IN (\(numbers))",
                [.integer(object.key)])
            if isThere == .null { missing.append(uri) }
        }
        guard missing.isEmpty else { throw FetchError(.objectsMissing(missing)) }
        guard let name = entityName ?? (names.count == 1 ? names.first : nil) else {
            throw FetchError(.objectsOfSeveralEntities(names))
        }
        let model = stores[0].layout.model
        if let slot = model.slot(named: name),
            let other = names.first(where: { !model.isKind(model.slot(named: $0) ?? 0, of: slot) })
        {
            throw FetchError(.objectsOfOtherEntity(other, asked: name))
        }
        self.init(
            entityName: name,
            predicate: .comparison(
                .evaluatedObject, .memberOf, .aggregate(uris.map { .constant(.string($0)) })))
    }
}
