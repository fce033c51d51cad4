import Foundation
import TestSupport
import Testing

/// Values of single objects that no file, or no import, takes: they are left out and named, and all others come back.
@Suite struct ExportValueTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
        try FileManager.default.createDirectory(
            atPath: directory.file("M.xcdatamodel"), withIntermediateDirectories: true)
        try directory.write(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
              <entity name="Thing">
                <attribute name="id" attributeType="Integer 16"/>
                <attribute name="uri" optional="YES" attributeType="URI"/>
                <attribute name="date" optional="YES" attributeType="Date"/>
                <attribute name="size" optional="YES" attributeType="Composite" composite="Size"/>
                <uniquenessConstraints><uniquenessConstraint><constraint value="id"/></uniquenessConstraint></uniquenessConstraints>
              </entity>
              <composite name="Size">
                <attribute name="width" optional="YES" attributeType="Double"/>
              </composite>
            </model>
            """, to: "M.xcdatamodel/contents")
        try directory.write("id,uri\n" + (1...6).map { "\($0),https://example.org/\($0)\n" }.joined(), to: "t.csv")
        let run = try ferry([
            "import", "t.csv", "--entity", "Thing", "--key", "id", "--models", "M.xcdatamodel", "--store", "a.sqlite",
            "--progress", "none",
        ])
        #expect(run.status == 0, "\(run.summary)")
    }

    private func ferry(_ words: [String]) throws -> ToolProcess.Result {
        try ToolProcess.ferry(words, in: directory.path)
    }

    private func export(_ format: String, _ sql: String) throws -> ToolProcess.Result {
        try SQLiteSession(on: directory.file("a.sqlite")).run(sql + "; PRAGMA wal_checkpoint(TRUNCATE);")
        return try ferry([
            "export", "a.sqlite", "--models", "M.xcdatamodel", "--all", "--format", format, "--output", "out",
            "--write-mapping", "m.yaml", "--force",
        ])
    }

    private func imported() throws -> String {
        let run = try ferry([
            "import", "out", "--models", "M.xcdatamodel", "--mapping", "m.yaml", "--store", "b.sqlite", "--progress",
            "none",
        ])
        #expect(run.isComplete, "\(run.summary)")
        return try SQLiteSession(on: directory.file("b.sqlite")).run("SELECT group_concat(ZID, ' ') FROM ZTHING")
            .split(separator: " ").map { $0.filter(\.isNumber) }.sorted().joined(separator: " ")
    }

    @Test(arguments: ["csv", "json", "ndjson", "xml"])
    func urisThatNoImportTakesAreLeftOutAndNamed(format: String) throws {
        let run = try export(
            format,
            """
            UPDATE ZTHING SET ZURI = '%zz' WHERE ZID = 2; UPDATE ZTHING SET ZURI = '' WHERE ZID = 3;
            UPDATE ZTHING SET ZURI = 'a b' WHERE ZID = 4; UPDATE ZTHING SET ZURI = NULL WHERE ZID = 5;
            UPDATE ZTHING SET ZURI = '1:2' WHERE ZID = 6
            """)
        #expect(run.status == 1 && run.errors.contains("4 objects are left out: they have a URI"), "\(run.summary)")
        for key in [2, 3, 4, 6] { #expect(run.errors.contains("/Thing/p\(key): uri"), "\(run.errors)") }
        #expect(!run.errors.contains("emptyAsNull"), "\(run.errors)")
        #expect(try imported() == "1 5")
    }

    /// The mapping is one for the others, though there are none.
    @Test(arguments: ["csv", "json"])
    func whereAllObjectsHaveSuchURIsNoneIsWritten(format: String) throws {
        let run = try export(format, "UPDATE ZTHING SET ZURI = ''")
        #expect(run.status == 1 && run.errors.contains("6 objects left out of the files"), "\(run.summary)")
    }

    @Test(arguments: ["csv", "json", "xml"])
    func aDateWithoutExactFormIsLeftOutBesideOthers(format: String) throws {
        let run = try export(
            format,
            """
            UPDATE ZTHING SET ZDATE = 1000000000000000.0 WHERE ZID = 2; UPDATE ZTHING SET ZURI = '' WHERE ZID = 3
            """)
        #expect(run.status == 1, "\(run.summary)")
        #expect(
            run.errors.contains("/Thing/p2: date: the date") && run.errors.contains("/Thing/p3: uri"), "\(run.errors)")
        #expect(try imported() == "1 4 5 6")
    }

    @Test func aCompositeIsFetchedByItsElements() throws {
        let run = try ferry([
            "fetch", "a.sqlite", "--models", "M.xcdatamodel", "--entity", "Thing", "--columns", "size",
        ])
        #expect(run.errors.contains("size is a composite: name one of its elements"), "\(run.summary)")
        #expect(run.status == 64 || run.status == 2)
        for predicate in ["size == nil", "size != nil", "size == 3"] {
            let filtered = try ferry([
                "fetch", "a.sqlite", "--models", "M.xcdatamodel", "--entity", "Thing", "--where", predicate,
            ])
            #expect(filtered.errors.contains("size is a composite"), "\(filtered.summary)")
            #expect(filtered.status == 64 || filtered.status == 2)
        }
    }
}
