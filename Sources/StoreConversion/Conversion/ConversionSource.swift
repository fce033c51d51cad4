public import ManagedObjectModels
public import PersistentStores

extension StoreConverter {
    /// A store that is read: a file of any type, or objects in memory.
    public struct Source: Sendable {
        /// The path, or what messages call it.
        public let path: String
        public let model: ResolvedModel

        /// nil for a file.
        public let memory: InMemoryStore?

        public init(path: String, model: ResolvedModel) {
            self.path = path
            self.model = model
            memory = nil
        }

        /// - Parameter name: what messages call it.
        public init(_ memory: InMemoryStore, model: ResolvedModel, name: String = "memory") {
            path = name
            self.model = model
            self.memory = memory
        }

        public func type(in registry: PersistentStoreRegistry) throws(StoreError) -> PersistentStoreType {
            memory == nil ? try registry.type(at: path) : .inMemory
        }

        /// What the store says of itself.
        public func metadata(in registry: PersistentStoreRegistry) throws -> StoreMetadata {
            try memory?.metadata ?? registry.metadata(at: path)
        }

        /// Reads the store's objects one by one.
        public func reader(
            in registry: PersistentStoreRegistry, findings: ConversionFindings
        ) throws -> any ObjectReader {
            if let memory { return memory.reader() }
            let forms = ObjectForms(model)
            if let format = registry.format(of: try registry.type(at: path)) {
                return try format.reader(at: path, forms: forms, findings: findings)
            }
            return try SQLiteObjectReader(try SQLiteStore(path: path), forms: forms, findings: findings)
        }
    }
}
