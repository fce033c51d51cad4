public import PersistentStores

/// The types of stores that a program can read and write; which one a file has, its content says and not its name.
public struct PersistentStoreRegistry: Sendable {
    /// The formats, in the order in which they are asked; SQLite is not among them.
    public let formats: [any AtomicStoreFormat]

    /// SQLite, XML and binary.
    public static let standard = PersistentStoreRegistry(formats: [XMLStoreFormat(), BinaryStoreFormat()])

    init(formats: [any AtomicStoreFormat]) {
        self.formats = formats
    }

    /// Returns the registry with one more type, which is asked first.
    public func adding(_ format: any AtomicStoreFormat) -> PersistentStoreRegistry {
        PersistentStoreRegistry(formats: [format] + formats)
    }

    /// The names of all types that can be written.
    public var typeNames: [String] { [PersistentStoreType.sqlite.name] + formats.map(\.type.name) }

    /// The type of that name, nil if none is registered; case does not count.
    public func type(named name: String) -> PersistentStoreType? {
        typeNames.first { $0.lowercased() == name.lowercased() }.map { PersistentStoreType($0) }
    }

    /// How an atomic type is read and written; nil for SQLite.
    public func format(of type: PersistentStoreType) -> (any AtomicStoreFormat)? {
        formats.first { $0.type == type }
    }

    /// The type of the store in a file, by its first bytes.
    /// - Throws: `StoreError` where there is no such file, and where it is not a store of a known type.
    public func type(at path: String) throws(StoreError) -> PersistentStoreType {
        try StoreError.checkReach(path)
        if FileSystem.isDirectory(path) { throw StoreError(.isDirectory, path: path) }
        let beginning = try FileBytes.beginning(of: path, count: 4096)
        if let format = formats.first(where: { $0.recognizes(beginning) }) { return format.type }
        return PersistentStoreType(try StoreType(ofStoreAt: path).rawValue)
    }

    /// Whether a file is a store that is read and written as a whole; false as well if it is not a store.
    ///
    /// - Throws: `StoreError` if there is no such file, or it cannot be read.
    public func isAtomic(_ path: String) throws(StoreError) -> Bool {
        do throws(StoreError) {
            return try type(at: path) != .sqlite
        } catch {
            switch error.code {
            case .notAStore, .empty: return false
            default: throw error
            }
        }
    }

    /// The type of a new store by the end of its name; SQLite where that says nothing.
    public func type(ofNewStore path: String) -> PersistentStoreType {
        let name = FileSystem.name(of: path).lowercased()
        return formats.first { $0.fileExtensions.contains { name.hasSuffix("." + $0) } }?.type ?? .sqlite
    }

    /// What the store at a path says of itself.
    /// - Throws: `StoreError` if there is no such file, or if it is not a store of a known type; what a custom format
    ///   throws.
    public func metadata(at path: String) throws -> StoreMetadata {
        guard let format = format(of: try type(at: path)) else { return try SQLiteStore.metadata(at: path) }
        return try format.metadata(at: path)
    }
}
