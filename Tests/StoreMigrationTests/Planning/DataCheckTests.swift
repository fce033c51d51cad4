import GeneratedStores
import ManagedObjectModels
import PersistentStores
import Testing

@testable import StoreMigration

/// What is asked of the rows of a source, whatever the mapping is.
@Suite struct DataCheckTests {
    private static func question(_ condition: String, _ code: String, value: String? = nil) -> DataQuestion {
        let rows = SourceRows(query: "FROM ZNOTE s WHERE s.Z_ENT = 1", entity: "Note")
        return DataQuestion(
            rows, where: condition, value: value,
            MigrationFinding(.warning, code, subject: "Note.size", message: "it is so"))
    }

    /// The conditions for the same rows are more than fit into one result.
    @Test(arguments: [1, 2, 3, 400])
    func questionsAboutTheSameRowsAreAnsweredTogether(most: Int) throws {
        let entities = [entity("Note", [attribute("size", .integer64)])]
        let test = try TestStore(
            from: entities, to: entities,
            rows: """
                INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZSIZE) VALUES
                (1, 1, 1, 10), (2, 1, 1, NULL), (3, 1, 1, 30), (4, 1, 1, 40), (5, 1, 1, 50), (6, 2, 1, 60);
                """)
        var checks = try DataChecks(SQLiteStore(path: test.path))
        checks.maximumConditions = most
        let layout = LayoutPrediction.layout(of: test.source.model)
        let all = SourceRows(query: "FROM ZNOTE s WHERE 1", entity: "Note")
        let questions = [
            Self.question("s.ZSIZE IS NULL", "null"), Self.question("s.ZSIZE > 100", "none"),
            Self.question("s.ZSIZE >= 10 OR 0", "sizes", value: "s.ZSIZE * 2"), DataQuestion(counting: all),
            DataQuestion(
                [
                    .groups("SELECT min(Z_PK), Z_ENT, count(*) FROM ZNOTE GROUP BY Z_ENT", layout),
                    .rows(all, where: "s.Z_PK = 5"),
                ], MigrationFinding(.error, "groups", message: "and so")),
            DataQuestion(all, where: "1", telling: .none, MigrationFinding(.note, "any", message: "there are some")),
        ]
        let found = try checks.findings(of: questions).map {
            "\($0.code) \($0.count.map(String.init) ?? "-") \($0.examples.map { $0.suffix(2) }) \($0.values ?? [])"
        }
        #expect(
            found == [
                #"null 1 ["p2"] []"#, #"sizes 4 ["p1", "p3", "p4"] ["20", "60", "80"]"#,
                #"groups 7 ["p1", "p5"] []"#, "any - [] []",
            ])
        #expect(try checks.answers(to: questions).map(\.count) == [1, 0, 4, 6, 7, 6])
    }
}
