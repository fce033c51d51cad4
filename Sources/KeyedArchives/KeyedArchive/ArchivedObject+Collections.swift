extension ArchivedObject {
    /// Returns the elements of an `NSArray`, `NSSet` or `NSOrderedSet`, in stored order; nil for an object of another
    /// class.
    /// - Throws: `KeyedArchiveError` or `PropertyListError` if the elements cannot be decoded.
    public func elements() throws -> [ArchivedValue]? {
        guard isKind(of: "NSArray") || isKind(of: "NSSet") || isKind(of: "NSOrderedSet") else { return nil }
        if let listed = try list("NS.objects") {
            return listed
        }
        // Subclasses of NSArray and old archives have a key for each element: NS.object.0, NS.object.1, ...
        return try numbered("NS.object.")
    }

    /// Returns the pairs of an `NSDictionary` of any kind, in stored order; nil for an object of another class.
    /// - Throws: `KeyedArchiveError` with code `valueInvalid` if the numbers of keys and values differ;
    ///   `KeyedArchiveError` or `PropertyListError` if they cannot be decoded.
    public func pairs() throws -> [(key: ArchivedValue, value: ArchivedValue)]? {
        if className == "NSKnownKeysDictionary1" {
            return try knownKeysPairs()
        }
        guard isKind(of: "NSDictionary") else { return nil }
        let keys = try list("NS.keys") ?? numbered("NS.key.")
        let values = try list("NS.objects") ?? numbered("NS.object.")
        guard keys.count == values.count else {
            throw error(.valueInvalid, key: "NS.keys", found: "\(keys.count) keys, \(values.count) values")
        }
        return zip(keys, values).map { ($0, $1) }
    }

    /// Returns the pairs of `NSKnownKeysDictionary1`: the keys are in a mapping that several dictionaries share, and a
    /// token marks those without a value.
    private func knownKeysPairs() throws -> [(key: ArchivedValue, value: ArchivedValue)] {
        guard let mapping = try object("searchMapping"), let keys = try mapping.elements("keys"),
            let values = try elements("values")
        else { throw error(.keyMissing, key: "searchMapping") }
        guard keys.count == values.count else {
            throw error(.valueInvalid, key: "values", found: "\(keys.count) keys, \(values.count) values")
        }
        let empty = try value("emptyToken")
        return zip(keys, values).filter { empty.isNull || $1 != empty }.map { ($0, $1) }
    }

    /// Returns a list of references that is stored directly under a key.
    private func list(_ key: String) throws -> [ArchivedValue]? {
        guard let number = try number(key) else { return nil }
        guard case .array(let references) = try archive.scanner.object(number) else {
            throw error(.typeUnexpected, key: key)
        }
        try archive.spend(references.count)
        return try (0..<references.count).map { position in
            try archive.value(number: archive.scanner.reference(position, of: references))
        }
    }

    private func numbered(_ prefix: String) throws -> [ArchivedValue] {
        var elements: [ArchivedValue] = []
        while elements.count < keys.count, try contains(prefix + "\(elements.count)") {
            elements.append(try value(prefix + "\(elements.count)"))
        }
        return elements
    }
}
