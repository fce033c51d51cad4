import PersistentStores
import StoreImport
import TestSupport
import Testing

/// What follows when all records are read is told, and is in the samples of the report.
@Suite struct ImportStageTests {
    private static func stages(of report: ImportReport) -> [String] {
        var stages: [String] = []
        for sample in report.progress ?? [] where stages.last != sample.stage { stages.append(sample.stage) }
        return stages
    }

    @Test func aNewStoreIsBuiltAfterItsRecordsAreRead() throws {
        let fixture = try ImportFixture(
            entities: "<entity name=\"Team\"><attribute name=\"code\" attributeType=\"String\"/></entity>")
        let path = try fixture.write("code\nA\nB\nC\n", as: "teams.csv")
        let plan = ImportRun.Plan.entity(EntityRequest(entity: "Team", key: ["code"]))
        var told: [ImportStage] = []
        func options(_ writer: NewStoreWriter) -> ImportOptions {
            told = []
            var options = ImportOptions()
            options.writer = writer
            options.onStage = { if told.last != $0 { told.append($0) } }
            return options
        }
        let new = try fixture.run([path], plan, options: options(.builder))
        #expect(told == [.linking, .building, .indexing])
        #expect(Self.stages(of: new) == ["importing", "linking", "building", "indexing", "done"])
        #expect(new.progress?.allSatisfy { $0.stage == "importing" || $0.rows == 3 } == true)
        let again = try fixture.run([path], plan, options: options(.auto))
        #expect(told == [.linking, .indexing])
        #expect(Self.stages(of: again) == ["importing", "linking", "indexing", "done"])
    }
}
