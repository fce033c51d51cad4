import Foundation
import TestSupport
import Testing

/// Objects that would not come back are left out of the files one by one, and named; the others are written.
@Suite struct ExportRefusalTests {
    private let directory: TemporaryDirectory
    private static let model = ["--models", Samples.models("Company"), "--version", "Company"]

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func ferry(_ words: [String]) throws -> ToolProcess.Result {
        try ToolProcess.ferry(words + Self.model, in: directory.path)
    }

    private func rows(_ store: String) throws -> [String] {
        let run = try ferry([
            "fetch", store, "--entity", "Employee", "--no-subentities", "--format", "csv",
            "--columns", "employeeID,lastName,phone,level,photo",
        ])
        #expect(run.status == 0, "\(run.summary)")
        return run.output.split(separator: "\n").map(String.init).sorted()
    }

    /// A column with a value that comes back in every object but two, and the mapping of its attribute.
    struct Case: Sendable, CustomTestStringConvertible {
        let column: String
        /// What every object has, as SQL.
        let value: String
        /// What the two objects have, as SQL: it would not come back.
        let odd: String
        let attribute: String
        /// Why it would not, and what the warning of the attribute says.
        let reason: String
        let warning: String
        var format = "csv"
        var testDescription: String { "\(format): \(attribute)" }
    }

    static let cases = [
        Case(
            column: "ZPHONE", value: "'x' || Z_PK", odd: "NULL", attribute: "phone: {from: phone, default: nobody}",
            reason: "phone is NULL, and the import would make it \"nobody\"",
            warning: "NULL, for which the import takes the default"),
        Case(
            column: "ZLEVEL", value: "3", odd: "NULL", attribute: "level: {from: level, default: 7}",
            reason: "level is NULL, and the import would make it 7",
            warning: "with default: '' it would not", format: "json"),
        Case(
            column: "ZPHONE", value: "'x'", odd: "''", attribute: "phone: {from: phone, emptyAsNull: always}",
            reason: "phone is \"\", and the import would make it NULL",
            warning: "an empty text, which would be NULL"),
        Case(
            column: "ZPHONE", value: "'x'", odd: "''", attribute: "phone: phone",
            reason: "phone is \"\", and the import would make it NULL",
            warning: "set emptyAsNull: never", format: "xml"),
        Case(
            column: "ZPHONE", value: "'x'", odd: "'\\N'", attribute: "phone: phone",
            reason: "phone is \"\\\\N\", and the import would make it NULL",
            warning: "set nullTokens: []", format: "xml"),
        Case(
            column: "ZPHONE", value: "'x'", odd: "' y'", attribute: "phone: {from: phone, trim: true}",
            reason: "phone is \" y\", and the import would make it \"y\"",
            warning: "white space at an end"),
        Case(
            column: "ZPHONE", value: "'x'", odd: "'y'", attribute: "phone: {constant: x}",
            reason: "phone is \"y\", and the import would make it \"x\"",
            warning: "a value other than the constant \"x\""),
        Case(
            column: "ZPHOTO", value: "X'0141'", odd: "X'01'", attribute: "photo: photo",
            reason: "photo is data of 0 bytes, and the import would make it NULL",
            warning: "data of no bytes"),
    ]

    @Test(.long, arguments: cases) func theOthersAreWrittenAndComeBack(_ test: Case) throws {
        let store = try Samples.buildStore("Company", in: directory)
        try SQLiteSession(on: store).run(
            "UPDATE ZPERSON SET ZPHONE = NULL, ZLEVEL = NULL, ZPHOTO = NULL; "
                + "UPDATE ZPERSON SET \(test.column) = \(test.value); "
                + "UPDATE ZPERSON SET \(test.column) = \(test.odd) WHERE Z_PK IN (2, 5); PRAGMA wal_checkpoint(TRUNCATE);"
        )
        let file = "out." + test.format
        try directory.write(
            """
            import: 1
            files: \(file)
            \(test.format == "xml" ? "records: /all/one" : "")
            entity: Employee
            key: employeeID
            attributes:
              employeeID: ID
              lastName: {from: Last, default: ''}
              firstName: {from: First, emptyAsNull: never}
              \(test.attribute)
            """, to: "m.yaml")
        let run = try ferry(["export", store, "--mapping", "m.yaml", "--output", file, "--rejects", "left.ndjson"])
        #expect(run.status == 1 && run.errors.contains("2 objects left out of the files"), "\(run.summary)")
        #expect(run.errors.contains("2 objects are left out: they have "), "\(run.errors)")
        #expect(run.errors.contains(test.warning), "\(run.errors)")
        for key in [2, 5] { #expect(run.errors.contains("/Employee/p\(key): \(test.reason)"), "\(run.errors)") }
        let rejects = try String(contentsOfFile: directory.file("left.ndjson"), encoding: .utf8).split(separator: "\n")
        #expect(rejects.count == 2 && rejects[0].hasPrefix("{\"object\":\"x-coredata://"), "\(rejects)")
        #expect(rejects[0].contains("/Employee/p2\",\"message\":\""))
        #expect(rejects[1].contains("and the import would make it"))
        let imported = try ferry(["import", file, "--mapping", "m.yaml", "--store", "b.sqlite", "--progress", "none"])
        #expect(imported.status == 0, "\(imported.summary)")
        let (old, new) = (try rows(store), try rows("b.sqlite"))
        #expect(new.allSatisfy(old.contains) && old.count == new.count + 2, "\(old.filter { !new.contains($0) })")
    }

    @Test func aFileOfRejectsThatIsThereIsNotReplaced() throws {
        let store = try Samples.buildStore("Company", in: directory)
        try directory.write("mine", to: "left.ndjson")
        let run = try ferry([
            "export", store, "--entity", "Department", "--output", "out.csv", "--rejects", "left.ndjson",
        ])
        #expect(run.status == 2 && run.errors.contains("left.ndjson"), "\(run.summary)")
        #expect(try String(contentsOfFile: directory.file("left.ndjson"), encoding: .utf8) == "mine")
        #expect(!FileManager.default.fileExists(atPath: directory.file("out.csv")))
    }
}
