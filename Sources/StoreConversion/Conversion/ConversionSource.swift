public import ManagedObjectModels
public import PersistentStores

extension StoreConverter {
    /// A store that is read: a file of any type, or objects in memory.
    public struct Source: Sendable {
        /// The path, or what messages call it.
        public let path: String
        /// What messages call the store: its path, unless it stands for another store.
        public let shownPath: String
        /// The model that the store was made with.
        public let model: ResolvedModel

        /// The store in memory; nil for a file.
        public let memory: InMemoryStore?

        /// Makes the source of a file.
        /// - Parameters:
        ///   - path: the path of the file.
        ///   - model: the model that the store was made with.
        ///   - shownPath: what messages call the store; nil for its path.
        public init(path: String, model: ResolvedModel, shownAs shownPath: String? = nil) {
            self.path = path
            self.shownPath = shownPath ?? path
            self.model = model
            memory = nil
        }

        /// Makes the source of objects in memory.
        /// - Parameters:
        ///   - memory: the store.
        ///   - model: the model that the store was made with.
        ///   - name: what messages call it.
        public init(_ memory: InMemoryStore, model: ResolvedModel, name: String = "memory") {
            path = name
            shownPath = name
            self.model = model
            self.memory = memory
        }

        /// The type of the store, by its first bytes.
        /// - Throws: `StoreError` if there is no such file, or if it is not a store of a known type.
        public func type(in registry: PersistentStoreRegistry) throws(StoreError) -> PersistentStoreType {
            memory == nil ? try registry.type(at: path) : .inMemory
        }

        /// What the store says of itself.
        /// - Throws: `StoreError` if the store cannot be read.
        public func metadata(in registry: PersistentStoreRegistry) throws -> StoreMetadata {
            try memory?.metadata ?? registry.metadata(at: path)
        }

        /// Reads the store's objects one by one.
        /// - Throws: `StoreError` or `ConversionError` if the store cannot be read, or does not fit the model; what a
        ///   custom format throws.
        public func reader(
            in registry: PersistentStoreRegistry, findings: ConversionFindings
        ) throws -> any ObjectReader {
            try reader(in: registry, findings: findings, limits: ConversionLimits())
        }

        /// Limits are those of reading SQLite stores; formats have their own.
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
