public import PersistentStores

/// What a conversion did.
public struct ConversionReport: Sendable, Codable {
    public struct Entity: Sendable, Codable, Hashable {
        public let name: String
        public let objects: Int64
    }

    public let sources: [String]
    public let result: String
    public let type: String
    public let uuid: String
    public let keepsKeys: Bool
    /// What wrote the rows of a SQLite store; nil if there was none.
    public let writer: NewStoreWriter?
    public let entities: [Entity]
    public let objects: Int64
    public let findings: [ConversionFinding]
    public let seconds: Double
    /// The most memory that the process ever had in use, in bytes.
    public let peakMemory: Int64

    public var hasWarnings: Bool { findings.contains(where: \.isWarning) }
}

extension ConversionReport: CustomStringConvertible {
    public var description: String {
        var lines = ["Converted \(sources.joined(separator: ", ")) to \(result) (\(type))"]
        var columns = TextColumns(rightAligned: [1])
        for entity in entities { columns.add(entity.name, Quantity.count(entity.objects)) }
        lines += columns.lines()
        lines += findings.map { "  " + $0.description }
        lines.append(
            "Total: \(Quantity.count(objects)) objects; \(Quantity.duration(seconds)), "
                + "peak memory \(Quantity.bytes(peakMemory))")
        return lines.joined(separator: "\n") + "\n"
    }
}
