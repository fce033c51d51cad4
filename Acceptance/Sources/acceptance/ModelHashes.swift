import Foundation

/// What `ferry hashes --json` says of a version: hexadecimal digits by entity.
struct ModelHashes: Decodable {
    struct Version: Decodable {
        struct Entity: Decodable {
            let name: String
            let versionHash: String
        }

        let entities: [Entity]
    }

    let versions: [Version]

    static func read(_ url: URL) throws -> [String: String] {
        let hashes = try JSONDecoder().decode(ModelHashes.self, from: Data(contentsOf: url))
        guard let version = hashes.versions.first, hashes.versions.count == 1 else {
            throw CocoaError(.fileReadCorruptFile)
        }
        return Dictionary(version.entities.map { ($0.name, $0.versionHash) }) { first, _ in first }
    }

    static func text(_ hashes: [String: Data]) -> [String: String] {
        hashes.mapValues { $0.map { String(format: "%02x", $0) }.joined() }
    }
}
