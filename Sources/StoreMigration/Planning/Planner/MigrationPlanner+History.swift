import PersistentStores
import SQLiteAccess

/// What names entities by number beside the model's tables: persistent history, and the mirror of CloudKit.
extension MigrationPlanner {
    /// What becomes of it.
    struct ReferenceDecision {
        var keepsHistory = false
        var findings: [MigrationFinding] = []
        /// The steps that follow the entities' numbers.
        var steps: [MigrationStep] = []
        /// The changes that go because their entities do; nil if more than that is not known before.
        var plannedRemovals: Int64?
    }

    static func isHistory(_ record: EntityRecord) -> Bool {
        (16001...16003).contains(record.number)
    }

    func referenceDecision(_ references: EntityReferences) throws(SQLiteError) -> ReferenceDecision {
        let counts = try references.counts(on: store.connection)
        var decision = ReferenceDecision()
        if store.schema.table(named: "ATRANSACTION") != nil {
            if options.history == .drop {
                decision.findings.append(
                    MigrationFinding(.note, "history-dropped", message: "persistent history is dropped, as asked"))
            } else {
                decision.keepsHistory = true
                decision.findings += historyFindings(counts)
                decision.steps += references.historySteps
            }
        }
        let mirrors = store.schema.tables.map(\.name).filter { $0.uppercased().hasPrefix("ANSCK") }
        if !mirrors.isEmpty, !references.meanTheSame {
            decision.steps += references.mirrorSteps
            decision.findings.append(mirroringFinding(mirrors, removed: counts.unmirrored))
        }
        return decision
    }

    private func historyFindings(_ counts: EntityReferences.Counts) -> [MigrationFinding] {
        // Kept means all of it.
        let severity: MigrationFinding.Severity = options.history == .keep ? .error : .note
        let advice = options.history == .keep ? "; leave out --history keep to allow that" : ""
        var result: [MigrationFinding] = []
        if counts.renumbered > 0 {
            result.append(
                MigrationFinding(
                    .note, "history-renumbered",
                    message: "changes in persistent history get the new numbers of their entities",
                    count: counts.renumbered))
        }
        if counts.removed > 0 {
            result.append(
                MigrationFinding(
                    severity, "history-changes-removed", cocoaCode: 134301,
                    message: "changes in persistent history are of entities that are gone, and go too" + advice,
                    count: counts.removed))
        }
        if counts.forgotten > 0 {
            result.append(
                MigrationFinding(
                    severity, "history-columns-forgotten", cocoaCode: 134301,
                    message: "changes in persistent history are of entities whose properties change: that the objects "
                        + "were updated stays, which of their properties were (ZCOLUMNS) does not" + advice,
                    count: counts.forgotten))
        }
        return result
    }

    /// Of the tables of NSPersistentCloudKitContainer only one column is known to hold entity numbers.
    private func mirroringFinding(_ tables: [String], removed: Int64) -> MigrationFinding {
        MigrationFinding(
            .warning, "mirroring-numbers-change",
            message: "the tables ANSCK... of CloudKit mirroring name entities by number, and the numbers change: "
                + "ZENTITYID follows, and rows of entities that are gone are removed (\(removed)); whether other columns "
                + "name entities is not known, so reset the mirror before the app syncs this store (let the app fill a "
                + "new store from CloudKit, or export into a new container)",
            count: Int64(tables.count))
    }

    /// The same where a mapping model makes the objects: their keys follow from those of their sources.
    func referenceDecision(_ references: MappedReferences) throws(SQLiteError) -> ReferenceDecision {
        var decision = ReferenceDecision()
        guard references.hasHistory || !references.mirrors.isEmpty else { return decision }
        let counts = try references.counts(on: store.connection)
        if references.hasHistory {
            if options.history == .drop {
                decision.findings.append(
                    MigrationFinding(.note, "history-dropped", message: "persistent history is dropped, as asked"))
            } else {
                decision.keepsHistory = true
                decision.findings += historyFindings(counts)
                decision.steps += references.historySteps
                decision.plannedRemovals = counts.removed
            }
        }
        if !references.mirrors.isEmpty {
            decision.steps += references.mirrorSteps
            let unknown = references.unknownMirrors.sorted().joined(separator: ", ")
            decision.findings.append(
                MigrationFinding(
                    .warning, "mirroring-keys-change",
                    message: "the tables ANSCK... of CloudKit mirroring name objects that a mapping model recreates: "
                        + "ZENTITYID and ZENTITYPK follow, and rows of objects that are gone are removed; what other "
                        + "columns mean is not known"
                        + (unknown.isEmpty ? "" : ", and nothing of \(unknown) is")
                        + ": reset the mirror before the app syncs this store",
                    count: Int64(references.mirrors.count)))
        }
        return decision
    }
}
