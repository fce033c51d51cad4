public import PersistentStores

/// The store types that a program can read and write. The type of a file is detected from its content, not from its
/// name.
public struct PersistentStoreRegistry: Sendable {
    /// The formats, in the order in which they are tried; SQLite is not among them.
    public let formats: [any AtomicStoreFormat]

    /// SQLite, XML and binary.
    public static let standard = PersistentStoreRegistry(formats: [XMLStoreFormat(), BinaryStoreFormat()])

    init(formats: [any AtomicStoreFormat]) {
        self.formats = formats
    }

    /// Returns the registry with another format, which is tried first.
    public func adding(_ format: any AtomicStoreFormat) -> PersistentStoreRegistry {
        PersistentStoreRegistry(formats: [format] + formats)
    }

    /// The names of all types that can be written.
    public var typeNames: [String] { [PersistentStoreType.sqlite.name] + formats.map(\.type.name) }

    /// Returns the type with a name, without regard to case; nil if there is no such type.
    public func type(named name: String) -> PersistentStoreType? {
        typeNames.first { $0.lowercased() == name.lowercased() }.map { PersistentStoreType($0) }
    }

    /// Returns the format of an atomic type; nil for SQLite.
    public func format(of type: PersistentStoreType) -> (any AtomicStoreFormat)? {
        formats.first { $0.type == type }
    }

    /// Returns the type of the store in a file, detected from its first bytes.
    /// - Throws: `StoreError` if there is no such file, or if it is not a store of a known type.
    public func type(at path: String) throws(StoreError) -> PersistentStoreType {
        try StoreError.checkReach(path)
        if FileSystem.isDirectory(path) { throw StoreError(.isDirectory, path: path) }
        let beginning = try FileBytes.beginning(of: path, count: 4096)
        if let format = formats.first(where: { $0.recognizes(beginning) }) { return format.type }
        return PersistentStoreType(try StoreType(ofStoreAt: path).rawValue)
    }

    /// Returns whether a file is an atomic store; also false if it is not a store.
    ///
    /// - Throws: `StoreError` if there is no such file, or if it cannot be read.
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

    /// Returns the type of a new store according to its file name extension; SQLite for unknown ones.
    public func type(ofNewStore path: String) -> PersistentStoreType {
        let name = FileSystem.name(of: path).lowercased()
        return formats.first { $0.fileExtensions.contains { name.hasSuffix("." + $0) } }?.type ?? .sqlite
    }

    /// Returns the metadata of the store at a path.
    /// - Throws: `StoreError` if there is no such file, or if it is not a store of a known type; the errors of a custom
    ///   format.
    public func metadata(at path: String) throws -> StoreMetadata {
        guard let format = format(of: try type(at: path)) else { return try SQLiteStore.metadata(at: path) }
        return try format.metadata(at: path)
    }
}
