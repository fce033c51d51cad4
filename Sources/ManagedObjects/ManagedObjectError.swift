public import PersistentStores

/// What a context cannot do: facts.
public struct ManagedObjectError: Error, Sendable, Hashable {
    /// The kinds of errors.
    public enum Code: Sendable, Hashable {
        /// The store does not have the object, or no longer: Core Data's 133000.
        case objectNotFound(ManagedObjectID)
        /// The context is gone, or has been reset.
        case contextMissing(entity: String)
        /// The object belongs to another context; IDs can be passed on.
        case foreignObject(ManagedObjectID)
        /// The model has no entity of this name; with those that it has.
        case entityUnknown(String, known: [String])
        /// The entity is abstract: it has no objects of its own.
        case entityAbstract(String)
        /// The model has no fetch request of this name; with those that it has.
        case templateUnknown(String, known: [String])
        /// The class was not registered for an entity, or the object is of another one.
        case classNotRegistered(String)
        /// The entity has no property of this name.
        case propertyUnknown(String, entity: String)
        /// A property of another kind or type than the one that is asked for, or a value that does not fit it.
        case valueMismatch(String, entity: String, reason: String)
        /// A derived attribute, or a fetched property: it cannot be set.
        case notSettable(String, entity: String)
        /// An object that a relationship cannot lead to, because of its entity.
        case destinationMismatch(String, entity: String, found: String)
        /// An object of another store: relationships do not cross.
        case destinationInOtherStore(String, entity: String)
        /// No store holds objects of this entity.
        case storeMissing(entity: String)
        /// The store, by its path, was added for reading only.
        case storeReadOnly(String)
        /// The object is saved: only a copy of it can go to another store.
        case assignmentOfSaved(ManagedObjectID)
        /// The coordinator does not have the store, by its path.
        case storeUnknown(String)
        /// The model has no configuration of this name; with those that it has.
        case configurationUnknown(String, known: [String])
        /// The store may not hold objects of the entity.
        case entityNotInStore(String, store: String)
        /// The store, by its path, is in the coordinator already.
        case storeAlreadyAdded(String)
        /// The store was made with another model: the entities, or what is missing.
        case modelMismatch(String, entities: [String])
        /// An entry of a store's metadata that is Core Data's, by its key.
        case metadataReserved(String)
        /// Hooks change objects again and again.
        case unstable(String, rounds: Int)
        /// The context has changes that the operation would lose.
        case unsavedChanges
        /// The value transformer of the attribute is not registered.
        case valueTransformerMissing(String, attribute: String)
        /// Something that contexts do not do; with what it is.
        case unsupported(String)
    }

    /// What went wrong.
    public let code: Code

    init(_ code: Code) {
        self.code = code
    }

    /// Cocoa's error number (docs/format/errors.md); nil if it has none.
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
    /// One sentence; its wording may change.
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
