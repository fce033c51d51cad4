/// The operation that a fleet's shards perform on each of their stores.
public enum FleetOperation: String, Sendable, Codable, CaseIterable {
    /// Migrates each store to a version of its model.
    case migrate
    /// Converts each store to a new store of another type.
    case convert
    /// Verifies each store; nothing is written to it.
    case verify
    /// Repairs faults of each store.
    case repair
    /// Counts the objects of each store; nothing is written to it.
    case inspect
    /// Writes the objects of each store to files.
    case export

    /// The use of the output folder by an operation.
    public enum Product: Sendable {
        /// The operation has no output folder.
        case none
        /// The new stores, which would otherwise replace the old ones.
        case optional
        /// New files for each store.
        case required
    }

    /// The operation's use of the output folder.
    public var product: Product {
        switch self {
        case .migrate, .repair, .inspect: .optional
        case .convert, .export: .required
        case .verify: .none
        }
    }

    /// Whether the stores themselves change if there is no output folder.
    public var changesStores: Bool { self == .migrate || self == .repair }
}
