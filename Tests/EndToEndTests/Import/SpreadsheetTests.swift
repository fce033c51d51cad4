import Foundation
import SQLiteAccess
import TestSupport
import Testing

/// Workbooks as another program writes them.
@Suite struct SpreadsheetTests {
    private let directory: TemporaryDirectory
    private let workbook = Samples.path + "/Company/spreadsheets/projects.xlsx"

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func ferry(_ words: String...) throws -> ToolProcess.Result {
        try ToolProcess.ferry(words + ["--models", Samples.models("Company"), "--progress", "none"])
    }

    private func projects(_ store: String) throws -> [[String]] {
        try StoreRows.of(
            store,
            "SELECT ZTITLE, datetime(ZDEADLINE + 978307200, 'unixepoch'), ZBUDGET FROM ZPROJECT ORDER BY ZTITLE")
    }

    @Test func theSheetOfAMappingIsImported() throws {
        let store = directory.file("s.sqlite")
        let mapping = Samples.path + "/Company/spreadsheets/projects.yaml"
        let run = try ferry(
            "import", workbook, "--mapping", mapping, "--store", store, "--rejects", directory.file("rejects"))
        #expect(run.status == 1, "\(run.summary)")
        #expect(run.output.contains("projects.xlsx:5: Project.deadline") && run.output.contains("\"soon\""))
        let imported = [
            ["Apollo", "2029-12-31 00:00:00", "100000.01"], ["Gemini", "2027-01-01 00:00:00", ""],
            ["Mercury", "", "0.1"],
        ]
        #expect(try projects(store) == imported)
        // The rejected row is CSV that can be corrected and imported, by the same mapping.
        let rejects = directory.file("rejects/projects.rejected.csv")
        let text = try String(contentsOfFile: rejects, encoding: .utf8)
        #expect(text == "\"title\",\"deadline\",\"budget\"\n\"Skylab\",\"soon\",75000\n")
        let mended = try directory.write(
            text.replacing("soon", with: "2028-06-30T00:00:00Z"), to: "rejects/projects.rejected.csv")
        let again = try ferry("import", mended, "--mapping", mapping, "--store", store)
        #expect(again.status == 0, "\(again.summary)")
        #expect(try projects(store) == imported + [["Skylab", "2028-06-30 00:00:00", "75000"]])
    }

    @Test func theFirstSheetIsImportedAndOthersDrafted() throws {
        let run = try ferry("import", workbook, "--entity", "Project", "--store", directory.file("s.sqlite"))
        #expect(run.status == 2 && run.errors.contains("Budgets are planned, not spent."), "\(run.summary)")
        let draft = try ferry("import", workbook, "--draft-mapping")
        #expect(draft.output.contains("    sheet: Projects\n") && draft.output.contains("    entity: Project\n"))
    }

    @Test func standardInputIsNoWorkbook() throws {
        let run = try ToolProcess.run(
            "/bin/sh",
            [
                "-c",
                "cat \"$1\" | \"$0\" import - --entity Project --models \"$2\" --store \"$3\"",
                ToolProcess.ferry, workbook, Samples.models("Company"), directory.file("s.sqlite"),
            ])
        #expect(run.status == 2 && run.errors.contains("cannot be read from standard input"), "\(run.summary)")
    }
}
