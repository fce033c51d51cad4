/// Why two stores cannot be merged.
public enum MergeError: Error, Equatable, Sendable, CustomStringConvertible {
    /// Both paths lead to the same store.
    case sameStore(String)
    /// The stores have different versions; with the path of the source, and both versions.
    case otherVersion(String, source: String, destination: String)
    /// The model has no entity with this name.
    case unknownEntity(String)
    /// The entity has no property with this name.
    case unknownProperty(String, of: String)
    /// The attribute cannot be used as a key.
    case unusableKey(String, of: String)
    /// The predicate cannot be parsed or is invalid, for this reason.
    case predicate(String)
    /// Objects cannot be moved out of a source that is read and written as a whole.
    case moveFromAtomicStore(String)
    /// There are not enough keys for the new objects.
    case keysExhausted(String)

    public var description: String {
        switch self {
        case .sameStore(let path): "\(path): a store cannot be merged into itself"
        case .otherVersion(let path, let source, let destination):
            "\(path): the store is of version \(source), and the destination of \(destination); migrate one of them first"
        case .unknownEntity(let name): "the model has no entity \(name)"
        case .unknownProperty(let name, let entity): "\(entity) has no stored relationship or attribute \(name)"
        case .unusableKey(let name, let entity):
            "\(entity).\(name) cannot be a key: it may stand in files of its own, or it is transient or derived"
        case .predicate(let reason): "the predicate cannot be run: \(reason)"
        case .moveFromAtomicStore(let path):
            "\(path): objects can be moved out of a SQLite store only; leave out --move, or convert the store first"
        case .keysExhausted(let entity): "there are no more keys for objects of \(entity)"
        }
    }
}
