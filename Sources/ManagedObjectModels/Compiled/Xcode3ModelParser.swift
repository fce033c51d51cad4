import KeyedArchives

/// Makes a model from the object graph of `XDPMModel`. A value is used for one archive.
///
/// Xcode 3 kept models as UML: entities are classes, their settings are properties of "stereotypes", and collections
/// are stored under a key `XDBucketFor<Kind>storage`.
struct Xcode3ModelParser {
    private let path: String
    private var warnings: [ModelWarning] = []
    private var entityName: String?
    private var propertyName: String?

    init(path: String) {
        self.path = path
    }

    mutating func document(_ root: ArchivedObject) throws -> ModelDocument {
        guard root.className == "XDPMModel" else {
            throw ModelError(.notAModel("it is an archive of the class \(root.className)"), path: path)
        }
        var model = ManagedObjectModel()
        var entities: [EntityDescription] = []
        var names: Set<String> = []
        let package = try root.object("_xd_rootPackage")
        for (_, value) in try package?.namedValues("XDBucketForClassesstorage") ?? [] {
            guard let object = value.object, object.className == "XDPMEntity" else { continue }
            let entity = try entity(object)
            guard names.insert(entity.name).inserted else { throw ModelError(.duplicateEntity, entity: entity.name) }
            entities.append(entity)
            for request in try fetchRequests(of: object) { model.fetchRequestTemplates.append(request) }
        }
        entityName = nil
        model.entities = entities
        model.fetchRequestTemplates.sort { $0.name < $1.name }
        if let identifier = try root.string("_modelVersionIdentifier") { model.versionIdentifiers = [identifier] }
        for (name, value) in try root.namedValues("_configurationsByName") ?? [] {
            let members = try value.object?.elements("_entities") ?? []
            let memberNames = try members.map { try $0.object?.string("_name") ?? "" }
            model.configurations.append(ConfigurationDescription(name: name, entityNames: memberNames.sorted()))
        }
        model.configurations.sort { $0.name < $1.name }
        return ModelDocument(model: model, warnings: warnings)
    }

    private mutating func warn(_ code: ModelWarning.Code) {
        warnings.append(ModelWarning(code, entity: entityName, property: propertyName, path: path))
    }

    private func name(of object: ArchivedObject) throws -> String {
        guard let name = try object.string("_name") else { throw object.error(.keyMissing, key: "_name") }
        return name
    }

    // MARK: Entities

    private mutating func entity(_ object: ArchivedObject) throws -> EntityDescription {
        var entity = EntityDescription(name: try name(of: object))
        entityName = entity.name
        propertyName = nil
        let settings = try Xcode3Settings(of: object)
        entity.managedObjectClassName = try settings.string("XD_PSK_entityClassName")
        entity.isAbstract = try settings.boolean("XD_PSK_isAbstract") ?? object.boolean("_isAbstract") ?? false
        entity.renamingIdentifier = try settings.string("XD_PSK_elementID")
        entity.versionHashModifier = try settings.string("XD_PSK_versionHashModifier")
        entity.userInfo = try userInfo(settings.value("XD_PSK_userInfo"))
        entity.compoundIndexes = try nameLists(settings.value("XDPMCompoundIndexes"))
        entity.uniquenessConstraints = try nameLists(settings.value("XDPMUniquenessConstraints"))
        for generalization in try object.elements("XDBucketForGeneralizationsstorage") ?? [] {
            // A generalization without a general entity stands for NSManagedObject.
            guard let general = try generalization.object?.object("_general") else { continue }
            entity.superentityName = try name(of: general)
        }
        let properties = try object.namedValues("XDBucketForOwnedAttributesstorage") ?? []
        for (name, value) in properties.sorted(by: { $0.name < $1.name }) {
            guard let property = value.object else { continue }
            propertyName = name
            switch property.className {
            case "XDPMAttribute": entity.attributes.append(try attribute(property))
            case "XDPMRelationship": entity.relationships.append(try relationship(property))
            case "XDPMFetchedProperty": entity.fetchedProperties.append(try fetchedProperty(property))
            default: warn(.notRepresentable("a property of the class \(property.className)"))
            }
        }
        propertyName = nil
        return entity
    }

    private func nameLists(_ value: ArchivedValue) throws -> [[String]] {
        try (value.object?.elements() ?? []).map { list in
            try (list.object?.elements() ?? []).compactMap { name in
                try name.string() ?? name.object?.string("_name")
            }
        }
    }

    private mutating func userInfo(_ value: ArchivedValue) throws -> [String: String] {
        var entries: [String: String] = [:]
        for pair in try value.object?.pairs() ?? [] {
            guard let key = try pair.key.string() else { continue }
            if let text = try pair.value.string() {
                entries[key] = text
            } else {
                let text = try UserInfoText.text(of: pair.value)
                entries[key] = text
                warn(.userInfoAsText(key: key, text: text))
            }
        }
        return entries
    }

    // MARK: Properties

    private mutating func attribute(_ object: ArchivedObject) throws -> AttributeDescription {
        let settings = try Xcode3Settings(of: object)
        let number = try settings.integer("XD_PAttK_attributeType") ?? 0
        let type = AttributeType(rawValue: number)
        if type == nil { warn(.notRepresentable("the attribute type \(number)")) }
        var attribute = AttributeDescription(name: try name(of: object), type: type ?? .undefined)
        attribute.isOptional = try settings.boolean("XD_PPSK_isOptional") ?? false
        attribute.isTransient = try settings.boolean("XD_PPSK_isTransient") ?? false
        attribute.isIndexed = try settings.boolean("XD_PPSK_isIndexed") ?? false
        attribute.isSpotlightIndexed = try settings.boolean("XD_PPSK_isSpotlightIndexed") ?? false
        attribute.isStoredInTruthFile = try settings.boolean("XD_PPSK_isStoredInTruthFile") ?? false
        attribute.renamingIdentifier = try settings.string("XD_PPSK_elementID")
        attribute.versionHashModifier = try settings.string("XD_PPSK_versionHashModifier")
        attribute.userInfo = try userInfo(settings.value("XD_PPSK_userInfo"))
        attribute.valueTransformerName = try settings.string("XD_PAttK_valueTransformerName")
        attribute.allowsExternalBinaryDataStorage =
            try settings.boolean("XD_PAttK_allowsExternalBinaryDataStorage") ?? false
        attribute.defaultValue = try value("XD_PAttK_defaultValueAsString", of: settings, type: attribute.type)
        let boundType = attribute.type == .string ? .integer64 : attribute.type
        attribute.validation.minimum = try value("XD_PAttK_minValueString", of: settings, type: boundType)
        attribute.validation.maximum = try value("XD_PAttK_maxValueString", of: settings, type: boundType)
        attribute.validation.regularExpression = try settings.string("XD_PAttK_regularExpressionString")
        return attribute
    }

    /// Returns a value that is given as text; empty text means none, except as the default of a string.
    private mutating func value(
        _ key: String, of settings: Xcode3Settings, type: AttributeType
    ) throws -> AttributeValue? {
        guard let text = try settings.string(key), !text.isEmpty || type == .string else { return nil }
        let value = AttributeValue(text, of: type)
        if value == .unparsed(text) {
            warn(.unparsedValue(attribute: key, text: text, expected: "a value of the type \(type.name)"))
        }
        return value
    }

    private mutating func relationship(_ object: ArchivedObject) throws -> RelationshipDescription {
        let settings = try Xcode3Settings(of: object)
        let destination = try settings.object("XD_PRK_destination").map { try name(of: $0) }
        let storedMaximum = try settings.integer("XD_PRK_maxCount")
        let isToMany = try settings.boolean("XD_PRK_isToMany") ?? storedMaximum.map { $0 != 1 } ?? false
        var relationship = RelationshipDescription(
            name: try name(of: object), destinationEntityName: destination ?? "", isToMany: isToMany,
            maximumCount: storedMaximum)
        relationship.inverseName = try settings.object("XD_PRK_inverseRelationship").map { try name(of: $0) }
        relationship.minimumCount = try settings.integer("XD_PRK_minCount") ?? 0
        relationship.isOptional = try settings.boolean("XD_PPSK_isOptional") ?? false
        relationship.isTransient = try settings.boolean("XD_PPSK_isTransient") ?? false
        relationship.isIndexed = try settings.boolean("XD_PPSK_isIndexed") ?? false
        relationship.isSpotlightIndexed = try settings.boolean("XD_PPSK_isSpotlightIndexed") ?? false
        relationship.isStoredInTruthFile = try settings.boolean("XD_PPSK_isStoredInTruthFile") ?? false
        relationship.isOrdered = try settings.boolean("XD_PRK_ordered") ?? false
        relationship.renamingIdentifier = try settings.string("XD_PPSK_elementID")
        relationship.versionHashModifier = try settings.string("XD_PPSK_versionHashModifier")
        relationship.userInfo = try userInfo(settings.value("XD_PPSK_userInfo"))
        let rule = try settings.integer("XD_PRK_deleteRule") ?? DeleteRule.nullify.rawValue
        if let known = DeleteRule(rawValue: rule) {
            relationship.deleteRule = known
        } else {
            warn(.notRepresentable("the delete rule \(rule)"))
        }
        return relationship
    }

    private mutating func fetchedProperty(_ object: ArchivedObject) throws -> FetchedPropertyDescription {
        let settings = try Xcode3Settings(of: object)
        var request = FetchRequestTemplate(name: FetchedPropertyDescription.requestName, entityName: "")
        if let archived = try settings.object("XD_PFP_fetchRequestKey") {
            request = try fetchRequest(archived, name: FetchedPropertyDescription.requestName)
        }
        return FetchedPropertyDescription(
            name: try name(of: object), fetchRequest: request,
            isOptional: try settings.boolean("XD_PPSK_isOptional") ?? false,
            userInfo: try userInfo(settings.value("XD_PPSK_userInfo")))
    }

    // MARK: Fetch requests

    /// Returns the named requests, which are stored in the entity that they fetch, together with those of fetched
    /// properties.
    private func fetchRequests(of object: ArchivedObject) throws -> [FetchRequestTemplate] {
        var requests: [FetchRequestTemplate] = []
        let list = try Xcode3Settings(of: object).value("XD_PSK_fetchRequestsArray")
        for element in try list.object?.elements() ?? [] {
            guard let request = element.object, try request.value("_fetchedProperty").isNull,
                let name = try request.string("_name")
            else { continue }
            requests.append(try fetchRequest(request, name: name))
        }
        return requests
    }

    private func fetchRequest(_ object: ArchivedObject, name: String) throws -> FetchRequestTemplate {
        let entity = try object.object("_entity").map { try self.name(of: $0) }
        let predicate = try object.string("_predicateString")
        return FetchRequestTemplate(
            name: name, entityName: entity ?? "", predicateFormat: predicate?.isEmpty == true ? nil : predicate)
    }
}
