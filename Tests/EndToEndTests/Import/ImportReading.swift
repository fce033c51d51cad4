import Foundation

/// What tests read of an import's report in JSON.
struct ImportReading: Decodable {
    struct Entity: Decodable, Equatable {
        let entity: String
        let inserted: Int
        let updated: Int
        let unchanged: Int
        let skipped: Int
        let rejected: Int
        let related: Int
        let unrelated: Int
    }

    struct Source: Decodable {
        let name: String
        let records: Int
        let rejected: Int
        let filtered: Int
    }

    let entities: [Entity]
    let sources: [Source]
    let unresolvedLinks: Int
    let findings: [String]

    init(_ text: String) throws {
        self = try JSONDecoder().decode(Self.self, from: Data(text.utf8))
    }

    var rejected: Int { sources.reduce(0) { $0 + $1.rejected } }

    /// Objects and links that are not as they were.
    var changes: Int { entities.reduce(0) { $0 + $1.inserted + $1.updated + $1.related + $1.unrelated } }
}
