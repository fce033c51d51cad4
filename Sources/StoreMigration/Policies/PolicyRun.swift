import ManagedObjectModels
import PersistentStores
import PredicateExpressions
import SQLiteAccess
import SQLiteFileBuilder

/// The policies of one migration while it runs.
final class PolicyRun {
    /// A policy at work, from its first phase to its last.
    final class Current {
        let step: PolicyStep
        /// What the keys of objects exceed those of their sources by, and the slot of their entity. They stand here,
        /// too, as a step is much to copy for each row.
        let offset: Int64
        let destination: Int
        /// Tells what it has made; no count of references changes with it.
        var id: ObjectIdentifier { ObjectIdentifier(self) }
        private let hasCalls: Bool
        /// Made when the first pair is noted.
        @exclusivity(unchecked) var associations: AssociationWriter?
        @exclusivity(unchecked) var writer: EntityRowWriter?
        /// The source of the object that the mapping made last, by which a second one is noticed.
        @exclusivity(unchecked) private var lastSource: Int64?
        /// An object that nothing else holds, to be used again; it keeps its row.
        @exclusivity(unchecked) var spare: DestinationObject?
        /// The rows that were read ahead, while objects are made of them.
        var ahead: RecordBlock?
        var policy: EntityMigrationPolicy?
        var hasBegun = false
        var context: MigrationContext?
        /// Where a program does the work.
        var answers: CommandAnswers?
        /// The key of the object that the mapping made last, while the file is built.
        @exclusivity(unchecked) var lastBuilt = Int64.min
        /// The keys of all objects that were made while the file was built.
        @exclusivity(unchecked) var made: KeyRuns

        init(_ step: PolicyStep, limits: MigrationLimits) {
            made = KeyRuns(limit: limits.madeKeyRuns)
            self.step = step
            offset = step.mapping.offset
            destination = step.mapping.destination
            hasCalls = !step.calls.isEmpty
        }

        /// The policy, if expressions call it.
        var calledPolicy: EntityMigrationPolicy? { hasCalls ? policy : nil }

        /// Whether an object about to be made is the first of its source. Code of a policy has one source after the
        /// other; a program answers the records of a batch in any order.
        func isFirst(of source: Int64) -> Bool {
            if let answers { return answers.isFirst(of: source) }
            defer { lastSource = source }
            return source != lastSource
        }
    }

    /// What the names of the tables begin with that lead from sources to their objects; the number of the mapping
    /// follows.
    static let keyTable = "FERRY_KEYS_"

    /// What has the new file open; while that is built, what only reads the source.
    private(set) var connection: Connection
    /// The new file while it is built.
    private(set) var build: PolicyBuild?
    /// The policy whose objects are appended to it.
    private var building: Current?
    let program: PolicyProgram
    let external: ExternalValueReader
    let options: MigrationOptions
    /// The file that has the source's tables.
    var inputPath = ""
    var limits: BatchLimits { options.limits }
    let links: PolicyLinks
    /// Decimals of which a store cannot keep all digits, by the attribute.
    private var roundings: [String: InvalidObjects] = [:]
    /// Told how many rows came into which table.
    private let count: (String, Int64) -> Void
    private var currents: [String: Current] = [:]
    private var writers: [Int: EntityRowWriter] = [:]
    private var nextKeys: [Int: Int64] = [:]
    private var statements: [String: Statement] = [:]
    /// Where the values of the entities stand that were looked up.
    private var records: [Int: SourceRecordLayout] = [:]
    private var indexes: Set<String> = []
    @exclusivity(unchecked) var pending: [DestinationObject] = []

    init(
        _ program: PolicyProgram, connection: Connection, build: PolicyBuild?, external: ExternalValueReader,
        options: MigrationOptions, count: @escaping (String, Int64) -> Void
    ) throws {
        self.program = program
        self.connection = connection
        self.build = build
        self.external = external
        self.options = options
        self.count = count
        links = try PolicyLinks(program.destination, connection)
    }

    // MARK: A file that is built

    /// The policy begins whose objects are appended to the file, unless its table has rows already.
    func beginBuilding(_ current: Current) throws {
        guard let build else { return }
        building = current
        if try build.table(current.step.fill.table).lastRowID != nil { try needFile() }
    }

    /// For what only SQLite can answer or change: a file that is being built ends with the rows that it has, and SQLite
    /// writes the others.
    func needFile() throws {
        guard let build else { return }
        try build.end()
        guard let current = building, let pairs = current.step.pairsStatement else { return }
        try connection.execute(pairs)
        for object in pending where object.writer === current.writer {
            try associate(object.key - current.step.mapping.offset, object, current)
        }
    }

    /// Goes on with SQLite.
    func use(_ connection: Connection) {
        build = nil
        self.connection = connection
        links.connection = connection
        statements = [:]
        for writer in Array(writers.values) + currents.values.compactMap(\.writer) { writer.endBuilding() }
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
        // The first object of a source has the key that follows from its source's.
        let isFirst = current.isFirst(of: source.key)
        // Rows are appended in the order of the keys, and all of them have their sources' keys.
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
        // In a file that is built the pairs follow from the keys.
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
            throw PolicyError("\(call.attribute.name) is of type \(call.attribute.type.name), and cannot take \(value)")
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
        // Those that mappings make come behind it, and have lower keys.
        if let building, writer.table == building.step.fill.table { try needFile() }
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

    /// The first key that neither a mapping gives nor an earlier run has given.
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
            table, on: connection, pairsPerStatement: options.fixedLimits.pairsPerStatement)
        current.associations = writer
        return writer
    }

    /// Pairs that followed from the keys stand in a table from now on, to which others can be added.
    private func makeTable(ofPairs table: String, _ step: PolicyStep) throws {
        guard try isView(String(table.dropFirst("main.".count))), let pairs = step.pairsStatement else { return }
        try connection.execute("DROP VIEW \(table); \(PolicyStep.pairsTable(table)); \(pairs)")
        // What needed no index of a view needs one of the table.
        indexes = []
    }

    func isView(_ name: String) throws -> Bool {
        try connection.value("SELECT type FROM main.sqlite_master WHERE name = ?", [.string(name)]).string == "view"
    }

    /// Writes all that is new, so that queries find it.
    func flush() throws {
        try flushObjects(of: nil)
        for current in currents.values { try current.associations?.flush() }
    }

    /// Writes what is new of objects. Rows stand in no object's memory after that.
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

    /// What was written since the last call.
    func reportRows() {
        for writer in Array(writers.values) + currents.values.compactMap(\.writer) where writer.unreported > 0 {
            count(writer.table, writer.unreported)
            writer.unreported = 0
        }
    }

    func noteRounding(of digits: String, _ subject: String, _ object: ManagedObjectID) {
        roundings[subject, default: InvalidObjects()].add(isCopied: false, value: digits) { object.uri }
    }

    /// What is to be said of what the policies did.
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

    /// The entities of the mapping's own objects, and of those that policies have inserted: their keys are beyond those
    /// that mappings give.
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

    /// Lets go of the rows that were looked up.
    func leaveRows() { statements.values.forEach { $0.reset() } }

    /// Where the values of a source entity's objects stand.
    func record(of slot: Int) -> SourceRecordLayout {
        if let known = records[slot] { return known }
        let record = SourceRecordLayout(entity: slot, of: program.source, naming: program.naming)
        records[slot] = record
        return record
    }

    /// An index for look-ups, on tables that have none before the end; it goes with the last policy.
    func needIndex(on table: String, _ columns: [String]) throws {
        let name = "\(Self.lookupIndex)\(table)_\(columns.joined(separator: "_"))"
        // Pairs that follow from keys are found by these.
        guard indexes.insert(name).inserted, try !isView(table) else { return }
        try connection.execute(
            "CREATE INDEX IF NOT EXISTS main.\(SQLiteIdentifier.quoted(name)) ON \(SQLiteIdentifier.quoted(table)) "
                + "(\(columns.map(SQLiteIdentifier.quoted).joined(separator: ", ")))")
    }

    private static let lookupIndex = "FERRY_LOOKUP_"

    /// Removes everything that the policies used, also of earlier runs.
    func finish() throws {
        statements = [:]
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
