import KeyedArchives
import PredicateExpressions

/// Builds the object graph of a compiled model. A value is used for one model.
struct CompiledModelBuilding {
    typealias Reference = KeyedArchiveBuilder.Reference
    typealias Content = [(key: String, content: KeyedArchiveBuilder.Content)]

    let model: ManagedObjectModel
    private let places: ModelPlaces
    private let moduleName: String?
    private var isModuleMissed = false
    var builder = KeyedArchiveBuilder()
    var archiver = PredicateArchiver()
    private(set) var warnings: [ModelWarning] = []
    /// The subject of warnings and errors.
    private var entityName: String?
    private var propertyName: String?
    private var element: ModelElement?

    private var root = Reference.null
    /// The objects that others refer to before their content is added.
    private var entities: [String: Reference] = [:]
    private var relationships: [String: [String: Reference]] = [:]
    /// The properties that entities inherit.
    private var inherited: [String: Set<String>] = [:]
    /// An empty user info, which is one object for all entities.
    private var emptyUserInfo: Reference?
    /// The attributes of the current entity that a fetch index marks as indexed.
    private(set) var indexedAttributes: Set<String> = []
    /// The number of expressions in indexes: each is a property, numbered throughout the model.
    var expressionCount = 0

    init(model: ManagedObjectModel, places: ModelPlaces, moduleName: String?) {
        self.model = model
        self.places = places
        self.moduleName = moduleName
    }

    mutating func add() throws -> Reference {
        root = builder.object(ArchivedClass("NSManagedObjectModel"))
        let inheritedNames = InheritedNames(model)
        for entity in model.entities {
            inherited[entity.name] = inheritedNames.names(of: entity.name)
            entities[entity.name] = builder.object(ArchivedClass("NSEntityDescription"))
            for relationship in entity.relationships where inherited[entity.name]?.contains(relationship.name) != true {
                relationships[entity.name, default: [:]][relationship.name] =
                    builder.object(.property("NSRelationshipDescription"))
            }
        }
        for entity in model.entities {
            entityName = entity.name
            element = .entity(entity.name)
            try fill(entity)
        }
        entityName = nil
        element = nil
        var content: Content = [
            ("NSEntities", .reference(dictionary(model.entities.map { ($0.name, self.entity($0.name)) }))),
            ("NSFetchRequestTemplates", .reference(try addTemplates())),
        ]
        if !model.configurations.isEmpty {
            var configurations: [(String, Reference)] = []
            for configuration in model.configurations {
                element = .configuration(configuration.name)
                for name in configuration.entityNames where entities[name] == nil {
                    warn(.notWritable("the unknown entity \"\(name)\" of the configuration \"\(configuration.name)\""))
                }
                let members = configuration.entityNames.compactMap { entities[$0] }
                configurations.append((configuration.name, builder.set(members)))
                if configuration.isUsedWithCloudKit {
                    warn(.notWritable("the CloudKit flag of the configuration \"\(configuration.name)\""))
                }
            }
            content.append(("NSConfigurations", .reference(dictionary(configurations))))
        }
        element = nil
        let identifiers = model.versionIdentifiers.map { builder.string($0) }
        content.append(("NSVersionIdentifiers", .reference(builder.set(identifiers))))
        builder.fill(root, content)
        return root
    }

    private mutating func addTemplates() throws -> Reference {
        guard !model.fetchRequestTemplates.isEmpty else { return .null }
        var templates: [(String, Reference)] = []
        for template in model.fetchRequestTemplates {
            element = .fetchRequestTemplate(template.name)
            if entities[template.entityName] == nil {
                warn(
                    .notWritable(
                        "the unknown entity \"\(template.entityName)\" of the fetch request \"\(template.name)\""))
            }
            templates.append((template.name, try add(template)))
        }
        element = nil
        return dictionary(templates)
    }

    // MARK: Entities

    private mutating func fill(_ declared: EntityDescription) throws {
        var entity = declared
        for name in entity.removeProperties(named: inherited[entity.name] ?? []) {
            begin(name, of: entity)
            warn(.notWritable("a property that a parent entity has already,"))
        }
        propertyName = nil
        element = .entity(entity.name)
        let children = model.entities.filter { $0.superentityName == entity.name }
        let name = Content.Element("NSEntityName", .reference(builder.string(entity.name)))
        let className = builder.string(className(of: entity))
        var content: Content = [
            name, ("NSClassNameForEntity", .reference(className)),
            ("NSSuperentity", .reference(entity.superentityName.flatMap { entities[$0] } ?? .null)),
            ("NSSubentities", .reference(dictionary(children.map { ($0.name, self.entity($0.name)) }))),
            ("NSProperties", .reference(try addProperties(of: entity))),
            ("NSUserInfo", .reference(userInfo(entity.userInfo))),
            ("NSManagedObjectModel", .reference(root)),
            ("NSVersionHashModifier", .reference(builder.string(entity.versionHashModifier))),
            ("NSRenamingIdentifier", .reference(builder.string(entity.renamingIdentifier ?? entity.name))),
        ]
        if entity.isAbstract { content.append(("NSIsAbstract", .inline(true))) }
        if !entity.uniquenessConstraints.isEmpty {
            content.append(("NSUniqueTuples", .reference(nameLists(entity.uniquenessConstraints))))
        }
        if let text = entity.coreSpotlightDisplayNameExpression {
            content.append(("NSCoreSpotlightDisplayName", .reference(try addDisplayName(text))))
        }
        try addIndexes(of: entity, to: &content)
        builder.fill(self.entity(entity.name), content)
    }

    private mutating func addDisplayName(_ text: String) throws -> Reference {
        warn(.writtenByAnalogy("the Spotlight display name \"\(text)\""))
        do {
            return try archiver.add(Expression(format: text), to: &builder)
        } catch let error as FormatError {
            throw self.error("the Spotlight display name \"\(text)\" cannot be parsed: \(error)")
        }
    }

    /// Returns the class name of an entity; a dot at the beginning stands for the module of the product that is built.
    private mutating func className(of entity: EntityDescription) -> String? {
        guard let name = entity.managedObjectClassName, name.hasPrefix(".") else {
            return entity.managedObjectClassName
        }
        if let moduleName { return moduleName + name }
        // Only once: a model has many such classes, and one option solves the problem for all.
        if !isModuleMissed { warn(.unknownModule(className: name)) }
        isModuleMissed = true
        return name
    }

    private mutating func addProperties(of entity: EntityDescription) throws -> Reference {
        var properties: [(String, Reference)] = []
        indexedAttributes = Set(entity.fetchIndexes.compactMap(\.indexedAttribute))
        for attribute in entity.attributes {
            begin(attribute.name, of: entity)
            properties.append((attribute.name, try add(attribute)))
        }
        for relationship in entity.relationships {
            begin(relationship.name, of: entity)
            try fill(relationship, of: entity)
            properties.append((relationship.name, self.relationship(relationship.name, of: entity.name)))
        }
        for property in entity.fetchedProperties {
            begin(property.name, of: entity)
            properties.append((property.name, try add(property)))
        }
        propertyName = nil
        element = .entity(entity.name)
        return dictionary(properties.sorted { $0.0 < $1.0 })
    }

    // MARK: What entities and properties have in common

    private mutating func begin(_ property: String, of entity: EntityDescription) {
        propertyName = property
        element = .property(property, entity: entity.name)
    }

    /// Notes which index is being written; nil for none.
    mutating func beginIndex(_ name: String?, of entity: EntityDescription) {
        element = name.map { .fetchIndex($0, entity: entity.name) } ?? .entity(entity.name)
    }

    private var line: Int? { element.flatMap { places.line(of: $0) } }

    mutating func warn(_ code: ModelWarning.Code) {
        warnings.append(
            ModelWarning(code, entity: entityName, property: propertyName, path: places.path, line: line))
    }

    /// Returns an error about the current entity and property.
    func error(_ reason: String) -> ModelError {
        ModelError(.unreadable(reason), entity: entityName, property: propertyName, path: places.path, line: line)
    }

    /// The entity that is being written; null if a fetch names one that the model does not have.
    var currentEntity: Reference { entityName.flatMap { entities[$0] } ?? .null }

    func entity(_ name: String) -> Reference {
        entities[name] ?? .null
    }

    func relationship(_ name: String, of entity: String) -> Reference {
        relationships[entity]?[name] ?? .null
    }

    mutating func dictionary(_ pairs: [(String, Reference)]) -> Reference {
        builder.dictionary(pairs.map { (builder.string($0.0), $0.1) }, isMutable: true)
    }

    mutating func nameLists(_ lists: [[String]]) -> Reference {
        let references = lists.map { names in
            builder.array(names.map { builder.string($0) }, isMutable: true)
        }
        return builder.array(references, isMutable: true)
    }

    mutating func userInfo(_ entries: [String: String]) -> Reference {
        if entries.isEmpty, let emptyUserInfo { return emptyUserInfo }
        let pairs = entries.sorted { $0.key < $1.key }.map { (builder.string($0.key), builder.string($0.value)) }
        let reference = builder.dictionary(pairs)
        if entries.isEmpty { emptyUserInfo = reference }
        return reference
    }
}

extension ArchivedClass {
    /// Returns a class of properties, a direct subclass of `NSPropertyDescription` or of the given superclass.
    static func property(_ name: String, below superclass: String? = nil) -> ArchivedClass {
        ArchivedClass([name] + (superclass.map { [$0] } ?? []) + ["NSPropertyDescription", "NSObject"])
    }
}
