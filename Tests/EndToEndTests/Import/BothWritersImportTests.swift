import Foundation
import SQLiteAccess
import TestSupport
import Testing

/// Imports into new stores by the builder, where it can, and by SQLite: the same store, whoever writes it.
@Suite struct BothWritersImportTests {
    /// An import with a mapping, of the samples or of other people's files.
    struct Case: Sendable, CustomStringConvertible {
        let description: String
        let words: [String]
        let model: String
    }

    private static let examples: [Case] = {
        let mappings = URL(fileURLWithPath: Samples.path).deletingLastPathComponent().path + "/Mappings"
        func example(_ files: [String], _ mapping: String, _ model: String) -> Case {
            let words =
                files.map { "\(Samples.path)/\(model)/import/\($0)" }
                + ["--mapping", "\(mappings)/\(model)/\(mapping).yaml", "--models", Samples.models(model)]
                + ["--progress", "none"]
            return Case(description: mapping, words: words, model: Samples.models(model))
        }
        return [
            example(["divisions.csv", "employees.csv", "projects.csv", "team.csv"], "directory", "Company"),
            example(["chefs.ndjson"], "chefs", "Recipes"),
            example(["recipes.json"], "recipes-json", "Recipes"),
            example(["recipes.xml"], "recipes-xml", "Recipes"),
        ]
    }()

    private static let realData =
        Corpus.isPresent
        ? RealData.all.map { Case(description: $0.name, words: $0.words, model: $0.modelPath) } : []

    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    @Test(.long, arguments: examples + realData)
    func bothWritersMakeTheSameStore(_ data: Case) throws {
        var contents: [[String: [[SQLiteValue]]]] = []
        var statuses: [Int32] = []
        for writer in ["auto", "sqlite"] {
            let store = directory.file("\(writer).sqlite")
            let run = try ToolProcess.ferry(
                ["import"] + data.words + ["--store", store, "--writer", writer])
            statuses.append(run.status)
            try #require(FileManager.default.fileExists(atPath: store), "\(run.summary)")
            contents.append(try content(store))
            try checkLayout(store, data.model)
        }
        #expect(statuses[0] == statuses[1])
        #expect(contents[0] == contents[1])
    }

    /// The schema and all rows of all tables but the metadata, whose UUID is the store's own. The file is whole.
    ///
    /// Rows of join tables are what they hold: nothing refers to their row IDs, and each writer adds them in an order of
    /// its own, the builder in that of the keys and SQLite in that of the source. Versions of rows are above 0: SQLite
    /// counts one more for an object that a list leads to, since it writes the row before the link.
    private func content(_ store: String) throws -> [String: [[SQLiteValue]]] {
        let connection = try Connection(path: store, access: .readOnly)
        defer { try? connection.close() }
        #expect(try connection.value("PRAGMA integrity_check") == "ok")
        #expect(try connection.rows("PRAGMA foreign_key_check").isEmpty)
        let schema = "SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY name"
        var content = ["": try connection.rows(schema)]
        for table in try connection.rows("SELECT name FROM sqlite_schema WHERE type = 'table'") {
            guard let name = table[0].string, name != "Z_METADATA" else { continue }
            let table = SQLiteIdentifier.quoted(name)
            let names = try connection.rows("PRAGMA table_info(\(table))").compactMap { $0[1].string }
            let columns =
                (name.hasPrefix("Z_") ? [] : ["rowid"])
                + names.filter { $0 != "Z_OPT" }.map { SQLiteIdentifier.quoted($0) }
            let places = columns.indices.map { "\($0 + 1)" }
            content[name] = try connection.rows(
                "SELECT \(columns.joined(separator: ", ")) FROM \(table) ORDER BY \(places.joined(separator: ", "))")
            guard names.contains("Z_OPT") else { continue }
            #expect(try connection.value("SELECT count(*) FROM \(table) WHERE Z_OPT < 1") == .integer(0))
        }
        return content
    }

    private func checkLayout(_ store: String, _ model: String) throws {
        guard StoreChecker.isPresent else { return }
        for command in ["layout", "integrity"] {
            let verdict = try StoreChecker.check(command, store, model)
            #expect(verdict.status == 0 && !verdict.text.contains("warning:"), "\(command): \(verdict.text)")
        }
    }
}
