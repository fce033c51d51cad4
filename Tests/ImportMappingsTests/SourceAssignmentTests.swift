import ImportTestSupport
import TestSupport
import Testing

@testable import ImportMappings
@testable import RecordSources

@Suite struct SourceAssignmentTests {
    private func assign(_ paths: [String], _ yaml: String) throws -> SourceAssignment {
        try SourceAssignment(paths: paths, mapping: ImportMapping(yaml: "import: 1\n" + yaml)) { path in
            let suffix = path.split(separator: ".").last.map(String.init) ?? ""
            return RecordFormats.kind(
                start: suffix == "sqlite" ? Array("SQLite format 3\0".utf8) : [], fileExtension: suffix)
        }
    }

    private func errors(_ paths: [String], _ yaml: String) -> String? {
        do {
            _ = try assign(paths, yaml)
            return nil
        } catch {
            return "\(error)"
        }
    }

    @Test func filesGoToTheSourcesThatNameThemInTheOrderOfTheMapping() throws {
        let assignment = try assign(
            ["in/b2.csv", "in/a.csv", "in/b1.csv"],
            "sources: [{files: a.csv, entity: A}, {files: ['b?.csv', x], entity: B}, {files: c.csv, entity: C}]")
        #expect(assignment.readings.map(\.path) == ["in/a.csv", "in/b2.csv", "in/b1.csv"])
        #expect(assignment.readings.map(\.source) == [0, 1, 1])
        #expect(assignment.unusedSources == [2])
    }

    @Test func aSourceWithoutPatternTakesWhatNoOtherNames() throws {
        let assignment = try assign(
            ["a.csv", "b.csv", "c.json", "-"],
            "sources: [{files: a.csv, entity: A}, {format: csv, entity: B}, {format: json, entity: C}]"
                .replacing("{format: json", with: "{files: '*.json'"))
        #expect(assignment.readings.map(\.path) == ["a.csv", "b.csv", "-", "c.json"])
        #expect(assignment.readings.map(\.source) == [0, 1, 1, 2])
        #expect(assignment.readings.map(\.kind) == [.csv, .csv, .csv, .json])
    }

    /// As `--rejects` writes them, where the mapping names the source itself.
    @Test func rejectedRecordsGoToTheSourceThatTheyAreOf() throws {
        let yaml = """
            sources: [{files: a.csv, entity: A}, {files: in/a.json, records: x, entity: B}, {files: b.txt, entity: C},
              {files: w.xlsx, sheet: S, entity: D}]
            """
        let assignment = try assign(
            [
                "r/a.rejected.csv", "r/a.unlinked-2.csv", "r/in/a.rejected.json", "r/b.rejected.tsv",
                "r/w.unlinked.csv",
            ], yaml)
        #expect(
            assignment.readings.map { "\($0.source) \($0.path) \($0.kind.rawValue)" } == [
                "0 r/a.rejected.csv csv", "0 r/a.unlinked-2.csv csv", "1 r/in/a.rejected.json json",
                "2 r/b.rejected.tsv csv", "3 r/w.unlinked.csv csv",
            ])
        for path in ["a.refused.csv", "a.rejected-x.csv", "c.rejected.csv", "rejected.csv", "w.csv"] {
            #expect(errors([path], yaml)?.contains("has no source for this file") == true, "\(path)")
        }
    }

    @Test func allTablesOfADatabaseAreRead() throws {
        let assignment = try assign(["x.sqlite"], "sources: [{table: a, entity: A}, {query: SELECT 1, entity: B}]")
        #expect(assignment.readings.map(\.source) == [0, 1])
        #expect(assignment.readings.allSatisfy { $0.kind == .sqlite })
    }

    @Test func oneFileMayBeReadByAllSourcesWithoutPattern() throws {
        let yaml = "sources: [{where: {k: a}, entity: A}, {where: {k: b}, entity: B}]"
        #expect(try assign(["x.csv"], yaml).readings.map(\.source) == [0, 1])
        #expect(
            errors(["x.csv", "y.csv"], yaml) == """
                x.csv: the sources "source 1", "source 2" are for any file; name this one in the "files" of one of them
                y.csv: the sources "source 1", "source 2" are for any file; name this one in the "files" of one of them
                """)
    }

    @Test func filesWithoutASourceAreNamed() {
        #expect(
            errors(["x.csv", "a.csv", "y/z"], "sources: [{files: [a.csv, 'b*'], entity: A}]") == """
                x.csv: the mapping has no source for this file; its "files" are a.csv, b*
                y/z: the mapping has no source for this file; its "files" are a.csv, b*
                """)
    }

    @Test func aFileOfAnotherFormatIsRefused() {
        #expect(
            errors(["a.csv"], "files: a.csv\ntable: t\nentity: A") == """
                a.csv: the file is CSV, and the source "a.csv" reads SQLite; correct its "format", or give another file
                """)
        #expect(
            errors(["a.xml"], "layout: lines\nentity: A") == """
                a.xml: the file is XML, and the source "source 1" reads JSON; correct its "format", or give another file
                """)
        #expect(
            errors(["a.sqlite"], "files: a.sqlite\nentity: A") == """
                a.sqlite: the file is a database; name a "table" or a "query" in the source "a.sqlite"
                """)
        #expect(errors(["a.csv", "a.csv"], "entity: A") == "a.csv: the file is given twice; name it once")
    }

    @Test(arguments: [
        ("*.csv", "a.csv", true), ("*.csv", "in/a.csv", true), ("*.csv", "a.csv.gz", false), ("a?c", "abc", true),
        ("a?c", "ac", false), ("in/*.csv", "x/in/a.csv", true), ("in/*.csv", "out/a.csv", false), ("*", "a", true),
        ("a*b*c", "aXbYbZc", true), ("a*b*c", "aXbYbZ", false), ("A.csv", "a.csv", false), ("ü?", "üé", true),
        ("**a", "bca", true), ("", "a", false), ("a/*", "a/b/c", false),
        (String(repeating: "*a", count: 60) + "b", String(repeating: "a", count: 400), false),
    ])
    func patternsMatchTheEndOfAPath(pattern: String, path: String, matches: Bool) {
        #expect(FilePattern(pattern).matches(path) == matches)
    }

    @Test func theKindOfAFileIsToldByItsStartAndName() throws {
        let directory = try TemporaryDirectory()
        func kind(_ name: String, _ text: String) throws -> SourceFormat.Kind {
            try directory.write(text, to: name)
            return try SourceFormat.Kind(path: directory.file(name))
        }
        #expect(try kind("a.csv", "[1]") == .csv)
        #expect(try kind("a.csv.bak", "SQLite format 3\0...") == .sqlite)
        #expect(try kind("a", "\u{FEFF} \n<a/>") == .xml)
        #expect(try kind("b", "\u{1E}{}") == .json)
        #expect(try kind("c.dat", "1,2") == .csv)
        #expect(try kind("d.GPX", "") == .xml)
        #expect(throws: SourceError.self) { try SourceFormat.Kind(path: directory.file("none")) }
        #expect(try kind("e.csv", "BZhang,1") == .csv)
        #expect(throws: SourceError(.foreign(.zip), in: directory.file("f.csv"))) {
            try kind("f.csv", "PK\u{3}\u{4}...")
        }
        #expect(throws: SourceError.self) { try SourceFormat.Kind(path: directory.path) }
    }
}
