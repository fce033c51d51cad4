import PersistentStores

/// How far a context has come in the history of a store that it follows.
struct FollowedHistory {
    let store: PersistentStore
    let author: String?
    var token: HistoryToken
    /// What SQLite said of the file when the history was read; nil before the first time.
    var version: Int64?
}
