import PersistentStores
import PredicateExpressions
import SQLiteAccess
import SQLiteFileBuilder
import StoreAssembly
import StoreEditing

/// Builds the tables of a new file bottom-up, before SQLite opens the file.
extension MigrationRun {
    /// Builds the tables that the builder can write.
    ///
    /// - Returns: the tables; nil if SQLite has to write all of them.
    func buildTables(
        _ program: MigrationProgram, _ plan: MigrationPlan, settings: String, staged: String, isResumable: Bool,
        mustBuild: Bool
    ) throws -> BuiltTables? {
        guard options.writer != .sqlite else { return nil }
        let steps = BuildableSteps(program, appendsObjects: !isResumable)
        var declined = steps.declined
        if declined.isEmpty {
            do {
                var statements = [settings]
                for position in steps.schema { statements += [program.steps[position].sql].compactMap { $0 } }
                let schema = try options.schemas.schema(making: statements)
                declined = schema.declined
                if declined.isEmpty { return try build(steps, schema, program, plan, staged) }
            } catch let error as SQLiteError {
                throw StoreError(error, path: plan.shownPath)
            }
        }
        guard !mustBuild else {
            throw MigrationError(.cannotBuild(declined), path: plan.shownPath)
        }
        return nil
    }

    private func build(
        _ steps: BuildableSteps, _ schema: DatabaseSchema, _ program: MigrationProgram, _ plan: MigrationPlan,
        _ staged: String
    ) throws -> BuiltTables {
        let watch = program.watchedMappings.isEmpty ? nil : ValueWatch()
        var program = program
        if let watch { program.valueFunctions = program.valueFunctions.map { $0.watched { watch.note() } } }
        return try withBuildErrors(plan) {
            let connection = try reader(of: program, plan)
            defer { try? connection.close() }
            let connections = readers(of: program, plan)
            defer { connections.close() }
            let runner = self.runner(plan, connection, inOneTransaction: false)
            runner.watch = watch
            runner.checkData = { [unowned self] in try checkData(plan) }
            runner.valueFunctions = program.valueFunctions
            let built = BuiltTables(runner, schema, done: steps.all, of: program.steps)
            try timed("transferring") {
                try runner.run(steps.keys.map { program.steps[$0] })
                let build = try NewStoreBuild(at: staged, schema, options.fixedLimits.build)
                let changed = steps.links.flatMap { program.steps[$0].linkChange?.tables ?? [] }
                if !changed.isEmpty { try build.expectChangedLinks(ofTables: Set(changed)) }
                let rows = try runner.build(steps.fills.map { program.steps[$0] }, into: build, connections)
                built.rows = Dictionary(uniqueKeysWithValues: zip(steps.fills, rows))
                try runner.changeLinks(steps.links.map { program.steps[$0] }, of: build)
                try run(steps.policies, program, plan, staged, build, built, connections)
                if built.connection == nil { try build.finish { try runner.checkCancelled() } }
            }
            return built
        }
    }

    /// Lets the builder write the new file with the objects that a connection has written to a separate file, and with
    /// all links.
    ///
    /// - Returns: the steps that are finished, counted from 0.
    func link(
        _ linked: LinkedProgram, _ schema: DatabaseSchema, _ program: MigrationProgram, _ plan: MigrationPlan,
        _ runner: StepRunner, to staged: String
    ) throws -> [FinishedStep] {
        if runner.connection.isInTransaction { try runner.connection.execute("COMMIT") }
        return try withBuildErrors(plan) {
            let connections = readers(of: program, plan)
            defer { connections.close() }
            let rows = try BuiltRows(of: runner.connection)
            let build = try NewStoreBuild(at: staged, schema, options.fixedLimits.build, changing: rows)
            var counts = try runner.build(linked.fills, into: build, connections)
            counts += try runner.link(linked.links, of: build, connections)
            try build.finish { try runner.checkCancelled() }
            return zip(linked.fills + linked.links, counts).enumerated().map { ($0, $1.0.table, $1.1) }
        }
    }

    /// Calls a closure. An error of the builder becomes an error of the migration.
    private func withBuildErrors<Result>(_ plan: MigrationPlan, _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as BuildError {
            switch error.kind {
            case .notUnique, .notAscending, .missing:
                throw MigrationError(.constraint(error.description), path: plan.shownPath)
            case .file(_, let number):
                throw StoreError(FileError(.write, error.path, number: number))
            default: throw MigrationError(.step("build the tables", error.description), path: plan.shownPath)
            }
        }
    }

    /// Returns the connections with which several threads read the source.
    private func readers(of program: MigrationProgram, _ plan: MigrationPlan) -> ReaderConnections {
        // If a process has crashed while writing, each connection reads its own copy of the store, so only one reads.
        let isCopied = FileSystem.exists(StoreFiles(plan.inputPath).journal)
        return ReaderConnections(isCopied ? 1 : options.readers) { [self, program] in try reader(of: program, plan) }
    }

    /// Lets policies append their objects, until one of them needs the file.
    private func run(
        _ policies: [Int], _ program: MigrationProgram, _ plan: MigrationPlan, _ staged: String,
        _ build: NewStoreBuild, _ built: BuiltTables, _ connections: ReaderConnections
    ) throws {
        for position in policies where built.connection == nil {
            built.runner.policyBuild = PolicyBuild(build, connections) { [self, unowned built] in
                try build.finish { try checkCancelled(plan) }
                let connection = try openStaged(staged)
                try prepare(connection)
                try attachSource(of: program, plan, to: connection)
                connection.onProgress(everyInstructions: 100_000) { [options] in options.isCancelled?() ?? false }
                for statement in built.schema.indexStatements { try connection.execute(statement) }
                for (earlier, step) in built.left where earlier < position {
                    if let sql = step.sql { try connection.execute(sql) }
                    built.done.insert(earlier)
                }
                built.connection = connection
                built.runner.use(connection)
                try connection.execute("BEGIN")
            }
            try built.runner.run([program.steps[position]])
            built.end(position)
        }
    }

    /// Returns a connection with an empty database in memory, to which the source and the tables of keys are attached.
    private func reader(of program: MigrationProgram, _ plan: MigrationPlan) throws -> Connection {
        let connection = try Connection(path: ":memory:", access: .create, busyTimeout: options.lockTimeout)
        // All databases of a connection have the same encoding.
        if let encoding = try DatabaseFile(path: plan.inputPath).textEncoding {
            try connection.execute("PRAGMA encoding = '\(encoding.name)'")
        }
        try registerCoreDataFunctions(connection)
        connection.setDefensive(false)
        try attachSource(of: program, plan, to: connection)
        return connection
    }

    /// Attaches the source as `source` for reading, and registers the functions that the program calls.
    func attachSource(of program: MigrationProgram, _ plan: MigrationPlan, to connection: Connection) throws {
        if program.usesExpressionFunctions { try connection.registerEditFunctions() }
        for function in program.valueFunctions { try function.register(on: connection) }
        try connection.attach(path: plan.inputPath, as: "source", access: .readOnly)
        try keyTables?.attach(to: connection)
        if keyTables != nil { try KnownKeys.register(on: connection, options.fixedLimits) }
    }
}
