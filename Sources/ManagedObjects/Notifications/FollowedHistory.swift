import PersistentStores

/// The position of a context in the history of a store that it follows.
struct FollowedHistory {
    let store: PersistentStore
    let author: String?
    var token: HistoryToken
    /// SQLite's data version of the file when the history was last read; nil before the first time.
    var version: Int64?
}
