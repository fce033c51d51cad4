/// Rows that were read together with others. They have no companions of their own, which avoids reference cycles.
final class CompanionRows {
    private let blocks: [SnapshotBlock]

    init(_ blocks: [SnapshotBlock]) {
        self.blocks = blocks
    }
}
