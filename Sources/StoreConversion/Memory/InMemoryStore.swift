public import ManagedObjectModels
public import PersistentStores

/// A store in memory: a value for tests and tools that can be read from any store and written as any type.
///
///     let store = try InMemoryStore(path: "Company.xml", model: model)
///
/// All objects are in memory, so its size is the size of the store.
public struct InMemoryStore: Sendable {
    /// The metadata of the store.
    public var metadata: StoreMetadata

    /// The objects, in the order in which they were read or added.
    public var objects: [StoredObject]

    /// Creates a store from objects.
    public init(metadata: StoreMetadata, objects: [StoredObject] = []) {
        self.metadata = metadata
        self.objects = objects
    }

    /// Reads a store of any type.
    /// - Throws: `StoreError` or `ConversionError` if the store cannot be read, or does not fit the model; the errors
    ///   of a custom format.
    public init(
        path: String, model: ResolvedModel, registry: PersistentStoreRegistry = .standard,
        findings: ConversionFindings = ConversionFindings()
    ) throws {
        let source = StoreConverter.Source(path: path, model: model)
        self.init(metadata: try source.metadata(in: registry))
        let reader = try source.reader(in: registry, findings: findings)
        var object = StoredObject()
        while try reader.next(&object) { objects.append(object) }
    }

    /// Returns a reader of the objects.
    public func reader() -> any ObjectReader { Reader(objects) }

    private final class Reader: ObjectReader {
        private let objects: [StoredObject]
        private var position = 0

        init(_ objects: [StoredObject]) {
            self.objects = objects
        }

        func next(_ object: inout StoredObject) -> Bool {
            guard position < objects.count else { return false }
            object = objects[position]
            position += 1
            return true
        }
    }
}
