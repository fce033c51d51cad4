import KeyedArchives

/// A compiled model's archive as lines that can be compared: every entity, property and setting with its classes, keys
/// and values, whatever the order and number of its objects.
struct ArchiveStructure {
    /// The values by path: `Car.maker/NSIsOptional`.
    private(set) var values: [String: String] = [:]

    init(_ bytes: [UInt8]) throws {
        let root = try KeyedArchive(bytes).root()
        try add(root, path: "model", skipping: ["NSEntities"])
        values["model/NSEntities"] = try root.object("NSEntities")?.type.names.joined(separator: "<")
        for (name, value) in try root.namedValues("NSEntities") ?? [] {
            guard let entity = value.object else { continue }
            try add(entity, path: name, skipping: ["NSProperties"])
            values[name + "/NSProperties"] = try entity.object("NSProperties")?.type.names.joined(separator: "<")
            for (property, value) in try entity.namedValues("NSProperties") ?? [] {
                guard let object = value.object else { continue }
                try add(object, path: name + "." + property, skipping: [])
            }
        }
    }

    /// What the two have differently: `path: one | other`.
    func differences(from other: ArchiveStructure) -> [String] {
        Set(values.keys).union(other.values.keys).sorted().compactMap { path in
            let (one, two) = (values[path] ?? "absent", other.values[path] ?? "absent")
            return one == two ? nil : "\(path): \(one) | \(two)"
        }
    }

    private mutating func add(_ object: ArchivedObject, path: String, skipping: Set<String>) throws {
        values[path] = object.type.names.joined(separator: "<")
        for key in try object.keyNames() where !skipping.contains(key) {
            values[path + "/" + key] = try Self.text(of: object.value(key), depth: 0)
        }
    }

    private static func text(of value: ArchivedValue, depth: Int) throws -> String {
        if let text = try value.string() { return text.debugDescription }
        switch value {
        case .null: return "nil"
        case .scalar(let scalar): return "\(scalar)"
        case .object(let object): return try text(of: object, depth: depth)
        }
    }

    private static func text(of object: ArchivedObject, depth: Int) throws -> String {
        let chain = object.type.names.joined(separator: "<")
        switch object.className {
        case "NSManagedObjectModel": return "model"
        case "NSEntityDescription": return "entity \(try object.string("NSEntityName") ?? "")"
        case "NSRelationshipDescription": return "relationship \(try object.string("NSPropertyName") ?? "")"
        case "NSFetchIndexDescription" where depth > 2: return "index \(try object.string("NSIndexName") ?? "")"
        default: break
        }
        if let pairs = try object.pairs() {
            let texts = try pairs.map { pair in
                (try text(of: pair.key, depth: depth + 1)) + "=" + (try text(of: pair.value, depth: depth + 1))
            }
            return chain + "{" + texts.sorted().joined(separator: ", ") + "}"
        }
        if let elements = try object.elements() {
            var texts = try elements.map { try text(of: $0, depth: depth + 1) }
            if object.isKind(of: "NSSet") { texts.sort() }
            return chain + "[" + texts.joined(separator: ", ") + "]"
        }
        let texts = try object.keyNames().sorted().map { key in
            key + "=" + (try text(of: object.value(key), depth: depth + 1))
        }
        return chain + "(" + texts.joined(separator: ", ") + ")"
    }
}
