import PersistentStores
import SQLiteAccess

/// How persistent history and the mirror of CloudKit, which name entities by number, are migrated.
struct HistoryDecision {
    private(set) var keepsHistory = false
    private(set) var findings: [MigrationFinding] = []
    /// The steps that update the entity numbers.
    private(set) var steps: [MigrationStep] = []
    /// How rows of these tables change while they are copied to a new file, by table; their steps are not needed then.
    private(set) var copies: [String: EntityReferences.Copy] = [:]
    /// The number of changes that are removed with their entities; nil if it is not known before the run.
    private(set) var plannedRemovals: Int64?

    /// The decision for a migration that is refused before the data are examined.
    static let none = HistoryDecision()

    private init() {}

    /// - Parameter connection: a connection that reads the store.
    init(
        _ policy: HistoryPolicy, following references: EntityReferences, on connection: Connection
    ) throws(SQLiteError) {
        guard references.hasHistory || !references.mirrors.isEmpty else { return }
        let counts = try references.counts(on: connection)
        if references.hasHistory, keeps(policy, counts) {
            steps += references.historySteps
            if references.recreatesObjects { plannedRemovals = counts.removed }
        }
        if !references.mirrors.isEmpty, !references.meanTheSame {
            steps += references.mirrorSteps
            findings.append(
                references.recreatesObjects
                    ? Self.recreatedMirror(references)
                    : Self.renumberedMirror(references.mirrors, removed: counts.unmirrored))
        }
        for table in Set(steps.map(\.table)) { copies[table] = references.copy(of: table) }
    }

    /// Returns the rows of kept entities that do not belong to the model.
    func systemRecords(_ records: [EntityRecord]) -> [EntityRecord] {
        records.filter { $0.isSystem && (keepsHistory || !Self.historyNumbers.contains($0.number)) }
    }

    /// The entity numbers of persistent history (docs/format/sqlite-store.md#persistent-history).
    private static let historyNumbers = 16001...16003

    // MARK: - Findings

    /// Returns whether history is kept, and adds findings about it.
    private mutating func keeps(_ policy: HistoryPolicy, _ counts: EntityReferences.Counts) -> Bool {
        if policy == .drop {
            findings.append(
                MigrationFinding(.note, "history-dropped", message: "persistent history is dropped, as asked"))
            return false
        }
        keepsHistory = true
        findings += Self.findings(policy, counts)
        return true
    }

    private static func findings(_ policy: HistoryPolicy, _ counts: EntityReferences.Counts) -> [MigrationFinding] {
        // With `keep`, all of history must be kept.
        let severity: MigrationFinding.Severity = policy == .keep ? .error : .note
        let advice = policy == .keep ? "; leave out --history keep to allow that" : ""
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

    /// Returns the finding about the tables of NSPersistentCloudKitContainer, in which only one column is known to
    /// contain entity numbers.
    private static func renumberedMirror(_ tables: [String], removed: Int64) -> MigrationFinding {
        MigrationFinding(
            .warning, "mirroring-numbers-change",
            message: "the tables ANSCK... of CloudKit mirroring name entities by number, and the numbers change: "
                + "ZENTITYID follows, and rows of entities that are gone are removed (\(removed)); whether other columns "
                + "name entities is not known, so reset the mirror before the app syncs this store (let the app fill a "
                + "new store from CloudKit, or export into a new container)",
            count: Int64(tables.count))
    }

    private static func recreatedMirror(_ references: EntityReferences) -> MigrationFinding {
        let unknown = references.unknownMirrors.sorted().joined(separator: ", ")
        return MigrationFinding(
            .warning, "mirroring-keys-change",
            message: "the tables ANSCK... of CloudKit mirroring name objects that a mapping model recreates: "
                + "ZENTITYID and ZENTITYPK follow, and rows of objects that are gone are removed; what other "
                + "columns mean is not known" + (unknown.isEmpty ? "" : ", and nothing of \(unknown) is")
                + ": reset the mirror before the app syncs this store",
            count: Int64(references.mirrors.count))
    }
}
