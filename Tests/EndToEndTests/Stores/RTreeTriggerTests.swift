import SQLiteAccess
import TestSupport
import Testing

/// Stores with R-trees that triggers of Core Data's keep up to date.
@Suite final class RTreeTriggerTests: CompanyStoreSuite {
    private func plantTree() throws {
        let connection = try Connection(path: store, access: .readWrite)
        connection.setDefensive(false)
        let row =
            "INSERT OR REPLACE INTO Z_RT_Project_bounds (Z_PK, LOW, HIGH) VALUES (NEW.Z_PK, NEW.ZBUDGET, NEW.ZBUDGET)"
        try connection.execute(
            """
            UPDATE ZPROJECT SET ZBUDGET = 1;
            CREATE VIRTUAL TABLE Z_RT_Project_bounds USING RTREE (Z_PK INTEGER PRIMARY KEY, LOW FLOAT, HIGH FLOAT);
            INSERT INTO Z_RT_Project_bounds SELECT Z_PK, ZBUDGET, ZBUDGET FROM ZPROJECT;
            CREATE TRIGGER Z_RT_Project_bounds_INSERT AFTER INSERT ON ZPROJECT FOR EACH ROW BEGIN \(row); END;
            CREATE TRIGGER Z_RT_Project_bounds_UPDATE AFTER UPDATE ON ZPROJECT FOR EACH ROW BEGIN \(row); END;
            CREATE TRIGGER Z_RT_Project_bounds_DELETE AFTER DELETE ON ZPROJECT FOR EACH ROW BEGIN DELETE FROM
            Z_RT_Project_bounds WHERE Z_PK = OLD.Z_PK; END
            """)
        try connection.close()
    }

    private func rows(_ sql: String) throws -> [[SQLiteValue]] {
        try Connection(path: store, access: .readOnly).rows(sql)
    }

    @Test(arguments: ["whole", "batch"])
    func anImportKeepsTheTree(_ commit: String) throws {
        try plantTree()
        let source = try directory.write("title,budget\nOrdnung,7\nNew,8\n", to: "new.csv")
        let run = try ToolProcess.ferry(
            ["import", source, "--store", store, "--entity", "Project", "--key", "title", "--commit", commit] + models)
        #expect(run.status == 0, "\(run.summary)")
        let tree = try rows("SELECT Z_PK, LOW FROM Z_RT_Project_bounds ORDER BY Z_PK")
        #expect(try tree == rows("SELECT Z_PK, CAST(ZBUDGET AS REAL) FROM ZPROJECT ORDER BY Z_PK"))
        #expect(tree.contains { $0[1] == 7 as SQLiteValue || $0[1] == 7.0 } && tree.contains { $0[1] == 8.0 })
    }

    @Test func aMappingModelIsRefusedBeforehand() throws {
        try plantTree()
        let before = try FolderState(of: directory.path)
        let mapping = Samples.path + "/../Mappings/Company/levels-to-skills.yaml"
        for words in [["--dry-run"], []] {
            let run = try ToolProcess.ferry(
                ["migrate", store, "--to", "Company 2", "--mapping", mapping] + models + words)
            #expect(run.status == 2 && run.signal == nil, "\(run.summary)")
            #expect((run.output + run.errors).contains("[virtual-table"), "\(run.summary)")
        }
        #expect(try FolderState(of: directory.path).byteDifferences(from: before) == [])
    }
}
