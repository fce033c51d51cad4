import CommandLineParsing
import CompressedStreams
import DocumentReading
import Foundation
import ManagedObjectModels
import PersistentStores
import PredicateExpressions
import RecordConversion
import StoreFixtures
import StoreImport
import StoreMigration
import Synchronization
import TestSupport
import Testing

/// The examples of docs/libraries.md: each is a file beside this one, shown as it is, and run.
@Suite struct LibraryExampleTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("Examples").path

    // MARK: The page

    @Test func thePageShowsEveryExample() throws {
        let shown = try Documentation.page("libraries").blocks.filter { $0.language == "swift" }
            .map { $0.lines.joined(separator: "\n") + "\n" }
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder)
        for file in files {
            let text = try String(contentsOfFile: Self.folder + "/" + file, encoding: .utf8)
            #expect(shown.contains(text), "docs/libraries.md does not show Examples/\(file) as it is")
        }
        #expect(shown.count == files.count)
    }

    @Test func everyLibraryBeginsWithAnExample() throws {
        let page = try Documentation.page("libraries")
        let libraries = page.rows(ofTable: "| Product |").flatMap { Documentation.words(in: $0[0], like: /[A-Za-z]+/) }
        #expect(libraries.count > 15)
        for library in libraries {
            let text = page.text(of: library)
            #expect(text.contains("```swift\n"), "\(library)")
            #expect(text.contains("\nimport \(library)\n"), "\(library)")
        }
    }

    @Test func readingSwiftSources() throws {
        let hashes = try hashes(ofSourcesAt: Samples.path + "/Trips")
        #expect(hashes["Trip"]?.hex.hasPrefix("07b6159e8f882ebd") == true)
    }

    @Test func valueTransformersOfPrograms() {
        #expect(transformers(named: ["Label", "Badge"], from: "sh label.sh") != nil)
        #expect(transformers(named: ["Label"], from: "sh 'label.sh") == nil)
    }

    @Test func valuesOfTransformersInJSON() throws {
        let attribute = AttributeDescription(
            name: "text", type: .transformable, isOptional: true, valueTransformerName: "Backwards")
        #expect(try storedBytes(ofJSON: "\"abc\"", for: attribute) == Array("cba".utf8))
        #expect(try storedBytes(ofJSON: "null", for: attribute) == nil)
    }

    // MARK: Stores

    private let directory: TemporaryDirectory
    private let company: String
    private let models = Samples.models("Company")

    init() throws {
        directory = try TemporaryDirectory()
        company = try Samples.buildStore("Company", in: directory)
    }

    @Test func decompressing() throws {
        let text = Array("a model cache".utf8)
        #expect(try decompress(RawDeflate.deflate(text)) == text)
    }

    @Test func migrating() throws {
        let broken = "UPDATE ZPERSON SET ZDEPARTMENT = 9999 WHERE Z_PK = (SELECT min(Z_PK) FROM ZPERSON)"
        try #require(try ToolProcess.run("/usr/bin/env", ["sqlite3", company, broken]).status == 0)
        let shown = Mutex<[String]>([])
        let report = try migrate(company, models: models, to: directory.file("New.sqlite")) { lines in
            shown.withLock { $0 += lines }
        }
        #expect(report.destinationVersion == "Company 4")
        #expect(report.rowsWritten > 0)
        #expect(shown.withLock { $0.first?.contains("dangling-reference") } == true)
    }

    @Test func aMigrationThatIsRefusedThrows() throws {
        let store = try Samples.buildStore("Ledger", in: directory)
        #expect(throws: MigrationError.self) {
            try migrate(
                store, models: Samples.models("Ledger") + "/Ledger required.xcdatamodel",
                to: directory.file("New.sqlite")
            ) { _ in }
        }
        #expect(!FileManager.default.fileExists(atPath: directory.file("New.sqlite")))
    }

    @Test func importing() throws {
        let report = try importProjects(
            from: Samples.path + "/Company/import/projects.csv", into: directory.file("New.sqlite"), models: models)
        #expect(report.entities.contains { $0.inserted > 0 })
    }

    @Test func importingTheRecordsOfAProgram() throws {
        let report = try importProjects(numbered: 1..<2500, into: directory.file("New.sqlite"), models: models)
        #expect(report.entities.map(\.inserted) == [2499])
        #expect(report.rejected == 0)
    }

    @Test func importingInShards() throws {
        let version = try VersionCatalog(paths: [models]).version(forNewStore: nil)
        let (store, whole) = (directory.file("New.sqlite"), directory.file("Whole.sqlite"))
        let file = Samples.path + "/Company/import/projects.csv"
        let run = ImportRun(
            target: .init(path: store, model: version.model, newStore: version.newStore), sources: [file],
            plan: .entity(EntityRequest(entity: "Project")), options: ImportOptions())
        let report = try importInShards(run, count: 3, spools: directory.file("spools"), into: store)
        let reference = try importProjects(from: file, into: whole, models: models)
        #expect(report.entities.map(\.inserted) == reference.entities.map(\.inserted))
        #expect(report.entities.contains { $0.inserted > 0 })
    }

    @Test func damagedRecordsAreShown() throws {
        let file = try directory.write("code,name\nA,first\nB\nC,third\n", to: "damaged.csv")
        let shown = Mutex<[String]>([])
        try showDamagedRecords(in: file) { line in shown.withLock { $0.append(line) } }
        #expect(shown.withLock { $0.count } == 1)
        #expect(shown.withLock { $0.first?.hasPrefix(file + ":3: the record has only 1 field") } == true)
    }

    @Test func germanNumbersAreAddedUp() throws {
        let file = try directory.write("item;price\na;1.234,50\nb;0,25\n", to: "prices.csv")
        #expect(try sum(ofColumn: 1, in: file) == 1234.75)
        let wrong = try directory.write("item;price\na;1,234.50\n", to: "wrong.csv")
        #expect(throws: ConversionFailure.self) { try sum(ofColumn: 1, in: wrong) }
    }

    @Test func mappingsAreDraftedAndChecked() throws {
        let model = try ResolvedModel(ModelVersions(path: models).version("Company").model())
        let draft = try draftMapping(of: [Samples.path + "/Company/import/projects.csv"], model: model)
        let mapping = try directory.write(draft, to: "draft.yaml")
        #expect(try entities(mappedIn: mapping, model: model) { _ in } == ["Project"])
    }

    @Test func exporting() throws {
        #expect(try exportDepartments(of: company, models: models).hasPrefix("name,code\n"))
    }

    @Test func converting() throws {
        let output = directory.file("Company.xml")
        _ = try convert(company, models: models, toXML: output)
        #expect(try objectCounts(inXMLStore: output)["DEPARTMENT"] == 6)
        #expect(try !places(of: "object", in: output).isEmpty)
        let model = try ResolvedModel(ModelVersions(path: models).version("Company").model())
        #expect(try names(in: output, model: model).contains("Engineering"))
    }

    @Test func fetching() throws {
        #expect(try bestPaid(in: company, models: models).split(separator: "\n").count == 4)
    }

    @Test func workingOnObjects() throws {
        let names = try promote(in: company, models: models)
        #expect(!names.isEmpty && names == names.sorted())
    }

    @Test func editing() throws {
        #expect(try deleteDepartments(below: 15, of: company, models: models) == ["Department": 1])
    }

    @Test func verifying() throws {
        #expect(try faults(of: company, models: models)["dangling-reference"] == nil)
    }

    @Test func aPageOfAVerification() throws {
        #expect(try verificationPage(of: company, models: models).contains("The store: sound."))
    }

    @Test func makingAFixture() throws {
        #expect(try !makeFixture(at: directory.file("Fixture.sqlite"), models: models).entities.isEmpty)
    }

    @Test func changingMetadata() throws {
        #expect(try markAsImported(company))
        #expect(try !markAsImported(company))
    }

    @Test func validatingAValue() throws {
        var age = AttributeDescription(name: "age", type: .integer16, isOptional: true)
        age.validation.maximum = .integer(65)
        let model = try ResolvedModel(
            ManagedObjectModel(entities: [EntityDescription(name: "Person", attributes: [age])]))
        let attribute = try #require(model.entities[0].attribute(named: "age"))
        #expect(fault(of: 99, for: attribute) == "1610: the number is larger than the model allows")
        #expect(fault(of: 65, for: attribute) == nil)
    }

    @Test func readingADatabase() throws {
        #expect(try tables(in: company).contains("ZDEPARTMENT"))
    }

    @Test func buildingADatabase() throws {
        let path = directory.file("squares.sqlite")
        try buildSquares(at: path, upTo: 1000)
        #expect(try tables(in: path) == ["squares"])
        let checked = try ToolProcess.run(
            "/usr/bin/env", ["sqlite3", path, "PRAGMA integrity_check; SELECT square FROM squares WHERE number = 12;"])
        #expect(checked.output == "ok\n144\n")
    }

    // MARK: Models and values

    @Test func inferring() throws {
        let mapping = try inferredMapping(models: models, from: "Company", to: "Company 2")
        #expect(mapping.contains("destination: Skill"))
    }

    @Test func drawing() throws {
        #expect(try diagram(of: models).contains("<svg "))
    }

    @Test func linting() throws {
        #expect(try findings(in: models).contains { $0.hasSuffix("[FM301]") })
    }

    @Test func hashing() throws {
        #expect(try versionHashes(of: models)["Employee"]?.count == 64)
    }

    @Test func evaluating() throws {
        #expect(try totals(of: [[.integer(3), .integer(4)], [.null, .integer(1)]]) == [.integer(12), .null])
    }

    @Test func readingPropertyLists() throws {
        #expect(try xmlPropertyList(from: Array("{ a = 1; }".utf8)).contains("<key>a</key>"))
    }

    @Test func encoding() {
        #expect(
            notations(ofUUID: "00000000-0000-0000-0000-0000000000FF") == [
                "00000000-0000-0000-0000-0000000000FF", "000000000000000000000000000000ff", "AAAAAAAAAAAAAAAAAAAA/w==",
            ])
        #expect(notations(ofUUID: "none") == nil)
    }

    @Test func parsingOptions() throws {
        let printed = Mutex<[String]>([])
        let action = try greeting(["greet", "--name", "you"]) { text in printed.withLock { $0.append(text) } }
        guard case .run(let work) = action else {
            Issue.record("there is nothing to do")
            return
        }
        #expect(try work() == .done)
        #expect(printed.withLock { $0 } == ["Hello, you!"])
    }
}
