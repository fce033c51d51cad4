import Foundation
import TestSupport
import Testing

/// Models may allow files of their own for values of any type; a store keeps only data in them.
@Suite struct ExternalStorageTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    @Test func otherValuesThanDataAreStoredAsTheyAre() throws {
        let types = ["s": "String", "n": "Integer 16", "u": "UUID", "d": "Binary", "x": "Double"]
        try FileManager.default.createDirectory(
            atPath: directory.file("M.xcdatamodel"), withIntermediateDirectories: true)
        let model = try directory.write(
            """
            <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
            <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0"><entity name="A">
            <attribute name="code" attributeType="Integer 32" usesScalarValueType="YES"/>
            \(types.sorted { $0.key < $1.key }.map { name, type in
                "<attribute name='\(name)' optional='YES' attributeType='\(type)' allowsExternalBinaryDataStorage='YES'/>"
            }.joined())
            <uniquenessConstraints><uniquenessConstraint><constraint value="code"/></uniquenessConstraint>
            </uniquenessConstraints></entity></model>
            """, to: "M.xcdatamodel/contents")
        let models = String(model.dropLast("/contents".count))
        let rows = "SELECT ZCODE, ZS, ZN, hex(ZU), ZX FROM ZA ORDER BY 1"
        /// Runs the tool on files of the folder, and returns the rows of a store.
        func content(of name: String, _ words: [String]) throws -> [[String]] {
            let run = try ToolProcess.ferry(words + ["--models", models])
            #expect(run.status == 0, "\(run.summary)")
            return try StoreRows.of(directory.file(name), rows)
        }
        func files(_ words: String...) -> [String] {
            words.map { $0.contains(".") ? directory.file($0) : $0 }
        }
        let first = try content(of: "a.sqlite", files("fixture", "--rows", "40", "--output", "a.sqlite"))
        #expect(first.count == 40)
        _ = try content(of: "a.sqlite", files("convert", "a.sqlite", "--to", "xml", "--output", "a.xml"))
        #expect(
            try content(of: "b.sqlite", files("convert", "a.xml", "--to", "sqlite", "--output", "b.sqlite")) == first)
        let export = files("export", "a.sqlite", "--all", "--format", "json")
        _ = try content(
            of: "a.sqlite",
            export + ["--output", directory.file("files"), "--write-mapping", directory.file("files.yaml")])
        let words = ["import", directory.file("files"), "--mapping", directory.file("files.yaml")]
        #expect(try content(of: "c.sqlite", words + ["--store", directory.file("c.sqlite")]) == first)
        let edit = files("edit", "a.sqlite", "--update", "A", "--where", "TRUEPREDICATE", "--set", "s=\"x\"")
        #expect(try content(of: "a.sqlite", edit).allSatisfy { $0[1] == "x" })
        #expect(try ToolProcess.ferry(files("verify", "a.sqlite") + ["--models", models]).status == 0)
    }
}
