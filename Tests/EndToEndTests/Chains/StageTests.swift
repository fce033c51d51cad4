import Foundation
import GeneratedStores
import TestSupport
import Testing

/// `ferry migrate --stages`: the way is laid down, with work before and behind a step.
@Suite struct StageTests {
    private func migrate(
        _ stages: String, _ more: [String] = []
    ) throws -> (run: ToolProcess.Result, scenario: ChainScenario, store: String, folder: String) {
        let scenario = try ChainScenario()
        let (store, folder) = try scenario.copy("staged")
        let file = try scenario.folder.directory.write(stages, to: "stages.yaml")
        let run = try ToolProcess.ferry(
            ["migrate", store, "--models", Samples.models("Company"), "--stages", file, "--progress", "none"] + more)
        return (run, scenario, store, folder)
    }

    private static let stages = """
        stages: 1
        migration:
          - lightweight: [Company, Company 2]
            label: names
          - label: divisions
            from: Company 2
            to: Company 3
            will:
              - update: Employee
                where: remarks == nil
                set: {remarks: '"none of " + lastName', vacationDays: 30}
              - {delete: Project, where: lead == nil}
            did:
              - {update: Division, set: {name: 'uppercase:(name)'}}
          - lightweight: [Company 3, Company 4]
        """

    @Test func stagesRunInOrderWithTheirEdits() throws {
        let (run, scenario, store, folder) = try migrate(Self.stages)
        #expect(run.status == 0, "\(run.summary)")
        #expect(run.output.contains("in 3 steps") && run.output.contains("delete Project where lead == nil: "))
        let old = scenario.folder.store
        let people = try StoreRows.of(
            old,
            "SELECT ifnull(ZNOTES, 'none of ' || ZLASTNAME), CASE WHEN ZNOTES IS NULL THEN 30 ELSE ifnull(ZVACATIONDAYS, 25) "
                + "END FROM ZPERSON ORDER BY Z_PK")
        #expect(people.contains { $0[0].hasPrefix("none of ") } && people.contains { !$0[0].hasPrefix("none of ") })
        #expect(try StoreRows.of(store, "SELECT ZREMARKS, ZVACATIONDAYS FROM ZPERSON ORDER BY Z_PK") == people)
        let projects = try StoreRows.of(old, "SELECT ZTITLE FROM ZPROJECT WHERE ZLEAD NOT NULL ORDER BY Z_PK")
        #expect(try StoreRows.of(old, "SELECT 1 FROM ZPROJECT WHERE ZLEAD IS NULL") != [])
        #expect(try StoreRows.of(store, "SELECT ZTITLE FROM ZPROJECT ORDER BY Z_PK") == projects)
        let names = try StoreRows.of(old, "SELECT ZNAME FROM ZDEPARTMENT").map { $0[0].uppercased() }
        #expect(try StoreRows.of(store, "SELECT ZNAME FROM ZORGANIZATION").map { $0[0] }.sorted() == names.sorted())
        #expect(try ChainScenario.faults(store, model: Samples.models("Company") + "/Company 4.xcdatamodel") == [])
        #expect(try FolderState(of: folder).names.allSatisfy { !$0.contains("ferry-") })
    }

    @Test(.long) func aKilledStagedMigrationGoesOn() throws {
        let (whole, scenario, expected, _) = try migrate(Self.stages)
        #expect(whole.status == 0, "\(whole.summary)")
        let stages = scenario.folder.directory.file("stages.yaml")
        func words(_ store: String) -> [String] {
            [
                "migrate", store, "--models", Samples.models("Company"), "--stages", stages, "--progress", "none",
                "--resume",
            ]
        }
        for part in TestSettings.killsAtEveryPoint ? [1, 2, 3, 4] : [2, 3] {
            let (store, folder) = try scenario.copy("killed-\(part)")
            let names = try scenario.checkpoints(words(scenario.copy("log-\(part)").store)).names
            let point = try #require(names.firstIndex(of: "part \(part) noted")) + 1
            #expect(
                try ToolProcess.ferry(words(store), environment: ["FERRY_TEST_KILL_AT": "\(point)"]).signal == SIGKILL)
            let again = try scenario.checkpoints(words(store))
            #expect(again.run.status == 0, "\(again.run.summary)")
            #expect(!again.names.contains("part \(part) noted"))
            #expect(try StoreDump(of: store).differences(from: StoreDump(of: expected)) == [])
            #expect(try FolderState(of: folder).names.allSatisfy { !$0.contains("ferry-") })
        }
    }

    @Test(
        .long,
        arguments: [
            (stages.replacing("stages: 1", with: "stages: 2"), ":1:9: ", "error 134505"),
            (stages.replacing("Company 3, Company 4", with: "Company 3, Company 9"), ":15:30: ", "error 134504"),
            (
                stages.replacing("[Company, Company 2]", with: "[Company 2]"), ":1:1: ",
                "Cannot use staged migration with an unknown model version."
            ),
            (stages.replacing("to: Company 3", with: "to: Company"), ":7:9: ", "error 134506"),
            (stages.replacing("update: Division", with: "update: Department"), ":14:9: ", "no entity Department"),
            (stages.replacing("vacationDays: 30", with: "holidays: 30"), ":9:9: ", "no stored attribute holidays"),
            (stages.replacing("lead == nil", with: "lead =="), ":12:9: ", "predicate"),
            (stages.replacing("label: names", with: "labels: names"), ":4:5: ", "did you mean \"label\"?"),
            ("stages: 1\nmigration: []\n", ":2:12: ", "no items"),
        ])
    func whatIsWrongIsSaidWithItsPlaceAndNothingChanges(_ text: String, _ place: String, _ message: String) throws {
        let (run, scenario, store, _) = try migrate(text)
        #expect(run.status == 2)
        #expect(run.errors.contains("stages.yaml" + place) && run.errors.contains(message), "\(run.summary)")
        #expect(try StoreDump(of: store) == StoreDump(of: scenario.folder.store))
    }

    @Test func stagesNeverLeadBack() throws {
        let scenario = try ChainScenario()
        let (store, _) = try scenario.copy("back")
        let stages = try scenario.folder.directory.write(Self.stages, to: "stages.yaml")
        let words = ["migrate", store, "--models", Samples.models("Company"), "--progress", "none"]
        #expect(try ToolProcess.ferry(words + ["--to", "Company 3", "--chain", "direct"]).status == 0)
        let run = try ToolProcess.ferry(words + ["--to", "Company 2", "--stages", stages])
        #expect(run.status == 2 && run.errors.contains("error 134506"), "\(run.summary)")
        // From the middle on.
        #expect(try ToolProcess.ferry(words + ["--stages", stages]).status == 0)
    }

    /// What no transformer makes bytes of is found before the store is touched.
    @Test func valuesOfTransformableAttributesAreJSON() throws {
        func stages(_ json: String) -> String {
            """
            stages: 1
            migration:
              - from: Company
                to: Company 2
                will:
                  - {update: Employee, where: level < 3, setJSON: {preferences: '\(json)'}}
            """
        }
        let (run, scenario, store, _) = try migrate(stages(#"{"theme": "sepia"}"#), ["--to", "Company 2"])
        #expect(run.status < 2, "\(run.summary)")
        let old = scenario.folder.store
        let keys = try StoreRows.of(old, "SELECT Z_PK FROM ZPERSON WHERE ZLEVEL < 3").map { $0[0] }
        let these = "Z_PK IN (\(keys.joined(separator: ", ")))"
        let archives = try StoreRows.of(
            store,
            "SELECT DISTINCT CAST(substr(ZPREFERENCES, 1, 8) AS TEXT), instr(ZPREFERENCES, CAST('sepia' AS BLOB)) > 0 "
                + "FROM ZPERSON WHERE " + these)
        #expect(archives == [["bplist00", "1"]])
        let others = "SELECT Z_PK, hex(ZPREFERENCES) FROM ZPERSON WHERE NOT \(these) ORDER BY 1"
        #expect(try StoreRows.of(store, others) == StoreRows.of(old, others))

        let (refused, other, untouched, _) = try migrate(stages("{"), ["--to", "Company 2"])
        #expect(refused.status == 2 && refused.errors.contains("is not JSON"), "\(refused.summary)")
        #expect(try StoreDump(of: untouched) == StoreDump(of: other.folder.store))
    }

    @Test func deletingFollowsTheDeleteRules() throws {
        let text = """
            stages: 1
            migration:
              - from: Company
                to: Company 2
                will:
                  - {delete: Employee, where: parkingPlace != nil, unlink: true}
            """
        let (run, scenario, store, _) = try migrate(text, ["--to", "Company 2"])
        #expect(run.status < 2, "\(run.summary)")
        let old = scenario.folder.store
        let staying = try StoreRows.of(
            old, "SELECT Z_PK FROM ZPERSON WHERE ZPARKINGPLACE IS NULL ORDER BY 1")
        #expect(try StoreRows.of(store, "SELECT Z_PK FROM ZPERSON ORDER BY 1") == staying)
        #expect(try StoreRows.of(old, "SELECT 1 FROM ZPERSON WHERE ZPARKINGPLACE NOT NULL") != [])
        // Their parking places go with them, and nothing leads to them any more.
        let places = try StoreRows.of(old, "SELECT Z_PK FROM ZPARKINGPLACE WHERE ZOWNER IS NULL ORDER BY 1")
        #expect(try StoreRows.of(store, "SELECT Z_PK FROM ZPARKINGPLACE ORDER BY 1") == places)
        #expect(try ChainScenario.faults(store, model: Samples.models("Company") + "/Company 2.xcdatamodel") == [])
    }
}
