public import PersistentStores

/// The result of a conversion.
public struct ConversionReport: Sendable, Codable {
    /// The number of objects of an entity in the new store.
    public struct Entity: Sendable, Codable, Hashable {
        /// The entity's name.
        public let name: String
        /// The number of its objects, without those of its subentities.
        public let objects: Int64
    }

    /// The paths of the stores that were converted.
    public let sources: [String]
    /// The path of the new store.
    public let result: String
    /// The type of the new store, such as `SQLite`.
    public let type: String
    /// The UUID of the new store.
    public let uuid: String
    /// Whether every object has kept its key.
    public let keepsKeys: Bool
    /// How the rows of an SQLite store were written; nil if there was none.
    public let writer: NewStoreWriter?
    /// The entities that are not abstract, in the order of the model.
    public let entities: [Entity]
    /// The number of objects of all entities.
    public let objects: Int64
    /// The data that could not be copied unchanged, or had to be completed.
    public let findings: [ConversionFinding]
    /// The duration in seconds.
    public let seconds: Double
    /// The peak memory use of the process, in bytes.
    public let peakMemory: Int64

    /// Whether the data changed.
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
