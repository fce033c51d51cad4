import Foundation
import SQLiteAccess
import StoreImport
import TestSupport
import Testing

@testable import ImportMappings

/// Sources of which nothing fits the model: comments of a draft that become sources.
@Suite struct LeftOutSourceTests {
    @Test func sourcesThatAreLeftOutAreCommentsThatBecomeSources() throws {
        let fixture = try DraftFixture(DraftFixture.entity("Team", "code", "title", more: DraftFixture.unique("code")))
        let teams = try fixture.fixture.write("code,title\na,A\n", as: "teams.csv")
        let notes = try fixture.fixture.write("zeta,eta,theta: x,kappa\n1,2,3,4\n", as: "notes.csv")
        let draft = try fixture.draft([teams, notes])
        // It runs as it is, with the sources that it has.
        #expect(draft.mapping.sources.map(\.name) == ["teams.csv"])
        #expect(try !fixture.fixture.run([teams], .mapping(draft.mapping)).hasFindings)
        #expect(draft.yaml.contains("#  - files: notes.csv\n") && draft.yaml.contains("# Left out: notes.csv"))
        let open = draft.yaml.split(separator: "\n", omittingEmptySubsequences: false).map {
            $0.hasPrefix("#  ") && !$0.hasPrefix("#     ferry") ? String($0.dropFirst()) : String($0)
        }
        let head = open.firstIndex { $0.hasPrefix("import:") } ?? 0
        let document = try ImportMappingReader.read(
            bytes: Array(open[head...].joined(separator: "\n").utf8), name: "draft.yaml")
        #expect(document.mapping.sources.map(\.name) == ["teams.csv", "notes.csv"])
        #expect(document.mapping.sources[1].objects[0].entity == LeftOutSource.unknownEntity)
        #expect(
            document.mapping.sources[1].objects[0].attributes.map(\.attribute) == ["zeta", "eta", "theta: x", "kappa"])
    }

    /// A database whose tables fit one entity in part, and another one not at all: each column is named.
    @Test func columnsThatFitNothingAreGuessedAtInComments() throws {
        let fixture = try DraftFixture(
            DraftFixture.entity("Worker", "firstName", "salary:Decimal", "homepage")
                + DraftFixture.entity("Ship", "tonnage:Integer 32"))
        let path = fixture.fixture.directory.file("staff.db")
        let connection = try Connection(path: path, access: .create)
        try connection.execute(
            """
            CREATE TABLE worker (first_name TEXT, salery REAL, foo TEXT);
            INSERT INTO worker VALUES ('Ada', 1.5, 'x');
            CREATE TABLE fleet (zeta TEXT, eta TEXT);
            INSERT INTO fleet VALUES ('a', 'b');
            """)
        try connection.close()
        let draft = try fixture.draft([path])
        let lines = draft.yaml.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        #expect(lines.contains { $0.hasPrefix("firstName: first_name") }, "\(draft.yaml)")
        #expect(lines.contains("#   salery: \"1.5\"; perhaps salary?"), "\(draft.yaml)")
        #expect(lines.contains("#   foo: \"x\""), "\(draft.yaml)")
        #expect(lines.contains("# Properties that no column fills: homepage, salary"), "\(draft.yaml)")
        // Guesses are not taken for more.
        #expect(draft.mapping.sources[0].objects[0].attributes.map(\.attribute) == ["firstName"])
        // An entity that is named gets its attributes listed.
        let named = try fixture.draft([path], entity: "Worker")
        #expect(named.yaml.contains("# Attributes of Worker: firstName (String), "), "\(named.yaml)")
    }

    @Test func aDraftThatLeavesNothingOutHasTheShortForm() throws {
        let fixture = try DraftFixture(DraftFixture.entity("Team", "code", "title", more: DraftFixture.unique("code")))
        let teams = try fixture.fixture.write("code,title\na,A\n", as: "teams.csv")
        #expect(try !fixture.draft([teams]).yaml.contains("sources:"))
    }
}
