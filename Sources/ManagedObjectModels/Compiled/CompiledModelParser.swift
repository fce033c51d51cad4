import KeyedArchives
import PredicateExpressions

/// Makes a model from the object graph of `NSManagedObjectModel`. A value is used for one archive.
struct CompiledModelParser {
    private let path: String
    var warnings: [ModelWarning] = []
    /// Composite types, which have no names in compiled models: equal ones become one type.
    var composites: [CompositeDescription] = []
    /// Whether Core Data itself archived the model, which adds indexes to it.
    private(set) var isModelOfStore = false
    /// The number of composites that contain the attribute that is being read.
    var compositeDepth = 0
    /// The subject of warnings.
    var entityName: String?
    var propertyName: String?

    /// The names of the properties in an entity's archive, by the entity's number in the archive.
    private var listedNames: [Int: Set<String>] = [:]

    /// The maximum depth of a hierarchy; a deeper one is a cycle.
    private static let maximumInheritance = 1000

    init(path: String) {
        self.path = path
    }

    mutating func document(_ root: ArchivedObject) throws -> ModelDocument {
        guard root.className == "NSManagedObjectModel" else {
            throw ModelError(.notAModel("it is an archive of the class \(root.className)"), path: path)
        }
        isModelOfStore = try root.object("NSEntities")?.className == "NSKnownKeysDictionary1"
        var model = ManagedObjectModel()
        var entities: [EntityDescription] = []
        var names: Set<String> = []
        // Sorted, because composites are named after the first attribute that has them.
        for (key, value) in (try root.namedValues("NSEntities") ?? []).sorted(by: { $0.name < $1.name }) {
            guard let object = value.object, object.isKind(of: "NSEntityDescription") else {
                throw root.error(.typeUnexpected, key: "NSEntities", found: key)
            }
            let entity = try entity(object, key: key)
            guard names.insert(entity.name).inserted else { throw ModelError(.duplicateEntity, entity: entity.name) }
            entities.append(entity)
        }
        entityName = nil
        model.entities = entities
        model.composites = composites
        model.versionIdentifiers = (try root.strings("NSVersionIdentifiers") ?? []).sorted()
        for (name, value) in try root.namedValues("NSConfigurations") ?? [] {
            guard let members = try value.object?.elements() else { continue }
            let memberNames = try members.map { try $0.object?.string("NSEntityName") ?? "" }
            model.configurations.append(ConfigurationDescription(name: name, entityNames: memberNames.sorted()))
        }
        model.configurations.sort { $0.name < $1.name }
        for (name, value) in try root.namedValues("NSFetchRequestTemplates") ?? [] {
            guard let request = value.object else { continue }
            model.fetchRequestTemplates.append(try fetchRequest(request, name: name))
        }
        model.fetchRequestTemplates.sort { $0.name < $1.name }
        return ModelDocument(model: model, warnings: warnings)
    }

    mutating func warn(_ code: ModelWarning.Code) {
        warnings.append(ModelWarning(code, entity: entityName, property: propertyName, path: path))
    }

    private mutating func entity(_ object: ArchivedObject, key: String) throws -> EntityDescription {
        var entity = EntityDescription(name: try object.string("NSEntityName") ?? key)
        entityName = entity.name
        propertyName = nil
        entity.managedObjectClassName = try object.string("NSClassNameForEntity")
        entity.isAbstract = try object.boolean("NSIsAbstract") ?? false
        entity.superentityName = try object.object("NSSuperentity")?.string("NSEntityName")
        entity.renamingIdentifier = try renamingIdentifier(of: object, name: entity.name)
        entity.versionHashModifier = try object.string("NSVersionHashModifier")
        entity.userInfo = try userInfo(of: object)
        let inherited = try inheritedNames(of: object)
        var names: Set<String> = []
        let properties = try object.namedValues("NSProperties") ?? []
        for (name, value) in properties.sorted(by: { $0.name < $1.name }) where !inherited.contains(name) {
            guard names.insert(name).inserted else {
                throw ModelError(.duplicateProperty, entity: entity.name, property: name)
            }
            propertyName = name
            try addProperty(value, name: name, to: &entity)
        }
        propertyName = nil
        entity.uniquenessConstraints = try nameLists("NSUniqueTuples", of: object)
        try addIndexes(of: object, to: &entity)
        entity.coreSpotlightDisplayNameExpression = try expressionFormat("NSCoreSpotlightDisplayName", of: object)
        return entity
    }

    private mutating func addProperty(
        _ value: ArchivedValue, name: String, to entity: inout EntityDescription
    ) throws {
        guard var property = value.object else { return warn(.notRepresentable("a property that is nil")) }
        if property.className == "_NSPropertyDescriptionProxy", let real = try property.object("NSUnderlyingProperty") {
            property = real
        }
        if property.isKind(of: "NSAttributeDescription") {
            entity.attributes.append(try attribute(property, name: name))
        } else if property.isKind(of: "NSRelationshipDescription") {
            entity.relationships.append(try relationship(property, name: name))
        } else if property.isKind(of: "NSFetchedPropertyDescription") {
            entity.fetchedProperties.append(try fetchedProperty(property, name: name))
        } else {
            warn(.notRepresentable("a property of the class \(property.className)"))
        }
    }

    /// Returns the properties of all superentities, which the models in stores list again in every subentity.
    private mutating func inheritedNames(of object: ArchivedObject) throws -> Set<String> {
        var names: Set<String> = []
        var next = try object.object("NSSuperentity", kind: "NSEntityDescription")
        var steps = 0
        while let superentity = next {
            steps += 1
            guard steps <= Self.maximumInheritance else {
                throw ModelError(.inheritanceCycle, entity: entityName)
            }
            names.formUnion(try listedNames(of: superentity))
            next = try superentity.object("NSSuperentity", kind: "NSEntityDescription")
        }
        return names
    }

    private mutating func listedNames(of object: ArchivedObject) throws -> Set<String> {
        if let known = listedNames[object.uid] {
            return known
        }
        let names = Set((try object.namedValues("NSProperties") ?? []).map(\.name))
        listedNames[object.uid] = names
        return names
    }

    // MARK: What entities and properties have in common

    /// Returns nil if the identifier is the name: compiled models always have a renaming identifier.
    func renamingIdentifier(of object: ArchivedObject, name: String) throws -> String? {
        let identifier = try object.string("NSRenamingIdentifier")
        return identifier == name ? nil : identifier
    }

    mutating func userInfo(of object: ArchivedObject) throws -> [String: String] {
        var entries: [String: String] = [:]
        for (key, value) in try object.namedValues("NSUserInfo") ?? [] {
            if let text = try value.string() {
                entries[key] = text
            } else {
                let text = try UserInfoText.text(of: value)
                entries[key] = text
                warn(.userInfoAsText(key: key, text: text))
            }
        }
        return entries
    }

    func nameLists(_ key: String, of object: ArchivedObject) throws -> [[String]] {
        try (object.elements(key) ?? []).map { list in
            try (list.object?.elements() ?? []).map { name in
                guard let text = try name.string() else { throw object.error(.typeUnexpected, key: key) }
                return text
            }
        }
    }
}
