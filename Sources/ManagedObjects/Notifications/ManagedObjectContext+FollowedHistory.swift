public import PersistentStores
import SQLiteAccess

extension ManagedObjectContext {
    /// Automatically merges, from here on, what other programs write to a store that keeps persistent history.
    ///
    /// The changes are merged at the same times as by `automaticallyMergesChangesFromParent`: before a fetch or count,
    /// and in `processPendingChanges()`; these throw the errors of `mergeChanges(fromHistoryOf:since:exceptAuthor:)`.
    /// If the store has not been written since the last time, the check costs one query of SQLite's data version.
    /// - Parameters:
    ///   - store: a store of the coordinator.
    ///   - token: the last token that was read; nil to begin with the changes that are written from here on.
    ///   - author: an author whose transactions are ignored, such as the context's own; nil for none.
    /// - Throws: `ManagedObjectError` for a child context, which gets its objects from its parent; `StoreError` if the
    ///   store keeps no history.
    public func followHistory(
        of store: PersistentStore, since token: HistoryToken? = nil, exceptAuthor author: String? = nil
    ) throws {
        guard parent == nil else {
            throw ManagedObjectError(.unsupported("a child context has what its parent has: let that follow the store"))
        }
        guard coordinator.persistentStores.contains(where: { $0 === store }) else {
            throw ManagedObjectError(.storeUnknown(store.path))
        }
        let opened = try SQLiteStore(path: store.workingPath, timeout: store.options.timeout)
        let history = try PersistentHistory(opened)
        if let token { try history.check(token) }
        histories[store.number] = FollowedHistory(
            store: store, author: author, token: try token ?? history.currentToken())
    }

    /// Stops following the history of a store.
    ///
    /// - Returns: the token from which the history can be followed again; nil for a store that the context does not
    ///   follow.
    @discardableResult
    public func stopFollowingHistory(of store: PersistentStore) -> HistoryToken? {
        histories.removeValue(forKey: store.number)?.token
    }

    func mergeFollowedHistories() throws {
        guard !histories.isEmpty, let source = source as? StoreSource else { return }
        for (number, followed) in histories.sorted(by: { $0.key < $1.key }) {
            let connection = try source.connection(to: followed.store)
            let version = try source.translating(connection) {
                try connection.connection.value("PRAGMA main.data_version").integer
            }
            guard version == nil || version != followed.version else { continue }
            // The version is set first, since merging may call back into the context.
            histories[number]?.version = version
            do {
                let token = try mergeChanges(
                    fromHistoryOf: followed.store, since: followed.token, exceptAuthor: followed.author)
                histories[number]?.token = token
            } catch {
                histories[number]?.version = nil
                throw error
            }
        }
    }
}
