import ManagedObjectModels

/// Derives a version's model from its classes, as SwiftData does (docs/format/swiftdata.md).
struct ModelDerivation {
    let declarations: SwiftDeclarations
    let shapes: ShapeDerivation
    let defaults: DefaultValues
    let rules: SwiftDataRules
    var result: DerivedModel
    /// The classes of the version in the order in which they were reached.
    private var classes: [Int] = []
    private var reached: Set<Int> = []
    /// The relationships by entity and name, with the data for pairing.
    var relationships: [RelationshipDerivation] = []

    /// - Parameter moment: the values of `Date()` and `UUID()` in defaults.
    static func derive(
        _ schema: SwiftDataSchema, from declarations: SwiftDeclarations, rules: SwiftDataRules = SwiftDataRules(),
        moment: SwiftDataMoment
    ) -> DerivedModel {
        var derivation = ModelDerivation(declarations: declarations, schema: schema, rules: rules, moment: moment)
        for model in schema.models { derivation.reach(model) }
        derivation.deriveEntities()
        derivation.pairRelationships()
        return derivation.result
    }

    private init(
        declarations: SwiftDeclarations, schema: SwiftDataSchema, rules: SwiftDataRules, moment: SwiftDataMoment
    ) {
        self.declarations = declarations
        shapes = ShapeDerivation(declarations: declarations)
        self.rules = rules
        defaults = DefaultValues(declarations: declarations, moment: moment)
        result = DerivedModel(model: ManagedObjectModel(versionIdentifiers: [schema.identifier]))
        result.problems = schema.problems
    }

    private mutating func reach(_ index: Int) {
        if reached.insert(index).inserted { classes.append(index) }
    }

    private mutating func deriveEntities() {
        var entities: [EntityDescription] = []
        var names: [String: SwiftTypeDeclaration] = [:]
        var index = 0
        // Relationships reach further classes while the list is processed.
        while index < classes.count {
            let type = declarations.types[classes[index]]
            index += 1
            if let other = names[type.name] {
                note(
                    "two models of the version are named \(type.name): \(other.qualifiedName) and \(type.qualifiedName)",
                    type.name, at: type.place)
                continue
            }
            names[type.name] = type
            entities.append(entity(of: type))
        }
        result.model.entities = entities
        result.model.composites.sort { $0.name < $1.name }
    }

    mutating func note(_ message: String, _ entity: String, _ property: String? = nil, at place: SwiftPlace) {
        result.problems.append(SwiftDataProblem(message: message, entity: entity, property: property, place: place))
    }

    private mutating func entity(of type: SwiftTypeDeclaration) -> EntityDescription {
        var entity = EntityDescription(name: type.name)
        result.places[.entity(entity.name)] = type.place
        if type.isGeneric { note("a generic class can't be a model", type.name, at: type.place) }
        if let condition = type.isActive.unknownText {
            note("the class is declared only if \(condition); decide it with --define", type.name, at: type.place)
        }
        addSuperentity(of: type, to: &entity)
        for property in type.properties where !property.isStatic && property.isStored {
            addProperty(property, of: type, to: &entity)
        }
        for macro in type.macros { addMacro(macro, of: type, to: &entity) }
        return entity
    }

    private mutating func addSuperentity(of type: SwiftTypeDeclaration, to entity: inout EntityDescription) {
        guard let first = type.inherited.first,
            case .named(let names) = declarations.resolved(
                SwiftTypeParser.type(first), in: declarations.scope(of: type)
            ).type,
            case .declared(let index)? = declarations.meaning(of: names, in: declarations.scope(of: type)),
            declarations.types[index].kind == .class
        else { return }
        let parent = declarations.types[index]
        guard parent.isModel else { return }
        reach(index)
        entity.superentityName = parent.name
        result.questions.append(
            SwiftDataQuestion(
                entity: type.name, property: "",
                reason: "it inherits from the model \(parent.name), for which the rule is by analogy", answers: []))
    }

    private mutating func addProperty(
        _ property: SwiftProperty, of type: SwiftTypeDeclaration, to entity: inout EntityDescription
    ) {
        if property.attribute("Transient") != nil || property.modifiers.contains("lazy") { return }
        result.places[.property(property.name, entity: type.name)] = property.place
        if let condition = property.isActive.unknownText {
            note(
                "the property is declared only if \(condition); decide it with --define", type.name, property.name,
                at: property.place)
            return
        }
        if type.properties.contains(where: { $0.name == property.name && $0.place != property.place && $0.isStored }) {
            note("the property is declared twice", type.name, property.name, at: property.place)
        }
        for attribute in property.attributes where !Self.knownAttributes.contains(attribute.name) {
            note(
                "the attribute @\(attribute.name) is not known, and may change what is stored", type.name,
                property.name,
                at: attribute.place)
        }
        let scope = declarations.scope(of: type)
        guard let declared = shapes.declaredType(of: property, in: scope) else {
            note(
                "the type does not follow from the initial value; write it (\(property.name): Type = …)", type.name,
                property.name, at: property.place)
            return
        }
        let resolved = declarations.resolved(declared, in: scope).type
        let isOptional = resolved.unwrapped.isOptional
        let context = ShapeDerivation.Context(scope: scope, name: property.name, isOptional: isOptional)
        let shape = shapes.shape(of: declared, in: context)
        switch shape.shape {
        case .toOne(let target), .toMany(let target):
            reach(target)
            var isToMany = false
            if case .toMany = shape.shape { isToMany = true }
            addRelationship(
                property, of: type, to: &entity,
                RelationshipDescription(
                    name: property.name, destinationEntityName: declarations.types[target].name, isToMany: isToMany,
                    isOptional: isOptional))
        case .plain, .transformable, .composite, .unknown:
            if let attribute = property.attribute("Relationship") {
                result.remarks.append(
                    SwiftDataProblem(
                        message: "the property leads to no model, and @Relationship says nothing of it",
                        entity: type.name, property: property.name, place: attribute.place))
            }
            addAttribute(property, of: type, to: &entity, shape, isOptional: isOptional)
        }
    }

    /// Attributes that do not affect what is stored, and those that are evaluated.
    private static let knownAttributes: Set<String> = [
        "Attribute", "Relationship", "SwiftData.Attribute", "SwiftData.Relationship", "available", "MainActor", "objc",
        "nonobjc", "usableFromInline", "inlinable", "preconcurrency", "_PersistedProperty", "discardableResult",
    ]

    private mutating func addMacro(
        _ macro: SwiftAttribute, of type: SwiftTypeDeclaration, to entity: inout EntityDescription
    ) {
        switch macro.name.split(separator: ".").last {
        case "Unique"?:
            for group in groups(of: macro, type) { entity.uniquenessConstraints.append(group.names) }
        case "Index"?:
            for group in groups(of: macro, type) {
                let isTree = group.kind == "rtree"
                entity.fetchIndexes.append(
                    FetchIndexDescription(
                        name: "SwiftDataIndexOn\(isTree ? "RTree" : "Binary")" + group.names.joined(),
                        elements: group.names.map {
                            FetchIndexElementDescription(propertyName: $0, collation: isTree ? .rTree : .binary)
                        }))
            }
        case "warning"?, "error"?, "sourceLocation"?: break
        default:
            note(
                "the macro #\(macro.name) is not known, and may declare properties", type.name, at: macro.place)
        }
    }

    /// Returns the key paths of `#Unique` and `#Index`, one group for each array.
    private mutating func groups(
        of macro: SwiftAttribute, _ type: SwiftTypeDeclaration
    ) -> [(kind: String, names: [String])] {
        var result: [(kind: String, names: [String])] = []
        for argument in SwiftArguments(macro.arguments).arguments {
            var (kind, list) = ("binary", argument.value)
            if list.hasPrefix("."), let parenthesis = list.firstIndex(of: "("), list.hasSuffix(")") {
                kind = String(list[list.index(after: list.startIndex)..<parenthesis])
                list = String(list[list.index(after: parenthesis)...].dropLast()).trimmingBlanks
            }
            let paths = SwiftArguments.elements(of: list)?.map { SwiftArguments.keyPath($0)?.joined(separator: ".") }
            guard let paths, paths.allSatisfy({ $0 != nil }), ["binary", "rtree"].contains(kind) else {
                note(
                    "#\(macro.name) has an argument that is not a list of key paths: \(argument.value.prefix(60))",
                    type.name, at: macro.place)
                continue
            }
            result.append((kind, paths.compactMap { $0 }))
        }
        return result
    }
}
