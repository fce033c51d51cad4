public import ManagedObjects
import PersistentStores

/// A context of this process with the objects that it holds.
public final class ContextSide: ObjectSide {
    private let context: ManagedObjectContext
    private var held: [Int64: ManagedObject] = [:]

    private static let number = AttributeKey<Int>("number")
    private static let title = AttributeKey<String>("title")

    public init(_ context: ManagedObjectContext) {
        self.context = context
    }

    /// An object that is not here.
    public struct Missing: Error {}

    private func object(_ key: Int64) throws -> ManagedObject {
        guard let object = held[key] else { throw Missing() }
        return object
    }

    private func id(_ key: Int64) throws -> ManagedObjectID {
        guard let store = context.coordinator.persistentStores.first else { throw Missing() }
        return ManagedObjectID(storeUUID: store.uuid, entityName: "Project", primaryKey: key)
    }

    public func insert() throws -> Int64 {
        let object = try context.insert("Project")
        try object.setValue(0, of: Self.number)
        try context.save()
        held[object.objectID.primaryKey] = object
        return object.objectID.primaryKey
    }

    public func read(_ key: Int64) throws { held[key] = try context.existingObject(with: id(key)) }
    public func set(_ key: Int64, number: Int) throws { try object(key).setValue(number, of: Self.number) }
    public func set(_ key: Int64, title: String) throws { try object(key).setValue(title, of: Self.title) }
    public func delete(_ key: Int64) throws { try context.delete(object(key)) }
    public func forget(_ key: Int64) { held[key] = nil }

    public func save() throws -> Set<Int64> {
        do {
            try context.save()
            return []
        } catch let error as MergeConflictError {
            return Set(error.conflictList.map(\.objectID.primaryKey))
        }
    }

    public func startOver() throws {
        context.rollback()
        try context.refreshAllObjects()
        held = [:]
    }

    public func values(of key: Int64) throws -> ItemValues {
        let object = try object(key)
        return ItemValues(number: try object.value(of: Self.number), title: try object.value(of: Self.title))
    }

    /// Adds 1 to the number of an object so often, and begins again where somebody else was faster.
    ///
    /// - Returns: how often that was.
    public func increment(_ key: Int64, count: Int) throws -> Int {
        var conflicts = 0
        for _ in 0..<count {
            while true {
                try read(key)
                try set(key, number: (values(of: key).number ?? 0) + 1)
                if try save().isEmpty { break }
                conflicts += 1
                try startOver()
            }
            // What others have written is read the next time.
            try startOver()
        }
        return conflicts
    }
}
