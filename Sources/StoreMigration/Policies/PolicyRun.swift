import ManagedObjectModels
import PersistentStores
import PredicateExpressions
import SQLiteAccess
import SQLiteFileBuilder

/// The policies of one migration while it runs.
final class PolicyRun {
    /// A policy that is being executed, from its first phase to its last.
    final class Current {
        let step: PolicyStep
        /// The difference between the key of an object and the key of its source, and the slot of the objects' entity.
        /// They are copied from the step, because copying the whole step for each row would take too long.
        let offset: Int64
        let destination: Int
        /// The identity of this maker of objects; reading it does not change a reference count.
        var id: ObjectIdentifier { ObjectIdentifier(self) }
        private let hasCalls: Bool
        /// Created when the first pair is recorded.
        @exclusivity(unchecked) var associations: AssociationWriter?
        @exclusivity(unchecked) var writer: EntityRowWriter?
        /// The source of the last object that the mapping has created; it shows whether an object is the second one of
        /// its source.
        @exclusivity(unchecked) private var lastSource: Int64?
        /// An object that is not referenced elsewhere, and can be reused. It keeps its row.
        @exclusivity(unchecked) var spare: DestinationObject?
        /// The rows that were read ahead, while objects are created from them.
        var ahead: RecordBlock?
        var policy: EntityMigrationPolicy?
        var hasBegun = false
        var context: MigrationContext?
        /// The answers of the program that does the work; nil for a policy in Swift.
        var answers: CommandAnswers?
        /// The key of the last object that the mapping has created, while the file is being built.
        @exclusivity(unchecked) var lastBuilt = Int64.min
        /// The keys of all objects that were created while the file was being built.
        @exclusivity(unchecked) var made: KeyRuns

        init(_ step: PolicyStep, limits: MigrationLimits) {
            made = KeyRuns(limit: limits.madeKeyRuns)
            self.step = step
            offset = step.mapping.offset
            destination = step.mapping.destination
            hasCalls = !step.calls.isEmpty
        }

        /// The policy, if expressions call it; nil otherwise.
        var calledPolicy: EntityMigrationPolicy? { hasCalls ? policy : nil }

        /// Returns whether an object that is about to be created is the first of its source. Swift code gets the
        /// sources one after the other, but a program may answer the records of a batch in any order.
        func isFirst(of source: Int64) -> Bool {
            if let answers { return answers.isFirst(of: source) }
            defer { lastSource = source }
            return source != lastSource
        }
    }

    /// The prefix of the tables that lead from source objects to their destination objects, followed by the number of
    /// the mapping.
    static let keyTable = "FERRY_KEYS_"

    /// The connection to the new file, or a connection that only reads the source while the file is being built.
    private(set) var connection: Connection
    /// The connection to the file with the pairs of sources and objects, which is not the new file any more when this
    /// one has been built with all links.
    private(set) var pairs: Connection
    /// The new file while it is being built; nil otherwise.
    private(set) var build: PolicyBuild?
    /// The policy whose objects are appended to the file.
    private var building: Current?
    let program: PolicyProgram
    let external: ExternalValueReader
    let options: MigrationOptions
    /// The path of the file with the source's tables.
    var inputPath = ""
    var limits: BatchLimits { options.limits }
    let links: PolicyLinks
    /// Decimals that a store cannot keep with all their digits, by attribute.
    private var roundings: [String: InvalidObjects] = [:]
    /// Called with a table and the number of rows that were written to it.
    private let count: (String, Int64) -> Void
    private var currents: [String: Current] = [:]
    private var writers: [Int: EntityRowWriter] = [:]
    private var nextKeys: [Int: Int64] = [:]
    private var statements: [String: Statement] = [:]
    /// Those that read pairs.
    private var pairStatements: [String: Statement] = [:]
    /// The layouts of the source entities that were looked up, by slot.
    private var records: [Int: SourceRecordLayout] = [:]
    private var indexes: Set<String> = []
    @exclusivity(unchecked) var pending: [DestinationObject] = []

    init(
        _ program: PolicyProgram, connection: Connection, build: PolicyBuild?, external: ExternalValueReader,
        options: MigrationOptions, linkMemory: SpoolMemory?, isResumable: Bool, count: @escaping (String, Int64) -> Void
    ) throws {
        self.program = program
        self.connection = connection
        pairs = connection
        self.build = build
        self.external = external
        self.options = options
        self.count = count
        links = PolicyLinks(program.destination, connection, linkMemory, isResumable: isResumable)
    }

    // MARK: A file that is built

    /// Begins to append the objects of a policy to the file, unless its table already has rows.
    func beginBuilding(_ current: Current) throws {
        guard let build else { return }
        building = current
        if try build.table(current.step.table).lastRowID != nil { try needFile() }
    }

    /// Completes a file that is being built, because only SQLite can answer a request or change a row. SQLite writes
    /// the remaining rows.
    func needFile() throws {
        guard let build else { return }
        try build.end()
        guard let current = building, let pairs = current.step.pairsStatement else { return }
        try connection.execute(pairs)
        for object in pending where object.writer === current.writer {
            try associate(object.key - current.step.mapping.offset, object, current)
        }
    }

    /// Continues with a connection to the new file, which SQLite has opened.
    ///
    /// - Parameter hasPairs: whether the file contains the pairs; otherwise they stay in the file that was used before.
    func use(_ connection: Connection, hasPairs: Bool) {
        build = nil
        self.connection = connection
        links.connection = connection
        statements = [:]
        if hasPairs { (pairs, pairStatements) = (connection, [:]) }
        for writer in Array(writers.values) + currents.values.compactMap(\.writer) { writer.leaveFile() }
    }

    func current(_ step: PolicyStep) throws -> Current {
        if let known = currents[step.mapping.name] { return known }
        let current = Current(step, limits: options.fixedLimits)
        if case .code(let type) = step.policy { current.policy = type.init() }
        current.context = MigrationContext(step.mapping.mapping, run: self, current: current)
        currents[step.mapping.name] = current
        return current
    }

    // MARK: Objects

    @_optimize(speed)
    func createDestinationInstance(
        for source: SourceObject, _ current: Current, _ context: MigrationContext
    ) throws -> DestinationObject {
        // The key of the first object of a source is derived from the key of the source.
        let isFirst = current.isFirst(of: source.key)
        // Rows are appended in the order of their keys, and all keys are derived from those of the sources.
        if build != nil {
            let key = source.key + current.offset
            if !isFirst || key <= current.lastBuilt {
                try needFile()
            } else {
                current.lastBuilt = key
                current.made.append(key)
            }
        }
        let key = isFirst ? source.key + current.offset : try newKey(current.destination)
        let row = try source.row
        let object: DestinationObject
        if let spare = current.spare {
            current.spare = nil
            object = spare
            object.reuse(key: key, row: row)
        } else {
            object = DestinationObject(
                try current.writer ?? makeWriter(current), key: key, row: row, run: self, maker: current.id)
        }
        object.isAhead = source.isAhead
        if let policy = current.calledPolicy {
            let step = current.step
            for (index, call) in step.calls.enumerated() {
                try evaluate(call, index, step, source, policy, context, into: object)
            }
        }
        pending.append(object)
        // While a file is being built, the pairs follow from the keys.
        if build == nil { try associate(source.key, object, current) }
        return object
    }

    private func makeWriter(_ current: Current) throws -> EntityRowWriter {
        let writer = try EntityRowWriter(
            current.destination, of: program.destination, fill: current.step.fill, isStrict: program.isStrict,
            build: build)
        guard !writer.entity.isAbstract else {
            throw PolicyError("\(writer.entity.name) is abstract: it cannot have objects")
        }
        writer.read(current.ahead)
        current.writer = writer
        return writer
    }

    private func evaluate(
        _ call: PolicyValueCall, _ index: Int, _ step: PolicyStep, _ source: SourceObject,
        _ policy: EntityMigrationPolicy,
        _ context: MigrationContext, into object: DestinationObject
    ) throws {
        let first = step.firstArgument + step.calls[..<index].reduce(0) { $0 + $1.arguments.count }
        let value = try call.program.evaluate(
            in: PolicyExpressionContext(
                call: call, firstColumn: first, source: source, policy: policy, context: context, now: program.now))
        let loss = NumberLoss(of: value, as: call.attribute.type)
        guard loss == nil || loss == .digits, let stored = ValueFunction.stored(value, as: call.attribute.type) else {
            throw DestinationValue.refusal(of: value.attributeValue, call.attribute.name, call.attribute.type)
        }
        if loss == .digits, case .decimal(let digits)? = value.attributeValue {
            noteRounding(of: digits, "\(object.writer.entity.name).\(call.attribute.name)", object.objectID)
        }
        let column = try object.writer.position(of: call.attribute.name)
        object.own.set(stored, at: column)
    }

    func insert(_ entityName: String) throws -> DestinationObject {
        guard let slot = program.destination.model.slot(named: entityName) else {
            throw PolicyError("the new model has no entity \"\(entityName)\"")
        }
        let writer = try writer(slot)
        guard !writer.entity.isAbstract else {
            throw PolicyError("\(entityName) is abstract: it cannot have objects")
        }
        // Further objects of the mapping have lower keys, but would have to be appended after this one.
        if let building, writer.table == building.step.table { try needFile() }
        let object = DestinationObject(writer, key: try newKey(slot), row: nil, run: self)
        pending.append(object)
        return object
    }

    func writer(_ slot: Int) throws -> EntityRowWriter {
        if let known = writers[slot] { return known }
        let writer = try EntityRowWriter(
            slot, of: program.destination, fill: nil, isStrict: program.isStrict, build: build)
        writers[slot] = writer
        return writer
    }

    private func newKey(_ slot: Int) throws -> Int64 {
        let root = program.destination.model.entities[slot].root
        let key = try nextKeys[root] ?? firstKey(root)
        guard key < Int64.max else {
            throw PolicyError("there are no more keys for \(program.destination.model.entities[root].name)")
        }
        nextKeys[root] = key + 1
        return key
    }

    /// Returns the first key that no mapping assigns, and that no earlier run has assigned.
    private func firstKey(_ root: Int) throws -> Int64 {
        let first = program.firstFreeKeys[root] ?? 1
        guard let table = program.destination.table(ofEntity: root) else { return first }
        let last =
            if let build {
                try build.table(table.name).lastRowID
            } else {
                try connection.value("SELECT max(Z_PK) FROM main.\(SQLiteIdentifier.bare(table.name))").integer
            }
        guard let last, last >= first else { return first }
        return last == .max ? last : last + 1
    }

    func associate(_ source: Int64, _ destination: DestinationObject, _ current: Current) throws {
        try needFile()
        try associations(of: current).add(source, destination.key, entity: Int64(destination.writer.entityNumber))
    }

    private func associations(of current: Current) throws -> AssociationWriter {
        if let known = current.associations { return known }
        guard case .associated(let table, _) = current.step.mapping.keys else {
            throw PolicyError("the mapping has no policy")
        }
        try makeTable(ofPairs: table, current.step)
        let writer = try AssociationWriter(
            table, on: pairs, pairsPerStatement: options.fixedLimits.pairsPerStatement)
        current.associations = writer
        return writer
    }

    /// Replaces a view that derives pairs from the keys by a table, to which other pairs can be added.
    private func makeTable(ofPairs table: String, _ step: PolicyStep) throws {
        guard try isView(String(table.dropFirst("main.".count))), let pairs = step.pairsStatement else { return }
        try self.pairs.execute("DROP VIEW \(table); \(PolicyStep.pairsTable(table)); \(pairs)")
        // The view needed no indexes, but the table does.
        indexes = []
    }

    func isView(_ name: String) throws -> Bool {
        try pairs.value("SELECT type FROM main.sqlite_master WHERE name = ?", [.string(name)]).string == "view"
    }

    /// Writes all new objects and pairs, so that queries find them.
    func flush() throws {
        try flushObjects(of: nil)
        for current in currents.values { try current.associations?.flush() }
    }

    /// Writes new objects. After that, an object refers to a row only if it is kept for reuse.
    @_optimize(speed)
    func flushObjects(of current: Current?) throws {
        guard !pending.isEmpty else { return }
        if let current, pending.count == 1, var object = pending.popLast() {
            try object.writer.insert(object, of: self)
            object.isWritten = true
            if object.maker == current.id, isKnownUniquelyReferenced(&object) {
                current.spare = object
            } else {
                object.row = nil
            }
            return
        }
        for object in pending { try write(object) }
        pending.removeAll(keepingCapacity: true)
    }

    private func write(_ object: DestinationObject) throws {
        try object.writer.insert(object, of: self)
        object.isWritten = true
        object.row = nil
    }

    /// Reports the numbers of rows that were written since the last call.
    func reportRows() {
        for writer in Array(writers.values) + currents.values.compactMap(\.writer) where writer.unreported > 0 {
            count(writer.table, writer.unreported)
            writer.unreported = 0
        }
    }

    func noteRounding(of digits: String, _ subject: String, _ object: ManagedObjectID) {
        roundings[subject, default: InvalidObjects()].add(isCopied: false, value: digits) { object.uri }
    }

    /// Findings about the work of the policies.
    var findings: [MigrationFinding] {
        roundings.sorted { $0.key < $1.key }.map { subject, objects in
            MigrationFinding(
                .warning, "decimal-rounded", subject: subject,
                message: "decimals have more digits than a store keeps, and are rounded", count: objects.count,
                examples: objects.examples, values: objects.values)
        }
    }

    func checkCancelled() throws {
        if options.isCancelled?() ?? false { throw MigrationError(.cancelled, path: external.path) }
    }

    /// Returns the entities of the mapping's own objects, and of objects that policies have inserted. The keys of these
    /// are higher than all keys that mappings assign.
    func writtenEntities(_ current: Current) throws -> [ResolvedEntity] {
        var slots: Set<Int> = [current.step.mapping.destination]
        for table in program.destination.tables {
            let first = program.firstFreeKeys[table.root] ?? 1
            let numbers = try connection.rows(
                "SELECT DISTINCT Z_ENT FROM main.\(SQLiteIdentifier.bare(table.name)) WHERE Z_PK >= \(first)")
            slots.formUnion(
                numbers.compactMap { $0[0].integer.flatMap { program.destination.slot(ofEntityNumber: Int($0)) } })
        }
        return slots.sorted().map { program.destination.model.entities[$0] }
    }

    // MARK: Statements

    func statement(_ sql: String) throws -> Statement {
        if let known = statements[sql] { return known }
        let statement = try connection.prepare(sql, persistent: true)
        statements[sql] = statement
        return statement
    }

    /// Returns a statement that reads pairs.
    func pairStatement(_ sql: String) throws -> Statement {
        if let known = pairStatements[sql] { return known }
        let statement = try pairs.prepare(sql, persistent: true)
        pairStatements[sql] = statement
        return statement
    }

    /// Releases the rows that were looked up.
    func leaveRows() {
        for statement in Array(statements.values) + Array(pairStatements.values) { statement.reset() }
    }

    /// Returns the layout of a source entity's values, which is created once.
    func record(of slot: Int) -> SourceRecordLayout {
        if let known = records[slot] { return known }
        let record = SourceRecordLayout(entity: slot, of: program.source, naming: program.naming)
        records[slot] = record
        return record
    }

    /// Creates an index for lookups, because the tables get their own indexes at the end. It is removed after the last
    /// policy.
    ///
    /// - Parameter connection: the connection to the file with the table.
    func needIndex(on table: String, _ columns: [String], _ connection: Connection) throws {
        let name = "\(Self.lookupIndex)\(table)_\(columns.joined(separator: "_"))"
        // Pairs that follow from the keys are looked up by these.
        guard indexes.insert(name).inserted, try !isView(table) else { return }
        try connection.execute(
            "CREATE INDEX IF NOT EXISTS main.\(SQLiteIdentifier.quoted(name)) ON \(SQLiteIdentifier.quoted(table)) "
                + "(\(columns.map(SQLiteIdentifier.quoted).joined(separator: ", ")))")
    }

    private static let lookupIndex = "FERRY_LOOKUP_"

    /// Removes everything that the policies of this run and of earlier runs have used.
    func finish() throws {
        (statements, pairStatements) = ([:], [:])
        currents = [:]
        writers = [:]
        indexes = []
        for (kind, names) in [("INDEX", Self.lookupIndex), ("VIEW", Self.keyTable), ("TABLE", Self.keyTable)] {
            let objects = try connection.rows(
                "SELECT name FROM main.sqlite_master WHERE type = '\(kind.lowercased())' AND name GLOB '\(names)*'")
            for name in objects.compactMap({ $0[0].string }) {
                try connection.execute("DROP \(kind) main.\(SQLiteIdentifier.quoted(name))")
            }
        }
    }
}
