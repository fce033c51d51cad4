import Foundation
import TestSupport
import Testing

/// Mapping models of real apps over their stores (PAIRS.md), as chains.
@Suite(.enabled(if: Corpus.isPresent, "there is no corpus")) struct RealMappingTests {
    private let directory: TemporaryDirectory
    private let corpus = Corpus.path ?? ""

    init() throws { directory = try TemporaryDirectory() }

    /// Copies a store with its log, migrates it, and gives the path of the new store.
    private func migrate(_ store: String, _ project: String, to version: String, _ more: [String]) throws -> String {
        let copy = directory.file("old.sqlite")
        for end in ["", "-wal"] where FileManager.default.fileExists(atPath: "\(corpus)/3_stores/\(store)\(end)") {
            try FileManager.default.copyItem(atPath: "\(corpus)/3_stores/\(store)\(end)", toPath: copy + end)
        }
        let output = directory.file("new.sqlite")
        let result = try ToolProcess.ferry(
            ["migrate", copy, "--models", "\(corpus)/1_models/\(project)", "--to", version, "--output", output, "--progress", "none"]
                + more)
        #expect(result.status < 2, "\(result.summary)")
        let model = try #require(
            Corpus.files(under: "1_models/\(project)") { $0 == "contents" }.first { $0.contains("/\(version).xcdatamodel/") })
        try StoreRows.expectSound(output, String(model.dropLast("/contents".count)))
        return output
    }

    @Test func mutedConversationsOfWireStayMuted() throws {
        let project = "wireapp__wire-ios-data-model"
        let new = try migrate(
            "\(project)/Tests/Resources/store2-52-0.wiredatabase", project, to: "zmessaging2.54.0",
            ["--mapping", "\(corpus)/2_mappings/\(project)/HISTORY/Resources/migration2.54.xcmappingmodel"])
        let old = directory.file("old.sqlite")
        #expect(
            try StoreRows.of(new, "SELECT ZREMOTEIDENTIFIER_DATA, ZMUTEDSTATUS FROM ZCONVERSATION ORDER BY Z_PK")
                == StoreRows.of(old, "SELECT ZREMOTEIDENTIFIER_DATA, ZISSILENCED FROM ZCONVERSATION ORDER BY Z_PK"))
    }

    @Test(arguments: ["ATDataModelv1", "ATDataModelv2", "ATDataModelv3", "ATDataModelv4", "ATDataModelv5"])
    func apptentivesStepsLeadToTheNewestVersion(store: String) throws {
        let project = "apptentive__apptentive-ios"
        let new = try migrate(
            "\(project)/Apptentive/ApptentiveTests/data/\(store).sqlite", project, to: "ATDataModel 6",
            ["--mapping", "\(corpus)/2_mappings/\(project)/Apptentive/Apptentive/Model"])
        #expect(try StoreRows.of(new, "SELECT count(*) FROM Z_METADATA") == [["1"]])
    }

    /// One colour for each post with a new identifier: a policy that is a program.
    @Test func coloursOfPostsByAProgram() throws {
        let project = "wibosco__CoreDataMigration-Example"
        let program = try directory.write(
            #"""
            while IFS= read -r line; do
                case $line in
                '{"ferry":'*) continue ;;
                '{"end":'*) echo '{"end":"batch"}' && continue ;;
                esac
                source=${line#'{"source":"'}
                source=${source%%'"'*}
                hex=${line#*'"hexColor":"'}
                hex=${hex%%'"'*}
                number=${source##*/}
                printf '{"source":"%s","entity":"Color","id":"%s","attributes":{"colorID":"%s","hex":"%s"}}\n' \
                    "$source" "$number" "color-$number" "$hex"
                printf '{"source":"%s","relationships":{"color":{"id":"%s"}}}\n' "$source" "$number"
            done
            """#, to: "colors.sh")
        let mapping = try #require(
            Corpus.files(under: "2_mappings/\(project)") { $0 == "xcmapping.xml" }.first { $0.contains("2") && $0.contains("3") })
        let new = try migrate(
            "\(project)/CoreDataMigration-ExampleTests/Resources/SQLite/CoreDataMigration_Example_2.sqlite", project,
            to: "CoreDataMigration_Example 3",
            ["--mapping", mapping, "--policy", "CoreDataMigration_Example.Post2ToPost3MigrationPolicy=sh \(program)"])
        let old = directory.file("old.sqlite")
        #expect(
            try StoreRows.of(new, "SELECT p.Z_PK, c.ZHEX FROM ZPOST p JOIN ZCOLOR c ON c.Z_PK = p.ZCOLOR ORDER BY 1")
                == StoreRows.of(old, "SELECT Z_PK, ZHEXCOLOR FROM ZPOST ORDER BY 1"))
        #expect(try StoreRows.of(new, "SELECT count(*) FROM ZCOLOR") == StoreRows.of(old, "SELECT count(*) FROM ZPOST"))
    }
}
