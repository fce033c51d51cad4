import PersistentStores

/// The reason why a store cannot be converted. Nothing has been changed then.
public struct ConversionError: Error, Sendable, Hashable {
    /// The kinds of errors.
    public enum Code: Sendable, Hashable {
        /// A column contains a value whose type does not fit the attribute.
        case unfitValue(entity: String, attribute: String, key: Int64, found: String)
        /// A key is 0, negative, or too large to be renumbered.
        case unfitKey(entity: String, key: Int64)
        /// Two objects have the same key.
        case duplicateKey(entity: String, key: Int64)
        /// Two names differ only in case, and the new store's type ignores case.
        case ambiguousName(String, String)
        /// The store lacks a table or column of the model.
        case otherLayout(String)
        /// If keys were kept, objects of two entities would have the same key.
        case sharedKey(Int64)
        /// Objects violate a uniqueness constraint; one sentence for each.
        case notUnique([String])
        /// Some values would change if the store were written back, because an SQLite store cannot represent them.
        case lossOfValues([String])
        /// The file does not have the format of its type; with the reason.
        case malformed(String)
        /// The number of objects exceeds the limit of the binary format; with the limit.
        case tooManyObjects(Int64)
        /// `isCancelled` returned true.
        case cancelled
        /// There is no store to convert.
        case noStores
        /// No store type has this name; with the names of the known types.
        case unknownType(String, known: [String])
        /// The stores have different versions of the model: this one, and the version of the first store.
        case otherVersion(String, first: String)
        /// The error that occurred while the builder was writing.
        case notBuilt(String)
    }

    /// The kind of error.
    public let code: Code
    /// The path of the store, or of the new store.
    public let path: String

    /// Creates an error about a store.
    public init(_ code: Code, path: String) {
        self.code = code
        self.path = path
    }

    /// The error code of Cocoa.
    public var cocoaCode: Int {
        switch code {
        case .otherLayout: 134020
        case .notUnique: 133021
        case .unknownType: 134000
        case .cancelled: 134120
        case .malformed, .unfitValue, .unfitKey, .duplicateKey: 134080
        default: 134070
        }
    }
}

extension ConversionError: CustomStringConvertible {
    public var description: String { "\(path): \(sentence)" }

    private var sentence: String {
        switch code {
        case .unfitValue(let entity, let attribute, let key, let found):
            "\(entity).\(attribute) of p\(key) is \(found), which is not of its type; correct it first"
        case .unfitKey(let entity, let key):
            "an object of \(entity) has the key \(key); keys begin at 1 and end at \(highestAcceptedKey)"
        case .duplicateKey(let entity, let key): "two objects of \(entity) have the id \(key); get an intact copy"
        case .ambiguousName(let first, let second):
            "\"\(first)\" and \"\(second)\" differ in case only, which this type of store does not distinguish; "
                + "rename one, or choose another type"
        case .otherLayout(let problem): "the store does not fit the model: \(problem); name the model it was made with"
        case .sharedKey(let key):
            "objects of several entities have the key \(key), and this type of store has one numbering for all; "
                + "convert without --keep-ids"
        case .notUnique(let groups):
            "objects share values that must be unique:\n  " + groups.joined(separator: "\n  ")
                + "\ncorrect one of the stores first"
        case .lossOfValues(let places):
            "a SQLite store, in which the work is done, does not hold all values of this one, so that they would not "
                + "come back as they were; nothing has changed:\n  " + places.joined(separator: "\n  ")
                + "\nconvert the store to SQLite with ferry convert where that is good enough, and work there"
        case .malformed(let reason): "\(reason); get an intact copy"
        case .tooManyObjects(let count):
            "\(count) objects are more than a binary store can hold; choose XML or SQLite"
        case .cancelled: "cancelled; nothing has changed"
        case .otherVersion(let version, let first):
            "the store is of version \(version), and the first of \(first); migrate one of them first"
        case .unknownType(let name, let known):
            "no store of the type \(name) can be made; \(known.joined(separator: ", ")) are the types that can"
        case .notBuilt(let problem):
            "the new store could not be built, and nothing has changed: \(problem); convert with --writer sqlite"
        case .noStores: "there is nothing to convert"
        }
    }
}
