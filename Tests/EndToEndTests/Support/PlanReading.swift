import Foundation
import TestSupport

/// What tests read of a plan or a report in JSON.
struct PlanReading: Decodable {
    struct Finding: Decodable {
        let severity: String
        let code: String
        let subject: String?
        let message: String
        let count: Int?
        let examples: [String]
    }

    let method: String
    let findings: [Finding]
    let keptTables: [String]
    let verdict: String?
    let upToDate: Bool?

    init(_ text: String) throws {
        self = try JSONDecoder().decode(Self.self, from: Data(text.utf8))
    }

    /// The codes of the findings that refuse the migration.
    var refusals: Set<String> { Set(findings.filter { $0.severity == "error" }.map(\.code)) }
}
