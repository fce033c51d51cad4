import Foundation
import SQLiteAccess
import TestSupport
import Testing

/// `ferry migrate --mapping`: mapping models run over stores, and the results are looked at by queries of their own.
@Suite struct CustomMigrationTests {
    private static func mapping(_ name: String) -> String { Samples.path + "/../Mappings/" + name }

    /// Runs a mapping over the first version of the sample and gives the path of the new store.
    private func migrateCompany(
        _ mapping: String, in directory: TemporaryDirectory, _ more: [String] = []
    ) throws -> (result: ToolProcess.Result, store: String, output: String) {
        let store = try Samples.buildStore("Company", in: directory)
        let output = directory.file("new.sqlite")
        let result = try ToolProcess.ferry(
            [
                "migrate", store, "--models", Samples.models("Company"), "--to", "Company 2", "--mapping", mapping,
                "--output", output, "--progress", "none",
            ] + more)
        return (result, store, output)
    }

    private func expectSound(_ store: String, _ model: String) throws {
        guard StoreChecker.isPresent else { return }
        for command in ["layout", "integrity"] {
            let result = try ToolProcess.run(
                "/usr/bin/env", ["python3", StoreChecker.path ?? "", command, store, model])
            #expect(result.output.contains("\(command): 0 errors"), "\(result.summary)")
        }
    }

    @Test func anAttributeBecomesAnEntityThatSeveralMappingsShare() throws {
        let directory = try TemporaryDirectory()
        let (result, old, new) = try migrateCompany(Self.mapping("Company/levels-to-skills.yaml"), in: directory)
        #expect(result.status == 0, "\(result.summary)")
        let levels = try StoreRows.of(
            old, "SELECT DISTINCT 'Level ' || ZLEVEL FROM ZPERSON WHERE ZLEVEL NOT NULL ORDER BY 1")
        #expect(levels.count > 5)
        #expect(try StoreRows.of(new, "SELECT ZNAME FROM ZSKILL ORDER BY 1") == levels)
        let links = try StoreRows.of(
            new, "SELECT name FROM sqlite_master WHERE name LIKE 'Z_%SKILLS' AND type = 'table'")
        let table = try #require(links.first?.first)
        let old1 = try StoreRows.of(old, "SELECT count(*) FROM ZPERSON WHERE ZLEVEL NOT NULL")
        #expect(try StoreRows.of(new, "SELECT count(*) FROM \"\(table)\"") == old1)
        let names =
            "SELECT ZFIRSTNAME, ZLASTNAME, ZNOTES, ifnull(ZVACATIONDAYS, 25), ZDEPARTMENT, ZMANAGER, ZHIRED FROM ZPERSON ORDER BY Z_PK"
        #expect(try StoreRows.of(new, names.replacing("ZNOTES", with: "ZREMARKS")) == StoreRows.of(old, names))
        try expectSound(new, Samples.models("Company") + "/Company 2.xcdatamodel")
    }

    @Test func filtersKeysAndComputedValues() throws {
        let directory = try TemporaryDirectory()
        let (result, old, new) = try migrateCompany(Self.mapping("Company/fulltime-only.yaml"), in: directory)
        #expect(result.status == 0, "\(result.summary)")
        #expect(result.output.contains("RowTransfer") && result.output.contains("SQLTransfer"))
        let active = "FROM ZPERSON WHERE ZISACTIVE"
        #expect(try StoreRows.of(new, "SELECT count(*) FROM ZPERSON") == StoreRows.of(old, "SELECT count(*) \(active)"))
        #expect(
            try StoreRows.of(new, "SELECT ZEMAIL FROM ZPERSON ORDER BY Z_PK")
                == StoreRows.of(
                    old,
                    "SELECT CASE Z_ENT WHEN (SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = 'Employee') THEN lower(ZEMAIL) "
                        + "ELSE ZEMAIL END \(active) ORDER BY Z_PK"))
        #expect(try StoreRows.of(new, "SELECT upper(ZTITLE) = ZTITLE FROM ZPROJECT").allSatisfy { $0 == ["1"] })
        // Links to those who stay behind are gone.
        #expect(try StoreRows.of(new, "SELECT 1 FROM ZPERSON WHERE ZMANAGER NOT IN (SELECT Z_PK FROM ZPERSON)") == [])
        #expect(try StoreRows.of(new, "SELECT ZBUDGET FROM ZDEPARTMENT WHERE Z_PK = 1") == [["1250.0005"]])
        try expectSound(new, Samples.models("Company") + "/Company 2.xcdatamodel")
    }

    @Test func whatCannotRunIsRefusedWithItsPlaceAndTheStoreStays() throws {
        let directory = try TemporaryDirectory()
        let text = """
            mapping: 1
            entities:
              - source: Department
                destination: Department
                attributes:
                  name: $source.budget
                  code: FUNCTION($entityPolicy, "code:", $source)
            """
        let mapping = try directory.write(text, to: "m.yaml")
        let (result, _, new) = try migrateCompany(mapping, in: directory)
        #expect(result.status == 2)
        #expect(result.errors.contains("DepartmentToDepartment.name"), "\(result.summary)")
        #expect(!FileManager.default.fileExists(atPath: new))
    }

    @Test func aPolicyThatNobodyHasIsNamedWithTheWayOut() throws {
        let directory = try TemporaryDirectory()
        let text = "mapping: 1\nentities:\n  - {source: Department, destination: Department, policy: App.Policy}\n"
        let mapping = try directory.write(text, to: "m.yaml")
        let (result, _, _) = try migrateCompany(mapping, in: directory)
        #expect(result.status == 2)
        #expect(result.errors.contains("App.Policy") && result.errors.contains("--policy App.Policy=default"))
        try FileManager.default.removeItem(atPath: directory.file("Company.sqlite"))
        try FileManager.default.removeItem(atPath: directory.file(".Company_SUPPORT"))
        let (again, _, new) = try migrateCompany(mapping, in: directory, ["--policy", "App.Policy=default"])
        // Nothing takes up the objects of the other entities.
        #expect(again.status == 1 && again.output.contains("[objects-dropped; "), "\(again.summary)")
        #expect(try StoreRows.of(new, "SELECT count(*) FROM ZDEPARTMENT") != [["0"]])
    }

    @Test func aPolicyThatNoMappingNamesIsAnErrorWithThoseThatAreNamed() throws {
        let directory = try TemporaryDirectory()
        let text = "mapping: 1\nentities:\n  - {source: Department, destination: Department, policy: App.Policy}\n"
        let mapping = try directory.write(text, to: "m.yaml")
        let (result, _, new) = try migrateCompany(
            mapping, in: directory, ["--policy", "App.Policy=default", "--policy", "App.Polici=cat"])
        #expect(result.status >= 2 && result.errors.contains("App.Polici"), "\(result.summary)")
        #expect(result.errors.contains("a class that a mapping model names: App.Policy"))
        #expect(!FileManager.default.fileExists(atPath: new))
    }

    /// The book's example, step by step (PAIRS.md): relationships by source mapping names and collection operators.
    @Test(.long, .enabled(if: Corpus.isPresent, "there is no corpus"))
    func theRealMappingsOfAnExampleRunOneAfterTheOther() throws {
        let directory = try TemporaryDirectory()
        let folder = (Corpus.path ?? "") + "/3_stores/objcio__core-data/Migrations/MigrationsTests/"
        for end in ["", "-wal"] {
            try FileManager.default.copyItem(
                atPath: folder + "Moody 2.moody" + end, toPath: directory.file("Moody 2.moody" + end))
        }
        let mappings = (Corpus.path ?? "") + "/2_mappings/objcio__core-data/Migrations/Migrations"
        let models = (Corpus.path ?? "") + "/1_models/objcio__core-data"
        for version in 3...5 {
            let result = try ToolProcess.ferry([
                "migrate", directory.file("Moody \(version - 1).moody"), "--models", models, "--to", "Moody \(version)",
                "--mapping", "\(mappings)/Moody \(version - 1)-Moody \(version).xcmappingmodel",
                "--output", directory.file("Moody \(version).moody"), "--progress", "none",
            ])
            // Nothing takes up the continents of version 4.
            #expect(result.status == (version == 5 ? 1 : 0), "\(result.summary)")
            let model = try #require(
                Corpus.files(under: "1_models/objcio__core-data") { $0 == "contents" }
                    .first { $0.contains("/Moody \(version).xcdatamodel/") })
            try expectSound(directory.file("Moody \(version).moody"), String(model.dropLast("/contents".count)))
        }
        // The continent of each country is its number now, as the objects said before.
        let before = try StoreRows.of(
            directory.file("Moody 4.moody"),
            "SELECT c.Z_PK, k.ZNUMERICISO3166CODE FROM ZCOUNTRY c JOIN ZCONTINENT k ON k.Z_PK = c.ZCONTINENT ORDER BY 1"
        )
        #expect(!before.isEmpty)
        #expect(
            try StoreRows.of(directory.file("Moody 5.moody"), "SELECT Z_PK, ZISOCONTINENT FROM ZCOUNTRY ORDER BY 1")
                == before)
    }

    /// A colour object for each colour of the posts, without the app's policy.
    static let coloursOfPosts = """
        entities:
          - source: Post
            destination: Post
            relationships:
              color: FUNCTION($manager, "destinationInstancesForEntityMappingNamed:sourceInstances:", "PostToColor", $source)
          - source: Post
            destination: Color
            key: hex
            attributes: {colorID: $source.hexColor, hex: $source.hexColor}
        """

    @Test(.enabled(if: Corpus.isPresent, "there is no corpus"))
    func coloursBecomeObjectsOfTheirOwn() throws {
        let directory = try TemporaryDirectory()
        let project = "wibosco__CoreDataMigration-Example"
        let store =
            (Corpus.path ?? "") + "/3_stores/\(project)/CoreDataMigration-ExampleTests/Resources/SQLite/"
            + "CoreDataMigration_Example_2.sqlite"
        let mapping = try directory.write("mapping: 1\n" + Self.coloursOfPosts, to: "m.yaml")
        let output = directory.file("new.sqlite")
        let result = try ToolProcess.ferry([
            "migrate", store, "--models", (Corpus.path ?? "") + "/1_models/\(project)", "--to",
            "CoreDataMigration_Example 3", "--mapping", mapping, "--output", output, "--progress", "none",
        ])
        #expect(result.status == 0, "\(result.summary)")
        let colours = try StoreRows.of(store, "SELECT Z_PK, ZHEXCOLOR FROM ZPOST ORDER BY 1")
        #expect(colours.count > 1000)
        #expect(
            try StoreRows.of(output, "SELECT p.Z_PK, c.ZHEX FROM ZPOST p JOIN ZCOLOR c ON c.Z_PK = p.ZCOLOR ORDER BY 1")
                == colours)
        #expect(try StoreRows.of(output, "SELECT ZHEX FROM ZCOLOR GROUP BY 1 HAVING count(*) > 1") == [])
    }
}
