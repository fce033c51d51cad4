public import PersistentStores

/// What a conversion did.
public struct ConversionReport: Sendable, Codable {
    /// How many objects of an entity the new store has.
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
    /// The type of the new store, as in `SQLite`.
    public let type: String
    /// The UUID of the new store.
    public let uuid: String
    /// Whether every object has kept its key.
    public let keepsKeys: Bool
    /// What wrote the rows of a SQLite store; nil if there was none.
    public let writer: NewStoreWriter?
    /// The entities that are not abstract, in the order of the model.
    public let entities: [Entity]
    /// The objects of all entities together.
    public let objects: Int64
    /// What could not be carried over as it was, or had to be completed.
    public let findings: [ConversionFinding]
    /// The seconds that the work took.
    public let seconds: Double
    /// The most memory that the process ever had in use, in bytes.
    public let peakMemory: Int64

    /// Whether data are not as they were.
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
