import ManagedObjectModels
public import PersistentStores
public import StoreConversion

/// Repairs faults of selected rules in a store that is read and written as a whole, and writes it back in the same
/// type.
///
/// The repairs are made in a SQLite store in the folder for temporary files; the new file is complete before it
/// replaces the old one. Such a file always has both directions of every link, and no dangling links: if the store has
/// such faults, their rules must be among the selected ones.
public struct AtomicStoreRepair {
    private let path: String
    private let newStore: NewStore
    private let rules: [VerificationRule]
    private let registry: PersistentStoreRegistry
    private let options: StoreRepair.Options

    /// Prepares the repair of a store.
    /// - Throws: `RepairError` for a rule that cannot be repaired, or not in such a store.
    public init(
        path: String, _ newStore: NewStore, rules: [VerificationRule], registry: PersistentStoreRegistry = .standard,
        options: StoreRepair.Options = .init()
    ) throws(RepairError) {
        if let rule = rules.first(where: { !$0.isRepairable || !$0.concernsAtomicStores || $0 == .databaseDamaged }) {
            throw RepairError(code: .notRepairable(rule.code), path: path)
        }
        self.path = path
        self.newStore = newStore
        self.rules = rules
        self.registry = registry
        self.options = options
    }

    /// Repairs, verifies, and replaces.
    /// - Throws: `StoreError` if the store cannot be read or the output exists already; `RepairError` if a repair is
    ///   refused; `ConversionError` for values that cannot be written back without changes.
    public func run() throws -> RepairReport {
        if let output = options.output, FileSystem.isThere(output) { throw StoreError(.exists, path: output) }
        let working = try WorkingStore(
            of: path, newStore, registry: registry, keepsFaults: true, isCancelled: options.isCancelled)
        try working.checkFaithfulness()
        var inner = options
        inner.output = nil
        inner.backup = nil
        // The copy is private, so it can be changed; the caller's option applies to the store itself.
        inner.isDryRun = false
        inner.onCheckpoint = nil
        let report: RepairReport
        do {
            report = try StoreRepair(
                path: working.path, model: newStore.layout.model,
                rules: Array(VerificationRule.standingFor(Set(rules))), options: inner
            ).run()
        } catch let error as RepairError {
            // Users do not know the copy, so the error names the original.
            throw RepairError(code: error.code, path: path)
        }
        let uuid = try SQLiteStore(path: working.path).metadata.uuid
        let links = working.linkFindings(uuid: uuid, limit: options.exampleLimit)
        let asked = Set(rules.map(\.code))
        var repairs = links.filter { asked.contains($0.code) }.map { finding in
            RepairReport.Repair(
                rule: finding.code, subject: finding.subject ?? "", count: finding.count, removes: false,
                examples: finding.examples, sql: nil)
        }
        repairs += report.repairs.map(\.inAtomicStore).filter {
            VerificationRule(rawValue: $0.rule)?.concernsAtomicStores ?? true
        }
        let remaining =
            links.filter { !asked.contains($0.code) }
            + working.withoutNumbersLost(report.remaining).map(\.inAtomicStore).filter {
                $0.rule?.concernsAtomicStores ?? true
            }
        if !options.isDryRun, !repairs.isEmpty || options.output != nil {
            try checkLinks(remaining)
            try working.writeBack(
                newStore, to: options.output, backup: options.backup, isCancelled: options.isCancelled,
                onCheckpoint: options.onCheckpoint)
        }
        return RepairReport(
            store: path, result: options.output ?? path, isDryRun: options.isDryRun, repairs: repairs,
            remaining: remaining, notes: report.notes)
    }

    /// Throws for faults that the new file could not have, although their repair was not requested.
    private func checkLinks(_ remaining: [VerificationFinding]) throws(RepairError) {
        let codes = remaining.filter { finding in
            finding.rule == .danglingReference || (finding.rule == .oneSidedInverse && !isOneToOne(finding))
        }
        guard codes.isEmpty else {
            throw RepairError(code: .unavoidable(Set(codes.map(\.code)).sorted()), path: path)
        }
    }

    /// Returns whether the finding is about a one-to-one relationship, whose two columns can contradict each other in
    /// any type of store.
    private func isOneToOne(_ finding: VerificationFinding) -> Bool {
        let parts = (finding.subject ?? "").split(separator: ".", maxSplits: 1).map(String.init)
        guard parts.count == 2,
            let relationship = newStore.layout.model.entity(named: parts[0])?.relationship(named: parts[1])
        else { return false }
        return !relationship.isToMany && relationship.inverse.map { !$0.isToMany } ?? false
    }
}
