import ManagedObjectModels
import PersistentStores
import SQLiteAccess
import StoreFetching
import StoreFixtures
import TestSupport

/// A store that tests fetch from, with its model.
struct OpenedSample {
    let store: SQLiteStore
    let layout: StoreLayout
    private let directory: TemporaryDirectory?

    /// The store of the sample Company, of the first version of its model, changed by statements.
    static func company(changedBy sql: String = "") throws -> OpenedSample {
        let directory = try TemporaryDirectory()
        let path = try Samples.buildStore("Company", in: directory)
        if !sql.isEmpty { try Connection(path: path, access: .readWrite).execute(sql) }
        let version = try ModelVersions(path: Samples.models("Company")).version("Company")
        return try OpenedSample(path: path, model: ResolvedModel(version.model()), directory: directory)
    }

    /// A store with made-up data of the newest version of a model in the samples.
    static func fixture(_ model: String, rows: Int, seed: UInt64) throws -> OpenedSample {
        try fixture(
            of: ResolvedModel(ModelVersions(path: Samples.path + "/" + model).current().model()), rows: rows, seed: seed
        )
    }

    /// A store with made-up data of a model.
    static func fixture(of resolved: ResolvedModel, rows: Int, seed: UInt64) throws -> OpenedSample {
        let directory = try TemporaryDirectory()
        let path = directory.file("store.sqlite")
        let hashes = ModelHashes.hashes(of: resolved)
        let checksum = ModelHashes.checksum(of: hashes)
        let newStore = NewStore(
            model: resolved, hashes: hashes.mapValues(\.bytes), digest: ModelHashes.digest(of: hashes),
            checksum: checksum, uuid: StoreFixture.uuid(seed: seed, checksum: checksum))
        _ = try StoreFixture(
            newStore: newStore, version: "test", options: FixtureOptions(rows: rows, seed: seed)
        ).write(to: path)
        return try OpenedSample(path: path, model: resolved, directory: directory)
    }

    init(path: String, model: ResolvedModel, directory: TemporaryDirectory? = nil) throws {
        store = try SQLiteStore(path: path)
        layout = store.layout(for: model)
        self.directory = directory
    }

    /// A store that carries its model; nil if it carries none, or lacks tables of it.
    init?(carryingModel path: String) throws {
        guard let opened = try? SQLiteStore(path: path), let document = try? opened.cachedModel(),
            let model = try? ResolvedModel(document.model)
        else { return nil }
        store = opened
        layout = opened.layout(for: model)
        directory = nil
        guard layout.problems.isEmpty else { return nil }
    }

    var model: ResolvedModel { layout.model }

    func plan(_ request: FetchRequest, _ evaluation: FetchEvaluation = .automatic) throws -> FetchPlan {
        try FetchCompiler.plan(
            request, layout: layout, storeUUID: store.metadata.uuid, evaluation: evaluation, now: 800_000_000)
    }

    /// The results as CSV, without the header.
    func lines(_ request: FetchRequest, _ evaluation: FetchEvaluation = .automatic) throws -> [String] {
        let cursor = try FetchCursor(plan(request, evaluation), store: store, layout: layout)
        var text: [UInt8] = []
        var dialect = CSVWriter.Dialect()
        dialect.hasHeader = false
        var writer = CSVWriter(OutputBuffer { text += $0 }, for: cursor, dialect: dialect)
        try writer.writeAll(cursor)
        return String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    /// The results as a store has them.
    func values(_ request: FetchRequest) throws -> [[SQLiteValue]] {
        let cursor = try FetchCursor(plan(request), store: store, layout: layout)
        var rows: [[SQLiteValue]] = []
        while try cursor.next() { rows.append(cursor.columns.indices.map { cursor.statement.value(Int32($0)) }) }
        return rows
    }

    /// The same of a statement of sqlite3's own, columns between commas.
    func rows(_ sql: String) throws -> [String] {
        try store.connection.rows(sql).map { row in
            row.map { value in
                switch value {
                case .null: ""
                case .integer(let number): "\(number)"
                case .real(let number): "\(number)"
                case .text(let bytes): String(decoding: bytes, as: UTF8.self)
                case .blob(let bytes): "\(bytes.count) bytes"
                }
            }.joined(separator: ",")
        }
    }
}
