import Foundation
import PersistentStores
import SQLiteAccess
import TestSupport
import Testing

/// Keys, versions, links and entity numbers at the ends of 64 bits, in every command: a documented status, never a trap.
@Suite final class ExtremeNumberTests: CompanyStoreSuite {
    /// What is done to a store with one number.
    enum Place: String, CaseIterable {
        case primaryKeys, highestKeys, versions, foreignKeys, entityColumns, joinRows, entityNumbers, attributes

        func sql(_ n: Int64) -> String {
            switch self {
            case .primaryKeys:
                ["ZPERSON WHERE Z_PK = 34", "ZDEPARTMENT WHERE Z_PK = 1", "ZPROJECT WHERE Z_PK = 6"].map {
                    let words = $0.split(separator: " ", maxSplits: 1)
                    return "UPDATE \(words[0]) SET Z_PK = \(n) \(words[1]);"
                }.joined()
            case .highestKeys: "UPDATE Z_PRIMARYKEY SET Z_MAX = \(n)"
            case .versions:
                ["ZPERSON", "ZPROJECT", "ZDEPARTMENT"].map { "UPDATE \($0) SET Z_OPT = \(n);" }.joined()
            case .foreignKeys:
                """
                UPDATE ZPERSON SET ZDEPARTMENT = \(n), ZMANAGER = \(n), Z_FOK_DEPARTMENT = \(n);
                UPDATE ZPROJECT SET ZLEAD = \(n)
                """
            case .entityColumns: "UPDATE ZPERSON SET Z4_MANAGER = \(n); UPDATE ZPROJECT SET Z4_LEAD = \(n)"
            case .joinRows:
                """
                INSERT OR REPLACE INTO Z_4PROJECTS VALUES (\(n), 1), (2, \(n));
                INSERT OR REPLACE INTO Z_6RELATEDPROJECTS VALUES (\(n), \(n))
                """
            case .entityNumbers:
                "UPDATE ZPROJECT SET Z_ENT = \(n) WHERE Z_PK = 6; "
                    + "UPDATE Z_PRIMARYKEY SET Z_SUPER = \(n) WHERE Z_NAME = 'Employee'"
            case .attributes:
                "UPDATE ZPERSON SET ZLEVEL = \(n), ZSTEPS = \(n), ZBIRTHDAY = \(n), ZHIRED = 1e308; "
                    + "UPDATE ZDEPARTMENT SET ZBUDGET = \(n)"
            }
        }
    }

    /// Every command and way that reads or writes rows; `STORE` and `NEW` stand for paths.
    static let commands = [
        "export STORE --all --output NEW MODELS",
        "fetch STORE --entity Employee --format json MODELS",
        "inspect STORE MODELS",
        "verify STORE MODELS",
        "convert STORE --output NEW.xml --id-map NEW.csv MODELS",
        "convert STORE --output NEW.binary MODELS",
        "convert STORE --output NEW.sqlite MODELS",
        "convert STORE --output NEW.sqlite --keep-ids MODELS",
        "import NEW.in.csv --store STORE --entity Project --key title MODELS",
        "import NEW.in.csv --store STORE --entity Project --key title --batch-rows 1 --commit batch MODELS",
        "migrate STORE --output NEW.sqlite MODELS",
        "migrate STORE MODELS",
        "migrate STORE --in-place --batch-rows 2 --writer sqlite MODELS",
        "migrate STORE --dry-run MODELS",
        "migrate STORE --chain versions --output NEW.sqlite MODELS",
        "migrate STORE --to LEVELS --mapping \(Samples.path)/../Mappings/Company/levels-to-skills.yaml MODELS",
        "copy STORE NEW.sqlite",
        "metadata STORE set a 1",
        "repair STORE --fix primary-key-behind --fix dangling-join-row --fix unknown-entity-number MODELS",
    ]

    @Test(.long, arguments: Place.allCases, [Int64.max, Int64.min])
    func noCommandTraps(_ place: Place, _ number: Int64) throws {
        try change(place.sql(number))
        for command in Self.commands { try expectStatus(command) }
    }

    /// Keys of tables that become one, and whose sums are beyond the highest.
    @Test(.long) func sumsOfKeysAreChecked() throws {
        try change(
            "UPDATE ZPERSON SET Z_PK = \(Int64(1) << 62) + Z_PK WHERE Z_ENT = 4; "
                + "UPDATE ZDEPARTMENT SET Z_PK = \(Int64(3) << 61) + Z_PK; "
                + "UPDATE ZPROJECT SET Z_PK = \(Int64(3) << 61) + Z_PK")
        for command in Self.commands { try expectStatus(command) }
    }

    /// Nothing is made of a store whose keys are used up, and it is said why.
    @Test(arguments: [Place.primaryKeys, Place.highestKeys], [Int64.max, Int64.max - 1])
    func anImportSaysWhereNoKeyIsLeft(_ place: Place, _ number: Int64) throws {
        try change(place.sql(number))
        let source = try directory.write("title\nNew\n", to: "new.csv")
        let before = try FolderState(of: directory.path)
        let run = try ToolProcess.ferry(["import", source, "--store", store, "--entity", "Project"] + models)
        #expect(run.status == 2 && run.signal == nil, "\(run.summary)")
        #expect(run.errors.contains("no primary key is left for objects of Project"), "\(run.errors)")
        #expect(try FolderState(of: directory.path).byteDifferences(from: before) == [])
    }

    /// A version that cannot be raised stays, as an integer.
    @Test func theHighestVersionStays() throws {
        try change("UPDATE ZPROJECT SET Z_OPT = \(Int64.max)")
        let source = try directory.write("title,budget\nOrdnung,7\n", to: "new.csv")
        let run = try ToolProcess.ferry(
            ["import", source, "--store", store, "--entity", "Project", "--key", "title"] + models)
        #expect(run.status == 0, "\(run.summary)")
        let row = try Connection(path: store, access: .readOnly).rows(
            "SELECT ZBUDGET, Z_OPT, typeof(Z_OPT) FROM ZPROJECT WHERE ZTITLE = 'Ordnung'")
        #expect(row == [[.integer(7), .integer(.max), "integer"]])
    }

    private func change(_ sql: String) throws {
        let connection = try Connection(path: store, access: .readWrite)
        connection.setTriggersEnabled(false)
        try connection.execute(sql)
        _ = try connection.value("PRAGMA wal_checkpoint(TRUNCATE)")
        try connection.close()
    }

    /// Runs a command on a copy of the store in a folder of its own.
    private func expectStatus(_ command: String) throws {
        let folder = try TemporaryDirectory()
        let copy = folder.file("Store.sqlite")
        try StoreFiles(store).copyAll(to: StoreFiles(copy))
        _ = try folder.write("title,budget\nOrdnung,7\nOne more,8\nAnd one,9\n", to: "new.in.csv")
        let words = command.split(separator: " ").flatMap { word -> [String] in
            switch word {
            case "STORE": [copy]
            case "MODELS": models
            case "LEVELS": ["Company 2"]
            default: [String(word).replacingOccurrences(of: "NEW", with: folder.file("new"))]
            }
        }
        let run = try ToolProcess.ferry(words)
        #expect(run.signal == nil && [0, 1, 2].contains(run.status), "\(command)\n\(run.summary)")
    }
}
