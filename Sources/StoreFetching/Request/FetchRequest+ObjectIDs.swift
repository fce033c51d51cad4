import ManagedObjectModels
public import PersistentStores
import PredicateExpressions
import SQLiteAccess

extension FetchRequest {
    /// The objects of a store that have these URIs, each once.
    ///
    /// - Parameters:
    ///   - uris: the objects' URIs, `x-coredata://UUID/Entity/pN`.
    ///   - entityName: the entity that all of them are of, or inherit from; nil if the URIs name only one.
    ///   - store: the store that has the objects.
    ///   - layout: the tables and columns of the store, and its model.
    /// - Throws: `FetchError` for a text that is not a URI, one of another store, several entities, or objects that are
    ///   not in the store.
    public init(objectIDs uris: [String], entityName: String?, in store: SQLiteStore, layout: StoreLayout) throws {
        var names: [String] = []
        var missing: [String] = []
        let known = StoreObjectIDs(model: layout.model, storeUUID: store.metadata.uuid)
        for uri in uris {
            let object: ObjectReference
            do {
                object = try known.object(at: uri).get()
            } catch {
                throw FetchError(.objectIDInvalid(error.detail))
            }
            guard let name = ManagedObjectID(uri: uri)?.entityName, let entity = layout.model.entity(named: name),
                let table = layout.table(ofEntity: entity.slot)
            else { continue }
            if !names.contains(name) { names.append(name) }
            let numbers = entity.subtree.map { "\(layout.entityNumbers[$0])" }.joined(separator: ", ")
            let isThere = try store.connection.value(
                "SELECT 1 FROM \(SQLiteIdentifier.quoted(table.name)) WHERE Z_PK = ? AND Z_ENT IN (\(numbers))",
                [.integer(object.key)])
            if isThere == .null { missing.append(uri) }
        }
        guard missing.isEmpty else { throw FetchError(.objectsMissing(missing)) }
        guard let name = entityName ?? (names.count == 1 ? names.first : nil) else {
            throw FetchError(.objectsOfSeveralEntities(names))
        }
        if let slot = layout.model.slot(named: name),
            let other = names.first(where: { !layout.model.isKind(layout.model.slot(named: $0) ?? 0, of: slot) })
        {
            throw FetchError(.objectsOfOtherEntity(other, asked: name))
        }
        self.init(
            entityName: name,
            predicate: .comparison(
                .evaluatedObject, .memberOf, .aggregate(uris.map { .constant(.string($0)) })))
    }
}
