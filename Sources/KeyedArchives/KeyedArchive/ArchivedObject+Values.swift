/// Values by key, with the type that the caller expects: nil if the key is missing or nil is archived, an error if the
/// value has another type.
extension ArchivedObject {
    /// Returns a Boolean; nil for none. An integer counts as true unless it is 0.
    /// - Throws: `KeyedArchiveError` with code `typeUnexpected` if the value has another type; `KeyedArchiveError` or
    ///   `PropertyListError` if it cannot be decoded.
    public func boolean(_ key: String) throws -> Bool? {
        switch try value(key) {
        case .null: return nil
        case .scalar(.boolean(let value)): return value
        case .scalar(.integer(let value)): return value != 0
        case let other: throw error(.typeUnexpected, key: key, found: other.kind)
        }
    }

    /// Returns an integer; nil for none. A Boolean counts as 0 or 1.
    /// - Throws: `KeyedArchiveError` with code `typeUnexpected` if the value has another type, and `valueInvalid` if it
    ///   is not an integer; `KeyedArchiveError` or `PropertyListError` if it cannot be decoded.
    public func integer(_ key: String) throws -> Int64? {
        switch try value(key) {
        case .null: return nil
        case .scalar(.integer(let value)): return value
        case .scalar(.boolean(let value)): return value ? 1 : 0
        case .scalar(.real(let value)):
            guard let whole = Int64(exactly: value) else { throw error(.valueInvalid, key: key, found: "\(value)") }
            return whole
        case let other: throw error(.typeUnexpected, key: key, found: other.kind)
        }
    }

    /// Returns a number, whole or not; nil for none.
    /// - Throws: `KeyedArchiveError` with code `typeUnexpected` if the value has another type; `KeyedArchiveError` or
    ///   `PropertyListError` if it cannot be decoded.
    public func real(_ key: String) throws -> Double? {
        let value = try value(key)
        if value.isNull {
            return nil
        }
        guard let real = value.scalar?.real else { throw error(.typeUnexpected, key: key, found: value.kind) }
        return real
    }

    /// Returns a text, including that of an `NSMutableString`; nil for none.
    /// - Throws: `KeyedArchiveError` with code `typeUnexpected` if the value has another type; `KeyedArchiveError` or
    ///   `PropertyListError` if it cannot be decoded.
    public func string(_ key: String) throws -> String? {
        let value = try value(key)
        if value.isNull {
            return nil
        }
        guard let text = try value.string() else { throw error(.typeUnexpected, key: key, found: value.kind) }
        return text
    }

    /// Returns bytes, inline or in an `NSData`; nil for none.
    /// - Throws: `KeyedArchiveError` with code `typeUnexpected` if the value has another type; `KeyedArchiveError` or
    ///   `PropertyListError` if it cannot be decoded.
    public func data(_ key: String) throws -> [UInt8]? {
        let value = try value(key)
        if value.isNull {
            return nil
        }
        guard let data = try value.data() else { throw error(.typeUnexpected, key: key, found: value.kind) }
        return data
    }

    /// Returns an object; nil for none. If a class is given, the object must belong to it or a subclass.
    /// - Throws: `KeyedArchiveError` with code `typeUnexpected` if the value is not an object, or of another class;
    ///   `KeyedArchiveError` or `PropertyListError` if it cannot be decoded.
    public func object(_ key: String, kind: String? = nil) throws -> ArchivedObject? {
        let value = try value(key)
        if value.isNull {
            return nil
        }
        guard let object = value.object, kind.map(object.isKind) ?? true else {
            throw error(.typeUnexpected, key: key, found: value.kind)
        }
        return object
    }

    /// Returns the elements of an `NSArray`, `NSSet` or `NSOrderedSet`, in stored order; nil for none.
    /// - Throws: `KeyedArchiveError` with code `typeUnexpected` if the value is not such a collection;
    ///   `KeyedArchiveError` or `PropertyListError` if it cannot be decoded.
    public func elements(_ key: String) throws -> [ArchivedValue]? {
        guard let object = try object(key) else { return nil }
        guard let elements = try object.elements() else {
            throw error(.typeUnexpected, key: key, found: object.className)
        }
        return elements
    }

    /// Returns the pairs of an `NSDictionary`, in stored order; nil for none.
    /// - Throws: `KeyedArchiveError` with code `typeUnexpected` if the value is not such a collection;
    ///   `KeyedArchiveError` or `PropertyListError` if it cannot be decoded.
    public func pairs(_ key: String) throws -> [(key: ArchivedValue, value: ArchivedValue)]? {
        guard let object = try object(key) else { return nil }
        guard let pairs = try object.pairs() else { throw error(.typeUnexpected, key: key, found: object.className) }
        return pairs
    }

    /// Returns the pairs of an `NSDictionary` whose keys must be text; nil for none.
    /// - Throws: `KeyedArchiveError` with code `typeUnexpected` if the value is not a dictionary or a key is not text;
    ///   `KeyedArchiveError` or `PropertyListError` if it cannot be decoded.
    public func namedValues(_ key: String) throws -> [(name: String, value: ArchivedValue)]? {
        guard let pairs = try pairs(key) else { return nil }
        return try pairs.map { pair in
            guard let name = try pair.key.string() else { throw error(.typeUnexpected, key: key, found: pair.key.kind) }
            return (name, pair.value)
        }
    }

    /// Returns the elements of an array or set, which must be text; nil for none.
    /// - Throws: `KeyedArchiveError` with code `typeUnexpected` if the value is not a collection or an element is not
    ///   text; `KeyedArchiveError` or `PropertyListError` if it cannot be decoded.
    public func strings(_ key: String) throws -> [String]? {
        guard let elements = try elements(key) else { return nil }
        return try elements.map { element in
            guard let text = try element.string() else { throw error(.typeUnexpected, key: key, found: element.kind) }
            return text
        }
    }
}
