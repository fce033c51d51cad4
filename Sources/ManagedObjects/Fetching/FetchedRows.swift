/// What a source has found: objects in order, with their rows where those were asked for, from each store by itself.
struct FetchedRows {
    struct Row {
        let key: ObjectKey
        let block: SnapshotBlock?
        let row: Int32
    }

    var lists: [[Row]] = []
}
