import PersistentStores

/// A report about the contents of a store.
public struct FixtureReport: Sendable, Encodable {
    /// The number of objects of an entity.
    public struct Entity: Sendable, Encodable {
        /// The entity's name.
        public let name: String
        /// The number of its objects, without those of its subentities.
        public let objects: Int
    }

    /// The path of the store.
    public let store: String
    /// The name of the model version.
    public let version: String
    /// The store's UUID.
    public let uuid: String
    /// The seed of the data.
    public let seed: UInt64
    /// All entities that are not abstract, by name.
    public let entities: [Entity]
    /// The number of rows in the join tables.
    public let joinRows: Int
    /// The number of binary values in files beside the store.
    public let externalFiles: Int
    /// Deviations from the request, and other information.
    public let findings: [FixtureFinding]
    /// The duration in seconds.
    public let seconds: Double
    /// The peak memory of the process, in bytes.
    public let peakMemory: Int64

    /// The number of objects of all entities.
    public var objects: Int { entities.reduce(0) { $0 + $1.objects } }

    /// Whether a finding is more than a note.
    public var hasWarnings: Bool { findings.contains(where: \.isWarning) }
}

extension FixtureReport: CustomStringConvertible {
    public var description: String {
        var columns = TextColumns(rightAligned: [1])
        for entity in entities { columns.add(entity.name, Quantity.count(Int64(entity.objects))) }
        let extras = [(joinRows, "rows of join tables"), (externalFiles, "values in files")].filter { $0.0 > 0 }
            .map { ", \(Quantity.count(Int64($0.0))) \($0.1)" }.joined()
        var lines = ["Made \(store), of version \(version) with seed \(seed)"] + columns.lines()
        lines += findings.map(\.description)
        lines.append(
            "\(Quantity.count(Int64(objects))) objects\(extras), in \(Quantity.duration(seconds)) with "
                + Quantity.bytes(peakMemory))
        return lines.joined(separator: "\n") + "\n"
    }
}
