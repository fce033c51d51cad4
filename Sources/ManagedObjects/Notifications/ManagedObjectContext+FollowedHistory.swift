public import PersistentStores
import SQLiteAccess

extension ManagedObjectContext {
    /// Takes over by itself, from here on, what other programs write to a store that keeps persistent history.
    ///
    /// It happens where `automaticallyMergesChangesFromParent` merges: before a fetch or count, and in
    /// `processPendingChanges()`; these throw what `mergeChanges(fromHistoryOf:since:exceptAuthor:)` does. Where no one
    /// has written to the store since the last time, SQLite is asked for one number.
    /// - Parameters:
    ///   - store: a store of the coordinator.
    ///   - token: what was read last; nil to begin with what is written from here on.
    ///   - author: only transactions of others than this author, such as the context's own; nil for all.
    /// - Throws: `ManagedObjectError` for a child context, which has what its parent has; `StoreError` if the store keeps
    ///   no history.
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

    /// Takes over the history of a store no longer.
    ///
    /// - Returns: the token with which someone may go on; nil for a store that the context does not follow.
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
            // Who merges may look at the context: it is told once.
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
