/// Conversion of archived collections of plain values to property lists, and back.
extension ArchivedValue {
    /// Returns the value without its classes.
    /// - Throws: `KeyedArchiveError` for an object that a property list cannot represent, and if containers are nested
    ///   too deeply or in themselves.
    public func propertyList() throws -> PropertyListValue {
        try propertyList(depth: 0)
    }

    private func propertyList(depth: Int) throws -> PropertyListValue {
        guard depth < KeyedArchive.maximumDepth else { throw KeyedArchiveError(.tooComplex) }
        switch self {
        case .null: return .null
        case .scalar(let value): return value
        case .object(let object):
            if let text = try string() { return .string(text) }
            if let bytes = try data() { return .data(bytes) }
            if let seconds = try date() { return .date(seconds) }
            if let pairs = try object.pairs() {
                var result = PropertyListDictionary()
                for (key, value) in pairs {
                    guard let name = try key.string() else {
                        throw object.error(.typeUnexpected, key: "NS.keys", found: key.kind)
                    }
                    result[name] = try value.propertyList(depth: depth + 1)
                }
                return .dictionary(result)
            }
            if let elements = try object.elements() {
                let values = try elements.map { try $0.propertyList(depth: depth + 1) }
                return object.isKind(of: "NSSet") ? .set(values) : .array(values)
            }
            throw KeyedArchiveError(.typeUnexpected, found: object.className)
        }
    }
}

extension KeyedArchiveBuilder {
    /// Adds the objects for a property list value, and returns their root.
    /// - Throws: `PropertyListError` for a reference into another archive, which cannot be archived.
    public mutating func propertyList(_ value: PropertyListValue) throws(PropertyListError) -> Reference {
        switch value {
        case .null: return .null
        case .uid: throw PropertyListError(.notRepresentable, found: value.kind)
        case .date(let seconds): return date(seconds)
        case .array(let elements): return array(try references(elements))
        case .set(let elements): return set(try references(elements))
        case .dictionary(let pairs):
            var references: [(Reference, Reference)] = []
            for (key, element) in pairs { references.append((string(key), try propertyList(element))) }
            return dictionary(references)
        default: return scalar(value)
        }
    }

    private mutating func references(_ elements: [PropertyListValue]) throws(PropertyListError) -> [Reference] {
        var references: [Reference] = []
        for element in elements { references.append(try propertyList(element)) }
        return references
    }
}
