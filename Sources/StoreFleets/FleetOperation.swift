/// What a fleet's shards do to each of their stores.
public enum FleetOperation: String, Sendable, Codable, CaseIterable {
    /// Brings each store to a version of its model.
    case migrate
    /// Makes a new store of another type of each store.
    case convert
    /// Looks for what is wrong with each store; nothing is written to it.
    case verify
    /// Repairs faults of each store.
    case repair
    /// Counts the objects of each store; nothing is written to it.
    case inspect
    /// Writes the objects of each store to files.
    case export

    /// What the folder for what is made gets.
    public enum Product: Sendable {
        /// Nothing is made: there is no such folder.
        case none
        /// What would take the store's place otherwise, or nothing.
        case optional
        /// Something new of each store.
        case required
    }

    /// What a folder for what is made is to the operation.
    public var product: Product {
        switch self {
        case .migrate, .repair, .inspect: .optional
        case .convert, .export: .required
        case .verify: .none
        }
    }

    /// Whether the stores themselves change where there is no folder for what is made.
    public var changesStores: Bool { self == .migrate || self == .repair }
}
