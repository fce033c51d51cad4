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
            [
                "migrate", copy, "--models", "\(corpus)/1_models/\(project)", "--to", version, "--output", output,
                "--progress", "none",
            ]
                + more)
        #expect(result.status < 2, "\(result.summary)")
        let model = try #require(
            Corpus.files(under: "1_models/\(project)") { $0 == "contents" }.first {
                $0.contains("/\(version).xcdatamodel/")
            })
        try StoreRows.expectSound(output, String(model.dropLast("/contents".count)))
        return output
    }

    @Test(.long) func mutedConversationsOfWireStayMuted() throws {
        let project = "wireapp__wire-ios-data-model"
        let new = try migrate(
            "\(project)/Tests/Resources/store2-52-0.wiredatabase", project, to: "zmessaging2.54.0",
            ["--mapping", "\(corpus)/2_mappings/\(project)/HISTORY/Resources/migration2.54.xcmappingmodel"])
        let old = directory.file("old.sqlite")
        #expect(
            try StoreRows.of(new, "SELECT ZREMOTEIDENTIFIER_DATA, ZMUTEDSTATUS FROM ZCONVERSATION ORDER BY Z_PK")
                == StoreRows.of(old, "SELECT ZREMOTEIDENTIFIER_DATA, ZISSILENCED FROM ZCONVERSATION ORDER BY Z_PK"))
    }

    /// Text, automated and file messages become messages of one kind, with their texts, senders and attachments.
    @Test(.long, arguments: ["ATDataModelv1", "ATDataModelv2", "ATDataModelv3", "ATDataModelv4", "ATDataModelv5"])
    func apptentivesStepsLeadToTheNewestVersion(store: String) throws {
        let project = "apptentive__apptentive-ios"
        let new = try migrate(
            "\(project)/Apptentive/ApptentiveTests/data/\(store).sqlite", project, to: "ATDataModel 6",
            ["--mapping", "\(corpus)/2_mappings/\(project)/Apptentive/Apptentive/Model"])
        let old = directory.file("old.sqlite")
        let numbers = "(SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME IN "
        let kinds = "('ATTextMessage', 'ATAutomatedMessage', 'ATFileMessage', 'ATMessage'))"
        /// Each message with its text, time and sender, by what does not change.
        func messages(_ store: String, sender: String) throws -> [[String]] {
            try StoreRows.of(
                store,
                "SELECT m.ZCLIENTCREATIONTIME, m.ZBODY, s.ZAPPTENTIVEID FROM ZATRECORD m LEFT JOIN ZATMESSAGESENDER s "
                    + "ON s.Z_PK = m.\(sender) WHERE m.Z_ENT IN \(numbers)\(kinds) ORDER BY 1, 2")
        }
        let before = try messages(old, sender: "ZSENDER")
        #expect(!before.isEmpty)
        #expect(try messages(new, sender: "ZSENDER") == before)
        // What was automated still is, and nothing else.
        if store < "ATDataModelv5" {
            let automated = "SELECT count(*) FROM ZATRECORD WHERE Z_ENT IN \(numbers)('ATAutomatedMessage'))"
            #expect(
                try StoreRows.of(new, "SELECT count(*) FROM ZATRECORD WHERE ZAUTOMATED")
                    == StoreRows.of(old, automated))
        }
        for table in ["ZATMESSAGESENDER", "ZATFILEATTACHMENT"] {
            let isThere = "SELECT 1 FROM sqlite_master WHERE name = '\(table)'"
            guard try !StoreRows.of(old, isThere).isEmpty else { continue }
            let count = "SELECT count(*) FROM \(table)"
            #expect(try StoreRows.of(new, count) == StoreRows.of(old, count))
        }
    }

    /// A shell program that answers each record with what `body` prints; `$line` is the record, `$source` its URI.
    private func program(_ name: String, _ body: String) throws -> String {
        try directory.write(
            """
            while IFS= read -r line; do
                case $line in
                '{"ferry":'*) continue ;;
                '{"end":'*) echo '{"end":"batch"}' && continue ;;
                esac
                source=${line#'{"source":"'}
                source=${source%%'"'*}
            \(body)
            done
            """, to: name)
    }

    /// One continent for each number that countries have: find or create, by a program, behind three mapping models.
    @Test(.long, arguments: [("Moody", 5), ("Moody 2", 4), ("Moody 5", 1)])
    func continentsAreObjectsAgain(_ store: String, _ steps: Int) throws {
        let project = "objcio__core-data"
        let program = try program(
            "continents.sh",
            #"""
                number=${line#*'"isoContinent":'}
                number=${number%%[,\}]*}
                printf '{"source":"%s","entity":"Continent","id":"%s","key":["numericISO3166Code"],' "$source" "$source"
                printf '"attributes":{"numericISO3166Code":%s}}\n' "$number"
                printf '{"source":"%s","relationships":{"continent":{"id":"%s"}}}\n' "$source" "$source"
            """#)
        let new = try migrate(
            "\(project)/Migrations/MigrationsTests/\(store).moody", project, to: "Moody 6",
            ["--mapping", "\(corpus)/2_mappings/\(project)", "--policy", "Country5ToCountry6Policy=sh \(program)"])
        let pairs = try StoreRows.of(
            new,
            "SELECT c.ZNUMERICISO3166CODE, k.ZNUMERICISO3166CODE FROM ZCOUNTRY c JOIN ZCONTINENT k "
                + "ON k.Z_PK = c.ZCONTINENT ORDER BY 1")
        let old = directory.file("old.sqlite")
        // Of old, countries lead to their continents; of version 5 they have the numbers. Both are regions of one
        // table.
        let expected =
            steps == 1
            ? "SELECT ZNUMERICISO3166CODE, ZISOCONTINENT FROM ZCOUNTRY ORDER BY 1"
            : "SELECT c.ZNUMERICISO3166CODE, k.ZNUMERICISO3166CODE FROM ZGEOGRAPHICREGION c JOIN ZGEOGRAPHICREGION k "
                + "ON k.Z_PK = c.ZCONTINENT ORDER BY 1"
        #expect(try pairs == StoreRows.of(old, expected) && !pairs.isEmpty)
        #expect(
            try StoreRows.of(new, "SELECT ZNUMERICISO3166CODE FROM ZCONTINENT GROUP BY 1 HAVING count(*) > 1") == [])
        let moods = "SELECT ZLATITUDE, ZLONGITUDE, hex(ZCOLORS) FROM ZMOOD ORDER BY 1, 2"
        #expect(try StoreRows.of(new, moods) == StoreRows.of(old, moods))
    }

    /// The maker of each car, a text, becomes an object; three kinds of cars share them.
    @Test func makersOfCarsAreFoundOrMade() throws {
        let project = "alemar11__CoreDataPlus"
        let program = try program(
            "makers.sh",
            #"""
                case $line in
                *'"maker":"'*)
                    maker=${line#*'"maker":"'}
                    maker=${maker%%'"'*}
                    printf '{"source":"%s","entity":"Maker","id":"%s","key":["name"],"attributes":{"name":"%s"}}\n' \
                        "$source" "$source" "$maker"
                    printf '{"source":"%s","relationships":{"createdBy":{"id":"%s"}}}\n' "$source" "$source" ;;
                *) printf '{"source":"%s"}\n' "$source" ;;
                esac
            """#)
        let new = try migrate(
            "\(project)/Tests/Resources/SampleModel/Fixtures/SampleModel_V2.sqlite",
            "\(project)/Tests/Resources/SampleModel",
            to: "SampleModel3",
            ["--mapping", "\(corpus)/2_mappings/\(project)", "--policy", "V2to3MakerPolicy=sh \(program)"])
        let old = directory.file("old.sqlite")
        #expect(
            try StoreRows.of(
                new, "SELECT c.ZNUMBERPLATE, m.ZNAME FROM ZCAR c LEFT JOIN ZMAKER m ON m.Z_PK = c.ZCREATEDBY ORDER BY 1"
            )
                == StoreRows.of(old, "SELECT ZNUMBERPLATE, ZMAKER FROM ZCAR ORDER BY 1"))
        #expect(
            try StoreRows.of(new, "SELECT ZNAME FROM ZMAKER ORDER BY 1")
                == StoreRows.of(old, "SELECT DISTINCT ZMAKER FROM ZCAR WHERE ZMAKER NOT NULL ORDER BY 1"))
        // Who owns a car now has also owned it, as the mapping model says.
        let join = try #require(
            StoreRows.of(new, "SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE 'Z_%PREVIOUS%'").first?
                .first)
        #expect(
            try StoreRows.of(new, "SELECT count(*) FROM \(join)")
                == StoreRows.of(old, "SELECT count(*) FROM ZCAR WHERE ZOWNER NOT NULL"))
    }

    /// Values that the mapping model asks the policy for, over a store that was made for it.
    @Test func valuesThatOnlyThePolicyHasComeFromTheProgram() throws {
        let project = "kiwix__kiwix-apple/HISTORY/Shared/CoreData"
        let models = "\(corpus)/1_models/\(project)/Kiwix.xcdatamodeld"
        let old = directory.file("books.sqlite")
        let made = try ToolProcess.ferry(
            ["fixture", "--models", models, "--version", "1.8", "--output", old, "--rows", "30", "--progress", "none"])
        #expect(made.status < 2, "\(made.summary)")
        let program = try program(
            "books.sh",
            #"""
                case $line in *'"meta4URL":null'*) category=other ;; *) category=known ;; esac
                printf '{"source":"%s","attributes":{"stateRaw":2,"category":"%s"}}\n' "$source" "$category"
            """#)
        let new = directory.file("new.sqlite")
        let run = try ToolProcess.ferry([
            "migrate", old, "--models", models, "--to", "1.9", "--output", new, "--progress", "none", "--mapping",
            "\(corpus)/2_mappings/\(project)/Migration/1.81.xcmappingmodel", "--policy",
            "MigrationPolicy1_9=sh \(program)",
        ])
        #expect(run.status < 2, "\(run.summary)")
        try StoreRows.expectSound(new, "\(models)/1.9.xcdatamodel")
        #expect(
            try StoreRows.of(
                new, "SELECT Z_PK, ZBOOKDESCRIPTION, ZCATEGORY, ZSTATERAW, ZTOTALBYTESWRITTEN FROM ZBOOK ORDER BY 1")
                == StoreRows.of(
                    old,
                    "SELECT b.Z_PK, b.ZDESC, iif(b.ZMETA4URL IS NULL, 'other', 'known'), 2, d.ZTOTALBYTESWRITTEN FROM ZBOOK b "
                        + "LEFT JOIN ZDOWNLOADTASK d ON d.Z_PK = b.ZDOWNLOADTASK ORDER BY 1"))
    }

    /// One colour for each post with a new identifier: a policy that is a program.
    @Test(.long) func coloursOfPostsByAProgram() throws {
        let project = "wibosco__CoreDataMigration-Example"
        let program = try program(
            "colors.sh",
            #"""
                hex=${line#*'"hexColor":"'}
                hex=${hex%%'"'*}
                read -r identifier < /proc/sys/kernel/random/uuid
                printf '{"source":"%s","entity":"Color","id":"%s","attributes":{"colorID":"%s","hex":"%s"}}\n' \
                    "$source" "$identifier" "$identifier" "$hex"
                printf '{"source":"%s","relationships":{"color":{"id":"%s"}}}\n' "$source" "$identifier"
            """#)
        let mapping = try #require(
            Corpus.files(under: "2_mappings/\(project)") { $0 == "xcmapping.xml" }.first {
                $0.contains("2") && $0.contains("3")
            })
        let new = try migrate(
            "\(project)/CoreDataMigration-ExampleTests/Resources/SQLite/CoreDataMigration_Example_2.sqlite", project,
            to: "CoreDataMigration_Example 3",
            ["--mapping", mapping, "--policy", "CoreDataMigration_Example.Post2ToPost3MigrationPolicy=sh \(program)"])
        let old = directory.file("old.sqlite")
        #expect(
            try StoreRows.of(new, "SELECT p.Z_PK, c.ZHEX FROM ZPOST p JOIN ZCOLOR c ON c.Z_PK = p.ZCOLOR ORDER BY 1")
                == StoreRows.of(old, "SELECT Z_PK, ZHEXCOLOR FROM ZPOST ORDER BY 1"))
        #expect(try StoreRows.of(new, "SELECT count(*) FROM ZCOLOR") == StoreRows.of(old, "SELECT count(*) FROM ZPOST"))
        let identifiers = try StoreRows.of(new, "SELECT DISTINCT ZCOLORID FROM ZCOLOR").compactMap {
            UUID(uuidString: $0[0])
        }
        #expect("\(identifiers.count)" == (try StoreRows.of(old, "SELECT count(*) FROM ZPOST"))[0][0])
    }
}
