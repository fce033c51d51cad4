public import PersistentStores

/// An error of a context or coordinator.
public struct ManagedObjectError: Error, Sendable, Hashable {
    /// The kinds of errors.
    public enum Code: Sendable, Hashable {
        /// The store does not have the object, or no longer has it: Core Data's 133000.
        case objectNotFound(ManagedObjectID)
        /// The context no longer exists, or has been reset.
        case contextMissing(entity: String)
        /// The object belongs to another context; pass its ID instead.
        case foreignObject(ManagedObjectID)
        /// The model has no entity with this name; with the names of its entities.
        case entityUnknown(String, known: [String])
        /// The entity is abstract: it has no objects of its own.
        case entityAbstract(String)
        /// The model has no fetch request with this name; with the names of its requests.
        case templateUnknown(String, known: [String])
        /// The class is not registered for an entity, or the object has another class.
        case classNotRegistered(String)
        /// The entity has no property with this name.
        case propertyUnknown(String, entity: String)
        /// A property has another kind or type than requested, or a value does not fit it.
        case valueMismatch(String, entity: String, reason: String)
        /// The property is a derived attribute or a fetched property, and cannot be set.
        case notSettable(String, entity: String)
        /// A relationship cannot lead to an object of this entity.
        case destinationMismatch(String, entity: String, found: String)
        /// The object is in another store; relationships cannot cross stores.
        case destinationInOtherStore(String, entity: String)
        /// No store holds objects of this entity.
        case storeMissing(entity: String)
        /// The store at this path was added read-only.
        case storeReadOnly(String)
        /// The object has been saved: only a copy of it can go to another store.
        case assignmentOfSaved(ManagedObjectID)
        /// The coordinator has no store at this path.
        case storeUnknown(String)
        /// The model has no configuration with this name; with the names of its configurations.
        case configurationUnknown(String, known: [String])
        /// The store may not contain objects of the entity.
        case entityNotInStore(String, store: String)
        /// The coordinator already has the store at this path.
        case storeAlreadyAdded(String)
        /// The store was made with another model; with the entities that differ or are missing.
        case modelMismatch(String, entities: [String])
        /// The metadata entry with this key is reserved for Core Data.
        case metadataReserved(String)
        /// Hooks keep changing objects.
        case unstable(String, rounds: Int)
        /// The operation would discard unsaved changes of the context.
        case unsavedChanges
        /// The value transformer of the attribute is not registered.
        case valueTransformerMissing(String, attribute: String)
        /// An operation that contexts do not support.
        case unsupported(String)
    }

    /// The kind of the error.
    public let code: Code

    init(_ code: Code) {
        self.code = code
    }

    /// Cocoa's error number (docs/format/errors.md); nil if there is none.
    public var number: Int? {
        switch code {
        case .objectNotFound: 133000
        case .storeReadOnly: 513
        case .destinationInOtherStore: 133010
        case .modelMismatch: 134100
        default: nil
        }
    }
}

extension ManagedObjectError: CustomStringConvertible {
    /// A one-sentence description; its wording may change.
    public var description: String {
        switch code {
        case .objectNotFound(let id):
            "the store has no object \(id.uri): the fault cannot be fulfilled; it may have been deleted (error 133000)"
        case .contextMissing(let entity):
            "the context of this \(entity) is gone, or was reset; fetch the object again"
        case .foreignObject(let id): "\(id.uri) belongs to another context; pass its objectID, and ask this one for it"
        case .entityUnknown(let name, let known):
            "the model has no entity \(name); it has \(known.joined(separator: ", "))"
        case .templateUnknown(let name, let known):
            "the model has no fetch request \(name); it has \(known.isEmpty ? "none" : known.joined(separator: ", "))"
        case .entityAbstract(let name): "\(name) is abstract, and has no objects of its own; name a subentity"
        case .classNotRegistered(let name): "\(name) is the class of no entity; register it in ManagedObjectClasses"
        case .propertyUnknown(let name, let entity): "\(entity) has no property \(name)"
        case .valueMismatch(let name, let entity, let reason): "\(entity).\(name): \(reason)"
        case .notSettable(let name, let entity): "\(entity).\(name) is computed, and cannot be set"
        case .destinationMismatch(let name, let entity, let found): "\(entity).\(name) cannot lead to a \(found)"
        case .destinationInOtherStore(let name, let entity):
            "\(entity).\(name) would lead to an object of another store; use a fetched property"
        case .storeMissing(let entity): "no store that can be written holds objects of \(entity); add one"
        case .storeReadOnly(let path): "\(path) was added for reading only"
        case .assignmentOfSaved(let id):
            "\(id.uri) is saved, and stays in its store; copy it into a new object of the other one, and delete it"
        case .storeUnknown(let path): "\(path) is not one of the coordinator's stores"
        case .configurationUnknown(let name, let known):
            "the model has no configuration \(name); it has \(known.isEmpty ? "none" : known.joined(separator: ", "))"
        case .entityNotInStore(let entity, let store): "\(store) holds no objects of \(entity)"
        case .storeAlreadyAdded(let path): "\(path) has been added already"
        case .modelMismatch(let path, let entities):
            "\(path) was made with another model (error 134100): \(entities.joined(separator: ", ")); migrate it first"
        case .metadataReserved(let key): "\(key) in a store's metadata is Core Data's; use another key"
        case .unstable(let entity, let rounds):
            "hooks of \(entity) still change objects after \(rounds) rounds; set a value only where it differs"
        case .unsavedChanges: "the context has changes that are not saved; save them, or roll back"
        case .valueTransformerMissing(let name, let attribute):
            "no value transformer \(name) is registered, which \(attribute) needs"
        case .unsupported(let what): what
        }
    }
}
