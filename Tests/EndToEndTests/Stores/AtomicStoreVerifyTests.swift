import Foundation
import PersistentStores
import TestSupport
import Testing

/// What is wrong with XML and binary stores is found, named and mended with the built tool.
@Suite struct AtomicStoreVerifyTests {
    private let directory: TemporaryDirectory
    private let models = ["--models", Samples.models("Company")]

    init() throws {
        directory = try TemporaryDirectory()
        _ = try Samples.buildStore("Company", in: directory)
    }

    /// The sample as an XML store, some of its text replaced, and that as a store of the type.
    private func store(_ replacements: [(String, String)] = []) throws -> String {
        let path = directory.file("Store.xml")
        let made = try ToolProcess.ferry(
            ["convert", directory.file("Company.sqlite"), "--output", path, "--progress", "none"] + models)
        try #require(made.status < 2, "\(made.summary)")
        var text = try String(contentsOfFile: path, encoding: .utf8)
        for (old, new) in replacements {
            let range = try #require(text.range(of: old))
            text.replaceSubrange(range, with: new)
        }
        try text.write(toFile: path, atomically: false, encoding: .utf8)
        return path
    }

    @Test(arguments: ["xml", "binary"])
    func aSoundStoreHasNoFindings(_ type: String) throws {
        let xml = try store()
        let path = directory.file("Other." + type)
        #expect(try ToolProcess.ferry(["convert", xml, "--output", path] + models).status == 0)
        let before = try FolderState(of: directory.path)
        let run = try ToolProcess.ferry(["verify", path] + models)
        #expect(run.status == 0, "\(run.summary)")
        #expect(run.output.contains("Verification of \(path)") && run.output.contains("Verdict: sound"))
        #expect(try FolderState(of: directory.path).differences(from: before).isEmpty)
    }

    /// A text of the file, what it becomes, and the rule that finds it and can mend it.
    struct Fault: Sendable, CustomTestStringConvertible {
        let old: String
        let new: String
        let code: String
        var testDescription: String { code }
    }

    static let faults = [
        Fault(
            old: #"<relationship name="manager" type="0/1" destination="EMPLOYEE" idrefs="z117">"#,
            new: #"<relationship name="manager" type="0/1" destination="EMPLOYEE" idrefs="z9999">"#,
            code: "dangling-reference"),
        Fault(
            old: #"<attribute name="name" type="string">経営企画</attribute>"#,
            new: #"<attribute name="name" type="string">Engineering</attribute>"#, code: "uniqueness-violated"),
        Fault(
            old: #"<attribute name="code" type="int16">20</attribute>"#,
            new: #"<attribute name="code" type="int16">2000</attribute>"#, code: "above-maximum"),
        Fault(
            old: #"destination="PROJECT" idrefs="z151 "#, new: #"destination="PROJECT" idrefs="z9999 z151 "#,
            code: "dangling-reference"),
    ]

    @Test(.long, arguments: faults)
    func aFaultIsFoundNamedAndMended(_ fault: Fault) throws {
        let path = try store([(fault.old, fault.new)])
        let rule = ["--rule", fault.code]
        let found = try ToolProcess.ferry(["verify", path] + models)
        #expect(found.status == 1, "\(found.summary)")
        #expect(found.output.contains("[\(fault.code);") && found.output.contains("x-coredata://"), "\(found.summary)")
        let before = try Data(contentsOf: URL(fileURLWithPath: path))
        let links = ["--fix", "dangling-reference", "--fix", "one-sided-inverse"]
        let fix = ["repair", path, "--fix", fault.code] + links + models
        #expect(try ToolProcess.ferry(fix + ["--dry-run"]).status < 2)
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
        let output = directory.file("Mended")
        let mended = try ToolProcess.ferry(fix + ["--output", output])
        #expect(mended.status < 2, "\(mended.summary)")
        #expect(try StoreType(ofStoreAt: output) == .xml)
        #expect(try ToolProcess.ferry(["verify", output] + rule + models).status == 0)
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
        let backup = try ToolProcess.ferry(fix + ["--backup", directory.file("old")])
        #expect(backup.status < 2, "\(backup.summary)")
        #expect(try Data(contentsOf: URL(fileURLWithPath: directory.file("old/Store.xml"))) == before)
        #expect(try ToolProcess.ferry(["verify", path] + rule + models).status == 0)
    }

    @Test func linksThatWouldGoUnaskedAreNamed() throws {
        let path = try store([(Self.faults[0].old, Self.faults[0].new), (Self.faults[2].old, Self.faults[2].new)])
        let before = try Data(contentsOf: URL(fileURLWithPath: path))
        let run = try ToolProcess.ferry(["repair", path, "--fix", "above-maximum"] + models)
        #expect(run.status == 2)
        #expect(
            run.errors.contains("dangling-reference") && run.errors.contains("nothing has changed"), "\(run.summary)")
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
    }

    /// A double that is not a number has no place in SQLite: the work is refused before it would be lost.
    @Test func aValueThatWouldNotComeBackEndsTheRepair() throws {
        let path = try store([
            (#"type="double">5<"#, #"type="double">nan<"#), (Self.faults[2].old, Self.faults[2].new),
        ])
        #expect(try ToolProcess.ferry(["verify", path, "--rule", "above-maximum"] + models).status == 1)
        let run = try ToolProcess.ferry(["repair", path, "--fix", "above-maximum"] + models)
        #expect(run.status == 2)
        #expect(run.errors.contains("not-a-number"), "\(run.summary)")
    }

    @Test(.long, arguments: [0.3, 0.6, 0.9, 0.99], ["xml", "binary"])
    func aFileThatBreaksOffIsAFinding(_ part: Double, _ type: String) throws {
        let xml = try store()
        let path = directory.file("Cut." + type)
        #expect(try ToolProcess.ferry(["convert", xml, "--output", path] + models).status == 0)
        let size = Int(try #require(FileSystem.size(path)))
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        try bytes.prefix(Int(Double(size) * part)).write(to: URL(fileURLWithPath: path))
        for words in [
            ["verify"], ["repair", "--fix", "above-maximum"], ["fetch", "--entity", "Person"],
            ["export", "--entity", "Person"], ["convert", "--output", directory.file("New.sqlite")],
        ] {
            let run = try ToolProcess.ferry([words[0], path] + words.dropFirst() + models)
            #expect(run.signal == nil && [1, 2].contains(run.status), "\(run.summary)")
            #expect(!FileSystem.exists(directory.file("New.sqlite")))
            if words == ["verify"], run.status == 1 { #expect(run.output.contains("database-damaged")) }
        }
    }
}
