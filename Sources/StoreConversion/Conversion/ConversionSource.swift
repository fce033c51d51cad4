public import ManagedObjectModels
public import PersistentStores

extension StoreConverter {
    /// A store to read: a file of any type, or objects in memory.
    public struct Source: Sendable {
        /// The path, or the name in messages.
        public let path: String
        /// The name of the store in messages: its path, unless it stands for another store.
        public let shownPath: String
        /// The model with which the store was made.
        public let model: ResolvedModel

        /// The store in memory; nil for a file.
        public let memory: InMemoryStore?

        /// Creates the source of a file.
        /// - Parameters:
        ///   - path: the path of the file.
        ///   - model: the model with which the store was made.
        ///   - shownPath: the name of the store in messages; nil for its path.
        public init(path: String, model: ResolvedModel, shownAs shownPath: String? = nil) {
            self.path = path
            self.shownPath = shownPath ?? path
            self.model = model
            memory = nil
        }

        /// Creates the source of objects in memory.
        /// - Parameters:
        ///   - memory: the store.
        ///   - model: the model with which the store was made.
        ///   - name: the name of the store in messages.
        public init(_ memory: InMemoryStore, model: ResolvedModel, name: String = "memory") {
            path = name
            shownPath = name
            self.model = model
            self.memory = memory
        }

        /// Returns the type of the store, detected from its first bytes.
        /// - Throws: `StoreError` if there is no such file, or if it is not a store of a known type.
        public func type(in registry: PersistentStoreRegistry) throws(StoreError) -> PersistentStoreType {
            memory == nil ? try registry.type(at: path) : .inMemory
        }

        /// Returns the metadata of the store.
        /// - Throws: `StoreError` if the store cannot be read.
        public func metadata(in registry: PersistentStoreRegistry) throws -> StoreMetadata {
            try memory?.metadata ?? registry.metadata(at: path)
        }

        /// Opens a reader of the store's objects.
        /// - Throws: `StoreError` or `ConversionError` if the store cannot be read, or does not fit the model; the
        ///   errors of a custom format.
        public func reader(
            in registry: PersistentStoreRegistry, findings: ConversionFindings
        ) throws -> any ObjectReader {
            try reader(in: registry, findings: findings, limits: ConversionLimits())
        }

        /// Opens a reader with limits for SQLite stores; formats have their own.
        func reader(
            in registry: PersistentStoreRegistry, findings: ConversionFindings, limits: ConversionLimits
        ) throws -> any ObjectReader {
            if let memory { return memory.reader() }
            let forms = ObjectForms(model)
            if let format = registry.format(of: try registry.type(at: path)) {
                return try format.reader(at: path, forms: forms, findings: findings)
            }
            return try SQLiteObjectReader(
                try SQLiteStore(path: path, shownAs: shownPath), forms: forms, findings: findings, limits: limits)
        }
    }
}
