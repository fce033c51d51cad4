import PersistentStores

/// Checks what replacing a store's file changes apart from its content.
struct FileChecks {
    let files: StoreFiles
    let placement: MigrationPlacement

    func findings() -> [MigrationFinding] {
        guard case .replace = placement, let count = FileSystem.linkCount(files.path), count > 1 else { return [] }
        return [
            MigrationFinding(
                .warning, "hard-links",
                message: "the store's file has \(count) names (hard links); the new store replaces this "
                    + "one, and the others still name the old store: link them again, or migrate with "
                    + "--in-place", count: count)
        ]
    }
}
