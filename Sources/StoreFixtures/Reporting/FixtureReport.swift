import PersistentStores

/// What a store was filled with.
public struct FixtureReport: Sendable, Encodable {
    /// How many objects an entity got.
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
    /// Every entity that is not abstract, by name.
    public let entities: [Entity]
    /// How many rows the join tables have.
    public let joinRows: Int
    /// Binary values in files beside the store.
    public let externalFiles: Int
    /// What is not as it was asked for, or worth knowing.
    public let findings: [FixtureFinding]
    /// The seconds that the work took.
    public let seconds: Double
    /// The most memory that the process ever had in use, in bytes.
    public let peakMemory: Int64

    /// The objects of all entities together.
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
