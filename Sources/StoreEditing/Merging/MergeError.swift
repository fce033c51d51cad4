/// Why two stores cannot be merged as asked for.
public enum MergeError: Error, Equatable, Sendable, CustomStringConvertible {
    /// Both paths are the same store.
    case sameStore(String)
    /// The path of the source, and the versions of both.
    case otherVersion(String, source: String, destination: String)
    /// The model has no entity of this name.
    case unknownEntity(String)
    /// The entity has no such property.
    case unknownProperty(String, of: String)
    /// An attribute that no object can be found by.
    case unusableKey(String, of: String)
    /// The predicate cannot be read, or has no meaning; with the reason.
    case predicate(String)
    /// The source is read and written as a whole, and not changed.
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
