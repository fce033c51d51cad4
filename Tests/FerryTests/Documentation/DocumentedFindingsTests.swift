import Foundation
import StoreMigration
import Testing

/// The table of findings against the sources, where each finding has its code and severity.
@Suite struct DocumentedFindingsTests {
    private static let sources = Documentation.folder + "/Sources/StoreMigration"

    /// Severities by code, as the sources say them.
    private func declared() throws -> [String: Set<String>] {
        var result: [String: Set<String>] = [:]
        let walker = try #require(FileManager.default.enumerator(atPath: Self.sources))
        for case let name as String in walker where name.hasSuffix(".swift") {
            let text = try String(contentsOfFile: Self.sources + "/" + name, encoding: .utf8)
            for match in text.matches(of: /\.(note|warning|error),\s*"([a-z]+(?:-[a-z]+)+)"/) {
                result[String(match.2), default: []].insert(String(match.1))
            }
            // A severity that a property or a variable has.
            for match in text.matches(of: /\bseverity,\s*"([a-z]+(?:-[a-z]+)+)"/) {
                result[String(match.1), default: []].formUnion([])
            }
            // The failures of inference that the planner turns into findings; one of them is a warning.
            if let start = text.firstRange(of: "var findingCode: String") {
                for match in text[start.upperBound...].matches(of: /: "([a-z]+(?:-[a-z]+)+)"/) {
                    result[String(match.1), default: []].insert(
                        match.1 == "external-data-inlined" ? "warning" : "error")
                }
            }
        }
        return result
    }

    /// Severities by code, as the table says them: the first is the severity, another may be in the meaning.
    private func documented() throws -> [String: (severity: String, row: String)] {
        var result: [String: (severity: String, row: String)] = [:]
        for cells in try Documentation.page("findings").rows(ofTable: "| Code |") {
            try #require(cells.count == 4, "\(cells)")
            result[cells[0].replacing("`", with: "")] = (cells[1], cells[2])
        }
        return result
    }

    @Test func theTableHasEveryFindingAndNoOther() throws {
        let declared = try declared()
        let documented = try documented()
        #expect(declared.count > 20)
        #expect(Set(declared.keys).subtracting(documented.keys) == [])
        #expect(Set(documented.keys).subtracting(declared.keys) == [])
        #expect(Set(declared.keys) == Set(MigrationFinding.codes))
        #expect(MigrationFinding.codes == MigrationFinding.codes.sorted())
        for (code, severities) in declared {
            guard let entry = documented[code], !severities.isEmpty else { continue }
            #expect(severities.contains(entry.severity), "\(code)")
            for other in severities where other != entry.severity {
                #expect(
                    entry.row.contains("a \(other) if"),
                    "\(code) can also be a \(other): say when, as in \"a note if ...\"")
            }
        }
    }
}
