import KeyedArchives
import ManagedObjectModels
import MappingModels
public import PersistentStores
import SQLiteAccess

/// Computes the plan of a migration from a store that is open for reading. Nothing is written.
public struct MigrationPlanner {
    public struct Options: Sendable {
        public var placement: MigrationPlacement
        public var history: HistoryPolicy
        /// Whether to count every row and to look for faults that do not decide.
        public var isThorough: Bool

        public init(
            placement: MigrationPlacement = .replace(backup: nil), history: HistoryPolicy = .automatic,
            isThorough: Bool = false
        ) {
            self.placement = placement
            self.history = history
            self.isThorough = isThorough
        }
    }

    private let store: SQLiteStore
    private let source: VersionedModel
    private let destination: VersionedModel
    private let options: Options

    public init(store: SQLiteStore, from source: VersionedModel, to destination: VersionedModel, options: Options) {
        self.store = store
        self.source = source
        self.destination = destination
        self.options = options
    }

    /// - Throws: `StoreError` where the store cannot be read.
    public func plan() throws(StoreError) -> MigrationPlan {
        do {
            return try computePlan()
        } catch let error as StoreError {
            throw error
        } catch let error as SQLiteError {
            throw StoreError(error, path: store.files.path)
        } catch {
            throw StoreError(.corrupt("\(error)"), path: store.files.path)
        }
    }

    private func computePlan() throws -> MigrationPlan {
        let sourceLayout = store.layout(for: source.model)
        // Names of derived attributes do not enter the hashes: the tables have the last word.
        let isUpToDate = store.metadata.versionHashes == destination.hashes
            && store.layout(for: destination.model).problems.isEmpty
        if isUpToDate { return upToDatePlan() }
        var findings = sourceLayout.problems.map {
            MigrationFinding(
                .error, "schema-mismatch", cocoaCode: 134100,
                message: "\($0); the store is not of the version \(source.name); name the one that it is of with --from")
        }
        let correspondence = ModelCorrespondence(source: source.model, destination: destination.model)
        let inferred = InferredMapping(
            correspondence, sourceHashes: store.metadata.versionHashes, destinationHashes: destination.hashes)
        findings += inferred.refusals.map {
            MigrationFinding(
                .error, $0.findingCode, cocoaCode: $0.cocoaCode, subject: $0.subject, message: $0.sentence)
        }
        let layout = LayoutPrediction.layout(of: destination.model)
        let builder = TransferBuilder(
            correspondence: correspondence, source: sourceLayout, destination: layout, naming: .attached("source"))
        if findings.isEmpty {
            let here = TransferBuilder(
                correspondence: correspondence, source: sourceLayout, destination: layout, naming: .renamed([:]))
            findings += try DataChecks(store: store, builder: here).findings(for: inferred.dataDependentFailures)
            findings += try strangers(sourceLayout)
            findings += try DroppedData(store: store, layout: sourceLayout, correspondence: correspondence)
                .findings(countsRows: options.isThorough)
            if options.isThorough {
                findings += try DryRunChecks(store: store, layout: sourceLayout).findings()
            }
        }
        findings += columnLimit(layout)
        findings += hashFindings()
        let history = historyDecision(correspondence, sourceLayout, layout)
        findings += history.findings
        let kept = KeptObjects(
            schema: store.schema, owned: ProgramBuilder.ownedTables(of: sourceLayout), destination: layout,
            keepsHistory: history.isKept)
        findings += keptFindings(kept, layout)
        let bookkeeping = BookkeepingSteps(
            layout: layout, metadata: newMetadata(),
            systemRecords: store.entityRecords.filter { $0.isSystem && (history.isKept || !Self.isHistory($0)) },
            maximumKeys: maximumKeys(correspondence, sourceLayout))
        let programs = ProgramBuilder(builder: builder, schema: store.schema, kept: kept, bookkeeping: bookkeeping)
        let (method, reason) = findings.contains { $0.severity == .error }
            ? (MigrationPlan.Method.nothing, "the migration is refused") : try chooseMethod(programs, kept)
        let program: MigrationProgram? =
            switch method {
            case .nothing: nil
            case .newFile: programs.newFile()
            case .copy: programs.existingFile(arena: .copy)
            case .original: programs.existingFile(arena: .original)
            }
        let rows = try countRows(sourceLayout, correspondence, program)
        return MigrationPlan(
            sourcePath: store.files.path, destinationPath: destinationPath, placement: options.placement,
            storeUUID: store.metadata.uuid, sourceVersion: source.name, destinationVersion: destination.name,
            isUpToDate: false, method: method, methodReason: reason,
            entities: entityPlans(inferred.mappingModel, program, layout, rows), findings: findings,
            keptTables: kept.tables.map(\.name), bytesNeeded: bytesNeeded(method),
            bytesFree: FileSystem.freeSpace(FileSystem.directory(of: destinationPath)), program: program,
            destinationLayout: layout, metadata: bookkeeping.metadata, tableRows: rows.byTable)
    }

    private var destinationPath: String {
        if case .output(let path) = options.placement { path } else { store.files.path }
    }

    private func upToDatePlan() -> MigrationPlan {
        MigrationPlan(
            sourcePath: store.files.path, destinationPath: destinationPath, placement: options.placement,
            storeUUID: store.metadata.uuid, sourceVersion: destination.name, destinationVersion: destination.name,
            isUpToDate: true, method: .nothing, methodReason: "the store is at that version already", entities: [],
            findings: [], keptTables: [], bytesNeeded: 0,
            bytesFree: FileSystem.freeSpace(FileSystem.directory(of: destinationPath)), program: nil,
            destinationLayout: nil, metadata: store.metadata, tableRows: [:])
    }

    // MARK: - Decisions

    private func chooseMethod(
        _ programs: ProgramBuilder, _ kept: KeptObjects
    ) throws(SQLiteError) -> (MigrationPlan.Method, String) {
        if case .inPlace = options.placement { return (.original, "asked for with --in-place") }
        if let reason = kept.needsCopy { return (.copy, reason) }
        var expensive: [String] = []
        for (transfer, change) in programs.changes() {
            guard let change, let source = transfer.source else { continue }
            if !change.isIndependentOfRows, try isPopulated(source.name) { expensive.append(source.name) }
        }
        let used = Set(programs.builder.tables().compactMap { $0.source?.name })
        for table in programs.builder.source.tables where !used.contains(table.name) {
            if try isPopulated(table.name) { expensive.append(table.name) }
        }
        let joins = programs.builder.joinTables()
        let keptJoins = Set(joins.compactMap { $0.renamedFrom?.name })
        for table in programs.builder.source.joinTables where !keptJoins.contains(table.name) {
            if try isPopulated(table.name) { expensive.append(table.name) }
        }
        if expensive.isEmpty { return (.copy, "no row has to change: ALTER TABLE does all of it") }
        return (.newFile, "rows change in \(Set(expensive).sorted().joined(separator: ", "))")
    }

    private func isPopulated(_ table: String) throws(SQLiteError) -> Bool {
        try store.connection.value("SELECT 1 FROM \(SQLiteIdentifier.quoted(table)) LIMIT 1") != .null
    }

    private func bytesNeeded(_ method: MigrationPlan.Method) -> Int64 {
        let size = (FileSystem.size(store.files.path) ?? 0) + (FileSystem.size(store.files.writeAheadLog) ?? 0)
        let external: Int64
        if case .output = options.placement { external = store.files.externalDataSize } else { external = 0 }
        let backup = options.placement.backup == nil ? 0 : store.files.totalSize
        switch method {
        case .nothing: return 0
        // Indexes are sorted in temporary files of about their own size; half of the store is a generous guess.
        case .newFile: return size + size / 2 + external + backup
        case .copy: return size + size / 10 + external + backup
        case .original: return size + backup
        }
    }

    // MARK: - Metadata

    private func newMetadata() -> StoreMetadata {
        var metadata = store.metadata
        metadata.versionHashes = destination.hashes
        metadata.entries[StoreMetadata.Key.versionHashesVersion] = .integer(3)
        metadata.entries[StoreMetadata.Key.versionIdentifiers] =
            .array(destination.model.model.versionIdentifiers.map { .string($0) })
        metadata.entries[StoreMetadata.Key.versionHashesDigest] = .string(destination.digest)
        metadata.entries[StoreMetadata.Key.versionChecksum] = .string(destination.checksum)
        metadata.entries[StoreMetadata.Key.storeType] = .string("SQLite")
        return metadata
    }

    private func maximumKeys(_ correspondence: ModelCorrespondence, _ layout: StoreLayout) -> [String: Int64] {
        let records = Dictionary(store.entityRecords.map { ($0.number, $0.maximumKey) }, uniquingKeysWith: max)
        var result: [String: Int64] = [:]
        for root in destination.model.rootSlots {
            for slot in destination.model.entities[root].subtree {
                guard let old = correspondence.sourceSlot[slot] else { continue }
                let hierarchy = source.model.entities[source.model.entities[old].root].subtree
                let maximum = hierarchy.map { records[layout.entityNumbers[$0]] ?? 0 }.max() ?? 0
                let name = destination.model.entities[root].name
                result[name] = max(result[name] ?? 0, maximum)
            }
        }
        return result
    }

    // MARK: - Findings

    /// Rows whose entity number is none of their table's: Core Data cannot see them, and they do not go over.
    private func strangers(_ layout: StoreLayout) throws(SQLiteError) -> [MigrationFinding] {
        guard options.isThorough else { return [] }
        var result: [MigrationFinding] = []
        for table in layout.tables {
            let numbers = source.model.entities[table.root].subtree.map { String(layout.entityNumbers[$0]) }
            let count = try store.connection.value(
                "SELECT count(*) FROM \(SQLiteIdentifier.quoted(table.name)) "
                    + "WHERE Z_ENT IS NULL OR Z_ENT NOT IN (\(numbers.joined(separator: ", ")))"
            ).integer ?? 0
            guard count > 0 else { continue }
            result.append(
                MigrationFinding(
                    .warning, "unknown-entity-number", subject: source.model.entities[table.root].name,
                    message: "rows of \(table.name) have an entity number that is none of the table's; they are no objects, and "
                        + "go over only where the table stays as it is", count: count))
        }
        return result
    }

    private func columnLimit(_ layout: StoreLayout) -> [MigrationFinding] {
        let maximum = store.connection.maximumColumnCount
        return layout.tables.filter { $0.columns.count > maximum }.map { table in
            MigrationFinding(
                .error, "too-many-columns", cocoaCode: 134180, subject: destination.model.entities[table.root].name,
                message: "its table would need \(table.columns.count) columns, and SQLite allows \(maximum); "
                    + "split the entity")
        }
    }

    private func hashFindings() -> [MigrationFinding] {
        destination.unprovenHashes.sorted { $0.key < $1.key }.map { name, feature in
            MigrationFinding(
                .warning, "unproven-version-hash", cocoaCode: 134100, subject: name,
                message: "how \(feature) enters the version hash is not established: Core Data may not accept the "
                    + "store; open it once with the app before you ship it")
        }
    }

    private static func isHistory(_ record: EntityRecord) -> Bool {
        (16001...16003).contains(record.number)
    }

    private func historyDecision(
        _ correspondence: ModelCorrespondence, _ old: StoreLayout, _ new: StoreLayout
    ) -> (isKept: Bool, findings: [MigrationFinding]) {
        guard store.schema.table(named: "ATRANSACTION") != nil else { return (false, []) }
        let newNumbers = Set(new.entityNumbers)
        let meansTheSame = source.model.entities.allSatisfy { entity in
            let number = old.entityNumbers[entity.slot]
            guard let target = correspondence.destinationSlot[entity.slot] else { return !newNumbers.contains(number) }
            return new.entityNumbers[target] == number
        }
        switch (options.history, meansTheSame) {
        case (.drop, _):
            return (false, [MigrationFinding(.note, "history-dropped", message: "persistent history is dropped, as asked")])
        case (_, true): return (true, [])
        case (.keep, false):
            return (
                true,
                [
                    MigrationFinding(
                        .error, "history-numbers-change", cocoaCode: 134301,
                        message: "persistent history names entities by number, and the numbers change; "
                            + "leave out --history keep to drop it")
                ]
            )
        case (.automatic, false):
            return (
                false,
                [
                    MigrationFinding(
                        .warning, "history-dropped", cocoaCode: 134301,
                        message: "persistent history names entities by number, and the numbers change: it is dropped, and "
                            + "readers of it must start anew")
                ]
            )
        }
    }

    private func keptFindings(_ kept: KeptObjects, _ layout: StoreLayout) -> [MigrationFinding] {
        var result: [MigrationFinding] = []
        let unknown = kept.tables.filter { !KeptObjects.history.contains($0.name.uppercased()) }
        if !unknown.isEmpty {
            result.append(
                MigrationFinding(
                    .note, "unknown-tables",
                    message: "kept as they are: \(unknown.map(\.name).sorted().joined(separator: ", "))",
                    count: Int64(unknown.count)))
        }
        let names = Set((layout.tables.map(\.name) + layout.joinTables.map(\.name)).map { $0.uppercased() })
        for table in kept.tables where names.contains(table.name.uppercased()) {
            result.append(
                MigrationFinding(
                    .error, "table-in-the-way", subject: table.name,
                    message: "a table that is none of the model's has the name of a new one; rename or drop it"))
        }
        for trigger in kept.lost {
            result.append(
                MigrationFinding(
                    .warning, "trigger-lost", subject: trigger.table,
                    message: "the trigger \(trigger.name) goes with its table"))
        }
        result += layout.indexes().unsupported.map {
            MigrationFinding(.note, "index-left-out", subject: $0.entity, message: $0.sentence)
        }
        result += DerivedAttributeTriggers(layout: layout).unsupported.map {
            MigrationFinding(
                .warning, "derived-attribute-without-trigger", subject: $0,
                message: "no trigger is written for this derivation; the values stay what they are until Core Data "
                    + "computes them")
        }
        return result
    }

    // MARK: - Rows

    private struct RowCounts {
        /// By source slot.
        var byEntity: [Int: Int64] = [:]
        /// Rows that go into a destination table.
        var byTable: [String: Int64] = [:]
    }

    /// Counts the rows of tables that are read anyway; of all in a thorough plan.
    private func countRows(
        _ layout: StoreLayout, _ correspondence: ModelCorrespondence, _ program: MigrationProgram?
    ) throws(SQLiteError) -> RowCounts {
        var counts = RowCounts()
        let isRead = program.map { $0.arena == .newFile } ?? false
        guard options.isThorough || isRead else { return counts }
        for table in layout.tables {
            let quoted = SQLiteIdentifier.quoted(table.name)
            let entities = source.model.entities[table.root].subtree
            if entities.count == 1 {
                // Without a condition SQLite counts the smallest index.
                counts.byEntity[table.root] = try store.connection.value("SELECT count(*) FROM \(quoted)").integer ?? 0
            } else {
                for slot in entities { counts.byEntity[slot] = 0 }
                for row in try store.connection.rows("SELECT Z_ENT, count(*) FROM \(quoted) GROUP BY Z_ENT") {
                    guard let number = row[0].integer, let slot = layout.slot(ofEntityNumber: Int(number)) else { continue }
                    counts.byEntity[slot] = row[1].integer ?? 0
                }
            }
        }
        for (slot, count) in counts.byEntity {
            guard let target = correspondence.destinationSlot[slot] else { continue }
            let root = destination.model.entities[destination.model.entities[target].root]
            counts.byTable[LayoutPrediction.tableName(ofRoot: root), default: 0] += count
        }
        return counts
    }

    private func entityPlans(
        _ mapping: MappingModel, _ program: MigrationProgram?, _ layout: StoreLayout, _ rows: RowCounts
    ) -> [MigrationPlan.EntityPlan] {
        mapping.entityMappings.map { entity in
            let sourceSlot = entity.sourceEntityName.flatMap { source.model.slot(named: $0) }
            let table = entity.destinationEntityName.flatMap { destination.model.slot(named: $0) }
                .flatMap { layout.table(ofEntity: $0) }
            let tier = table.flatMap { program?.tiers[$0.name] }
            let reason =
                switch (entity.sourceEntityName, entity.destinationEntityName) {
                case (_, nil): "its objects are dropped"
                case (nil, _): "a new entity, without objects"
                default: tier?.reason ?? ""
                }
            return MigrationPlan.EntityPlan(
                mapping: entity.name, source: entity.sourceEntityName, destination: entity.destinationEntityName,
                tier: entity.sourceEntityName == nil ? .none : tier?.tier ?? .none, reason: reason,
                rows: sourceSlot.flatMap { rows.byEntity[$0] }, table: table?.name)
        }
    }
}

extension InferenceFailure {
    /// The stable name of the failure in findings.
    var findingCode: String {
        switch code {
        case .attributeTypeChanged: "attribute-type-changed"
        case .toManyBecameToOne: "to-many-became-to-one"
        case .mergedHierarchies: "merged-hierarchies"
        case .newAttributeWithoutDefault, .requiredWithoutDefault: "missing-required-value"
        case .newUniquenessConstraint: "uniqueness-violated"
        case .becameAbstract: "became-abstract"
        case .destinationNarrowed: "destination-narrowed"
        case .severalSources: "several-sources"
        case .sharedDestinations: "shared-destinations"
        }
    }
}
