import Foundation
import ImportMappings
import ImportTestSupport
import ManagedObjectModels
import PersistentStores
import RecordSources
import SQLiteAccess
import StoreImport
import TestSupport
import Testing

/// A directory with a model, a store that may not exist yet, and source files.
struct ImportFixture {
    let directory: TemporaryDirectory
    let model: ResolvedModel
    let store: String

    /// - Parameter model: a model's `contents` file, or its text.
    init(model path: String) throws {
        directory = try TemporaryDirectory()
        store = directory.file("store.sqlite")
        let folder = directory.file("Model.xcdatamodel")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: path, toPath: folder + "/contents")
        model = try Self.resolve(folder)
    }

    /// - Parameter entities: the entities of a model as XML.
    init(entities: String) throws {
        directory = try TemporaryDirectory()
        store = directory.file("store.sqlite")
        let folder = directory.file("Model.xcdatamodel")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let text = """
            <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
            <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">\(entities)</model>
            """
        try Data(text.utf8).write(to: URL(fileURLWithPath: folder + "/contents"))
        model = try Self.resolve(folder)
    }

    /// - Parameter model: a model with what no source of one holds.
    init(model: ManagedObjectModel) throws {
        directory = try TemporaryDirectory()
        store = directory.file("store.sqlite")
        self.model = try ResolvedModel(model)
    }

    private static func resolve(_ path: String) throws -> ResolvedModel {
        guard let version = try ModelVersions(path: path).versions.first else { throw CocoaError(.fileReadNoSuchFile) }
        return try ResolvedModel(try version.document().model)
    }

    func write(_ text: String, as name: String) throws -> String {
        let path = directory.file(name)
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        return path
    }

    @discardableResult
    func run(
        _ sources: [String], _ plan: ImportRun.Plan, options: ImportOptions = ImportOptions()
    ) throws -> ImportReport {
        let report = try ImportRun(target: target, sources: sources, plan: plan, options: options).run()
        // Tests ask for the builder if they are about what is assembled.
        if options.writer == .builder, report.writer != nil {
            #expect(report.isAssembled, "\(report.lookupReasons ?? [])")
        }
        return report
    }

    /// Imports the records of a sequence.
    @discardableResult
    func run(
        records: sending some Sequence<[String: RecordValue]>, columns: [String], _ plan: ImportRun.Plan,
        options: ImportOptions = ImportOptions()
    ) throws -> ImportReport {
        try ImportRun(target: target, records: records, columns: columns, plan: plan, options: options).run()
    }

    var target: ImportRun.Target {
        var hashes: [String: VersionHash] = [:]
        for entity in ModelHashes.entityHashes(of: model) { hashes[entity.entityName] = entity.hash }
        let newStore = NewStore(
            model: model, hashes: hashes.mapValues(\.bytes), digest: ModelHashes.digest(of: hashes),
            checksum: ModelHashes.checksum(of: hashes), uuid: "00000000-0000-0000-0000-000000000001")
        return ImportRun.Target(path: store, model: model, newStore: newStore)
    }

    /// Imports a text by a mapping file's text.
    @discardableResult
    func run(
        _ text: String, as name: String, mapping: String, options: ImportOptions = ImportOptions()
    ) throws -> ImportReport {
        let mapping = try ImportMapping(yaml: "import: 1\n" + mapping)
        return try run([try write(text, as: name)], .mapping(mapping), options: options)
    }

    /// What the independent checker of stores finds; empty if it finds nothing, or is not there.
    func faults() throws -> [String] {
        guard StoreChecker.isPresent else { return [] }
        return try ["layout", "integrity"].compactMap { check in
            let verdict = try StoreChecker.check(check, store, directory.file("Model.xcdatamodel"))
            return verdict.text.contains("0 errors, 0 warnings") ? nil : verdict.text
        }
    }

    /// All rows of all tables, and the schema. A value that is in a file is that file's content.
    func content() throws -> [String: [[SQLiteValue]]] {
        let connection = try Connection(path: store, access: .readOnly)
        defer { try? connection.close() }
        var content = [
            "schema": try connection.rows("SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY name")
        ]
        let folder = directory.file(".store_SUPPORT/_EXTERNAL_DATA/")
        for table in try connection.rows("SELECT name FROM sqlite_schema WHERE type = 'table'") {
            let name = table[0].string ?? ""
            let rows = try connection.rows("SELECT rowid, * FROM \(SQLiteIdentifier.quoted(name)) ORDER BY 1")
            content[name] = rows.map { row in
                row.map { value in
                    guard case .blob(let bytes) = value, bytes.first == 2, bytes.count > 36,
                        let file = try? Data(
                            contentsOf: URL(
                                fileURLWithPath: folder + String(decoding: bytes[1..<37], as: UTF8.self)))
                    else { return value }
                    return .blob(Array(file))
                }
            }
        }
        return content
    }

    /// The rows of a query, the values of a row joined by `|`.
    func rows(_ query: String) throws -> [String] {
        let connection = try Connection(path: store, access: .readOnly)
        defer { try? connection.close() }
        return try connection.rows(query).map { row in
            row.map { value in
                switch value {
                case .null: "NULL"
                case .integer(let number): String(number)
                case .real(let number): String(number)
                case .text(let bytes): String(decoding: bytes, as: UTF8.self)
                case .blob(let bytes): bytes.map { String($0, radix: 16) }.joined()
                }
            }.joined(separator: "|")
        }
    }
}
