import PersistentStores

/// What names entities by number beside the model's tables: persistent history, and the mirror of CloudKit.
extension MigrationPlanner {
    static func isHistory(_ record: EntityRecord) -> Bool {
        (16001...16003).contains(record.number)
    }

    func historyDecision(_ numbers: EntityNumbers) -> (isKept: Bool, findings: [MigrationFinding]) {
        guard store.schema.table(named: "ATRANSACTION") != nil else { return (false, []) }
        if options.history == .drop {
            let finding = MigrationFinding(.note, "history-dropped", message: "persistent history is dropped, as asked")
            return (false, [finding])
        }
        if numbers.meanTheSame { return (true, []) }
        if options.history == .keep {
            let finding = MigrationFinding(
                .error, "history-numbers-change", cocoaCode: 134301,
                message: "persistent history names entities by number, and the numbers change; "
                    + "leave out --history keep to drop it")
            return (true, [finding])
        }
        let finding = MigrationFinding(
            .warning, "history-dropped", cocoaCode: 134301,
            message: "persistent history names entities by number, and the numbers change: it is dropped, and "
                + "readers of it must start anew")
        return (false, [finding])
    }

    /// The tables of NSPersistentCloudKitContainer keep the numbers of entities in columns whose meaning is not
    /// documented (docs/format/sqlite-store.md#cloudkit-mirroring), so they are not rewritten.
    func mirroringFindings(_ numbers: EntityNumbers) -> [MigrationFinding] {
        let tables = store.schema.tables.map(\.name).filter { $0.uppercased().hasPrefix("ANSCK") }
        guard !tables.isEmpty, !numbers.meanTheSame else { return [] }
        return [
            MigrationFinding(
                .warning, "mirroring-numbers-change",
                message: "the tables ANSCK... of CloudKit mirroring name entities by number, and the numbers change: "
                    + "they go over as they are, and mirroring would take objects of one entity for another's; reset "
                    + "the mirror before the app syncs this store (let the app fill a new store from CloudKit, or "
                    + "export into a new container)",
                count: Int64(tables.count))
        ]
    }
}
