import PersistentStores

/// What a store was filled with.
public struct FixtureReport: Sendable, Encodable {
    public struct Entity: Sendable, Encodable {
        public let name: String
        public let objects: Int
    }

    public let store: String
    public let version: String
    /// The store's UUID.
    public let uuid: String
    public let seed: UInt64
    /// Every entity that is not abstract, by name.
    public let entities: [Entity]
    /// Rows of join tables.
    public let joinRows: Int
    /// Binary values in files beside the store.
    public let externalFiles: Int
    public let findings: [FixtureFinding]
    public let seconds: Double
    /// Bytes.
    public let peakMemory: Int64

    public var objects: Int { entities.reduce(0) { $0 + $1.objects } }

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
