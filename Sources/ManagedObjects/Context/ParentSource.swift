import ManagedObjectModels
import PersistentStores
import SQLiteAccess
import StoreFetching

/// A parent context as the source of its child's objects.
final class ParentSource: ObjectSource {
    private let parent: ManagedObjectContext

    init(_ parent: ManagedObjectContext) {
        self.parent = parent
    }

    var readCount: Int { parent.storeReadCount }

    /// Fills the block with the values in the parent, including unsaved changes.
    func load(_ block: SnapshotBlock, _ positions: Range<Int>?) throws {
        var rows = BlockRows(ReadColumns(width: block.width), count: block.awaited.count)
        for (row, number) in block.awaited.enumerated() {
            let root = parent.model.shape(of: block.table).root
            var key = ObjectKey(table: block.table, entity: Int32(truncatingIfNeeded: root), key: number)
            // If the parent no longer has the object, only the store knows its actual entity.
            if parent.registry[key] == nil, parent.model.shapes[root].entity.hasSubentities {
                guard let found = try parent.source.find(key) else { continue }
                key = found
            }
            let object = parent.object(key)
            do {
                guard !object.isDeleted else { continue }
                try parent.realize(object)
            } catch let error as ManagedObjectError {
                guard case .objectNotFound = error.code else { throw error }
                continue
            }
            rows.setEntity(object.shape.entity.slot, ofRow: row)
            try copy(object, to: &rows, row)
        }
        block.take(rows)
    }

    private func copy(_ object: ManagedObject, to rows: inout BlockRows, _ row: Int) throws {
        for (slot, attribute) in object.shape.attributes.enumerated() {
            guard let position = attribute.position else { continue }
            rows.set(row, position, to: StoredForm.stored(try object.currentValue(slot), of: attribute))
        }
        for (slot, toOne) in object.shape.toOnes.enumerated() {
            guard let position = toOne.position, let key = try object.toOneKey(slot) else { continue }
            rows.set(row, position, to: ArenaValue.integer(key.key))
            // A destination may be unsaved, regardless of the object's store: the number of its store, from 1, is
            // stored with its entity.
            let store = Int64(parent.model.store(of: key.table))
            rows.set(row, position + 1, to: ArenaValue.integer((store + 1) << 32 | Int64(key.entity)))
        }
    }

    func links(_ owners: [ObjectKey], _ relationship: ResolvedRelationship) throws -> [[ToManyState.Link]] {
        try owners.map { key in
            let object = parent.object(key)
            guard case .toMany(let slot) = object.shape.slot(named: relationship.name) else { return [] }
            return try parent.links(of: object, slot).map { .init(key: $0, order: 0) }
        }
    }

    func find(_ key: ObjectKey) throws -> ObjectKey? {
        if let known = parent.registry[key] { return known.isDeleted ? nil : known.ownKey }
        return try parent.source.find(key)
    }

    func fetch(_ search: ObjectSearch) throws -> FetchedRows {
        var options = ObjectFetchOptions()
        options.includesPropertyValues = search.readsRows
        options.affectedStores = search.stores
        let objects = try parent.fetch(search.request, options: options)
        return FetchedRows(lists: [FetchedRows.Run.runs(of: objects.map(\.ownKey))])
    }

    func count(_ search: ObjectSearch) throws -> Int {
        var options = ObjectFetchOptions()
        options.affectedStores = search.stores
        return try parent.count(search.request, options: options)
    }

    func fetchDictionaries(_ search: ObjectSearch) throws -> [[String: DictionaryValue]] {
        try parent.fetchDictionaries(search.request, affectedStores: search.stores)
    }

    func files(of key: ObjectKey) -> ExternalDataReader? { nil }

    func permanentKeys(
        for objects: [ManagedObject], of context: ManagedObjectContext
    ) throws -> [ObjectKey: ObjectKey] {
        try parent.source.permanentKeys(for: objects, of: context)
    }

    // MARK: - Saving

    /// Applies the changes of the child to the parent; nothing is written to a store.
    func save(_ context: ManagedObjectContext) throws -> SavedObjects {
        let saved = SavedObjects(context)
        try ChildSave(context, into: parent).execute()
        return saved
    }
}

extension ManagedObject {
    /// The key with the object's actual entity.
    final var ownKey: ObjectKey {
        ObjectKey(table: key.table, entity: Int32(truncatingIfNeeded: shape.entity.slot), key: key.key)
    }
}
