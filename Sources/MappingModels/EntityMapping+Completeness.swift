extension EntityMapping {
    /// What is missing or superfluous in the mapping, as the end of a sentence; nil if every form can represent it.
    ///
    /// Damaged or incomplete files in Core Data's forms may contain such mappings, which cannot be run.
    var incompleteness: String? {
        if name.isEmpty { return "has neither a name nor an entity" }
        if sourceEntityName?.isEmpty == true || destinationEntityName?.isEmpty == true {
            return "has an entity without a name"
        }
        for hash in [sourceEntityVersionHash, destinationEntityVersionHash] {
            if let hash, hash.count != Self.hashSize { return "has a version hash of \(hash.count) bytes" }
        }
        for properties in [attributeMappings, relationshipMappings] {
            var names: Set<String> = []
            for property in properties {
                if property.name.isEmpty { return "has a property without a name" }
                guard names.insert(property.name).inserted else { return "has two properties \"\(property.name)\"" }
                if property.transforms.contains(where: \.propertyName.isEmpty) {
                    return "has a transform without a property in \"\(property.name)\""
                }
            }
        }
        return entityIncompleteness
    }

    /// The size of a SHA-256, in bytes.
    private static let hashSize = 32

    private var entityIncompleteness: String? {
        switch type {
        case .add:
            if sourceEntityName != nil { return "adds objects, and has a source entity" }
            if destinationEntityName == nil { return "adds objects, and has no destination entity" }
        case .remove:
            if destinationEntityName != nil { return "removes objects, and has a destination entity" }
            if sourceEntityName == nil { return "removes objects, and has no source entity" }
        case .copy, .transform:
            if sourceEntityName == nil { return "has no source entity" }
            if destinationEntityName == nil { return "has no destination entity" }
        case .custom, .undefined: break
        }
        return nil
    }
}

extension MappingModel {
    /// The name of the first incomplete mapping, and the reason as a sentence; nil if all are complete.
    var incompleteness: (mapping: String, sentence: String)? {
        var names: Set<String> = []
        for (number, mapping) in entityMappings.enumerated() {
            let words = mapping.name.isEmpty ? "mapping \(number + 1)" : "the mapping \"\(mapping.name)\""
            if let incompleteness = mapping.incompleteness { return (mapping.name, "\(words) \(incompleteness)") }
            guard names.insert(mapping.name).inserted else { return (mapping.name, "\(words) occurs twice") }
        }
        return nil
    }
}
