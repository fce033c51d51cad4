/// Rows that were read along with others. They have no companions of their own, so that none holds itself.
final class CompanionRows {
    private let blocks: [SnapshotBlock]

    init(_ blocks: [SnapshotBlock]) {
        self.blocks = blocks
    }
}
