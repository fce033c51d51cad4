/// An object in a keyed archive: a class and values by key, which are decoded on access.
public struct ArchivedObject {
    let archive: KeyedArchive
    /// The index of the object in the archive's table, which is its identity.
    public let uid: Int
    /// The object's class, with its superclasses.
    public let type: ArchivedClass
    let keys: ObjectReferences
    let values: ObjectReferences

    /// The name of the object's class, as in `NSEntityDescription`.
    public var className: String { type.name }

    /// Returns whether the object belongs to the named class or a subclass of it.
    public func isKind(of name: String) -> Bool {
        type.isKind(of: name)
    }

    /// Returns the keys of archived values, in stored order, without those of the archiver itself.
    /// - Throws: `PropertyListError` if a key cannot be read; `KeyedArchiveError` with code `tooComplex` if too much
    ///   has been read already.
    public func keyNames() throws -> [String] {
        try archive.spend(keys.count)
        return try (0..<keys.count)
            .compactMap { try archive.text(archive.scanner.reference($0, of: keys)) }
            .filter { $0 != "$class" }
    }

    /// Returns whether a value, possibly nil, is archived under a key.
    /// - Throws: `PropertyListError` if a key cannot be read; `KeyedArchiveError` with code `tooComplex` if too much
    ///   has been read already.
    public func contains(_ key: String) throws -> Bool {
        try number(key) != nil
    }

    /// Returns the value under a key; null if there is none.
    /// - Throws: `KeyedArchiveError` with the object and the key if the value cannot be decoded; `PropertyListError` if
    ///   the property list is damaged there.
    public func value(_ key: String) throws -> ArchivedValue {
        guard let number = try number(key) else { return .null }
        do {
            return try archive.value(number: number)
        } catch let error as KeyedArchiveError where error.object == nil {
            throw self.error(error.code, key: key, found: error.found)
        }
    }

    /// Returns the property list object under a key.
    func number(_ key: String) throws -> Int? {
        try archive.position(of: key, in: keys).map { try archive.scanner.reference($0, of: values) }
    }

    /// Returns an error about the object, or a key of it.
    public func error(_ code: KeyedArchiveError.Code, key: String? = nil, found: String? = nil) -> KeyedArchiveError {
        KeyedArchiveError(code, object: uid, className: className, key: key, found: found)
    }
}

extension ArchivedObject: Hashable {
    /// Objects are equal if they are the same entry of the same archive.
    public static func == (left: ArchivedObject, right: ArchivedObject) -> Bool {
        left.uid == right.uid && left.archive === right.archive
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(uid)
    }
}
