import KeyedArchives
import PredicateExpressions

extension ManagedObjectModel {
    /// The model as it would be read from its compiled form: without attributes that occur only in sources, in a
    /// canonical order and notation.
    ///
    /// Two forms of the same model are equal in this form. It lacks code generation, scalar types, Spotlight and sync
    /// flags, and defaults that are not values of their type; properties, configurations and fetch requests are sorted
    /// by name; predicates, derivations and decimals have the same notation; composites are named after attributes.
    public var compiledForm: ManagedObjectModel {
        var form = CompiledForm(self)
        return form.model()
    }
}

extension FetchRequestTemplate {
    /// The request with its predicate in canonical notation.
    var compiledForm: FetchRequestTemplate { CompiledForm.request(self) }
}

private struct CompiledForm {
    private let source: ManagedObjectModel
    private var composites: [CompositeDescription] = []

    init(_ source: ManagedObjectModel) {
        self.source = source
    }

    mutating func model() -> ManagedObjectModel {
        var entities: [EntityDescription] = []
        let inherited = InheritedNames(source)
        for var entity in source.entities {
            entity.removeProperties(named: inherited.names(of: entity.name))
            entities.append(self.entity(entity))
        }
        return ManagedObjectModel(
            entities: entities, composites: composites,
            configurations: source.configurations.map { configuration in
                ConfigurationDescription(name: configuration.name, entityNames: configuration.entityNames.sorted())
            }.sorted { $0.name < $1.name },
            fetchRequestTemplates: source.fetchRequestTemplates.map { Self.request($0).withoutOptions }.sorted {
                $0.name < $1.name
            },
            versionIdentifiers: source.versionIdentifiers.sorted())
    }

    private mutating func entity(_ entity: EntityDescription) -> EntityDescription {
        var result = entity
        result.renamingIdentifier = Self.identifier(entity.renamingIdentifier, name: entity.name)
        result.isSyncable = true
        result.codeGenerationType = nil
        result.coreSpotlightDisplayNameExpression =
            entity.coreSpotlightDisplayNameExpression.map { Self.expression($0) }
        result.attributes = []
        for attribute in entity.attributes.sorted(by: { $0.name < $1.name }) {
            result.attributes.append(self.attribute(attribute, depth: 0))
        }
        result.relationships = entity.relationships.map { relationship in
            var relationship = relationship
            relationship.renamingIdentifier = Self.identifier(relationship.renamingIdentifier, name: relationship.name)
            relationship.isToMany = relationship.maximumCount != 1
            relationship.isIndexed = false
            relationship.isSyncable = true
            relationship.isSpotlightIndexed = false
            relationship.isStoredInTruthFile = false
            return relationship
        }.sorted { $0.name < $1.name }
        result.fetchedProperties = entity.fetchedProperties.map { property in
            var property = property
            property.isOptional = true
            property.isSyncable = true
            property.fetchRequest = Self.request(property.fetchRequest).withoutOptions
            property.fetchRequest.name = FetchedPropertyDescription.requestName
            return property
        }.sorted { $0.name < $1.name }
        // It is impossible to tell which of the two sets the flag.
        let marked = Set(result.fetchIndexes.compactMap(\.indexedAttribute))
        for place in result.attributes.indices where marked.contains(result.attributes[place].name) {
            result.attributes[place].isIndexed = false
        }
        // An index with the name of its only attribute is equivalent to the attribute's flag.
        for index in result.fetchIndexes where index.elements.count == 1 {
            if let place = result.attributes.firstIndex(where: { $0.name == index.name }) {
                result.attributes[place].isIndexed = true
            }
        }
        result.foldIndexes()
        for place in result.fetchIndexes.indices {
            result.fetchIndexes[place].partialIndexPredicate =
                result.fetchIndexes[place].partialIndexPredicate.map { Self.predicate($0) }
            for element in result.fetchIndexes[place].elements.indices {
                let text = result.fetchIndexes[place].elements[element].expression
                result.fetchIndexes[place].elements[element].expression = text.map { Self.expression($0) }
            }
        }
        return result
    }

    private static func identifier(_ identifier: String?, name: String) -> String? {
        identifier == name ? nil : identifier
    }

    private mutating func attribute(_ attribute: AttributeDescription, depth: Int) -> AttributeDescription {
        var result = attribute
        result.renamingIdentifier = Self.identifier(attribute.renamingIdentifier, name: attribute.name)
        result.usesScalarValueType = nil
        result.isSyncable = true
        result.isSpotlightIndexed = false
        result.isStoredInTruthFile = false
        result.defaultValue = Self.value(attribute.defaultValue, type: attribute.type)
        result.validation.minimum = Self.value(attribute.validation.minimum, type: attribute.type)
        result.validation.maximum = Self.value(attribute.validation.maximum, type: attribute.type)
        result.validation.otherPredicates = attribute.validation.otherPredicates.map { other in
            ValidationPredicate(
                predicateFormat: Self.predicate(other.predicateFormat),
                warning: other.warning?.isEmpty == true ? nil : other.warning)
        }
        if attribute.type != .transformable { result.attributeValueClassName = nil }
        if let text = attribute.derivationExpression,
            let expression = try? Expression(format: DerivationText(text).text)
        {
            result.derivationExpression = DerivationText.source(of: expression)
        }
        result.compositeName = nil
        if attribute.type == .composite {
            result.compositeName = compositeName(attribute.compositeName, attribute: attribute.name, depth: depth)
        }
        return result
    }

    /// Returns a value in canonical notation; nil for other text, since it cannot be archived.
    private static func value(_ value: AttributeValue?, type: AttributeType) -> AttributeValue? {
        switch value {
        case .unparsed: nil
        case .decimal(let text): DecimalNumber(text).map { .decimal($0.description) }
        // A Float is archived in 32 bits.
        case .real(let number) where type == .float: .real(Double(Float(number)))
        default: value
        }
    }

    static func request(_ request: FetchRequestTemplate) -> FetchRequestTemplate {
        var result = request
        result.predicateFormat = request.predicateFormat.map { predicate($0) }
        return result
    }

    private static func expression(_ text: String) -> String {
        (try? Expression(format: text))?.format ?? text
    }

    private static func predicate(_ text: String) -> String {
        (try? Predicate(format: text))?.format ?? text
    }

    /// Returns the name of a composite. Compiled models have the elements in each attribute: equal composites become
    /// one, named after the first attribute.
    private mutating func compositeName(_ name: String?, attribute: String, depth: Int) -> String? {
        // A composite that contains itself is refused when the model is resolved.
        guard depth < 8, let composite = source.composites.first(where: { $0.name == name }) else { return name }
        var elements: [AttributeDescription] = []
        for element in composite.elements { elements.append(self.attribute(element, depth: depth + 1)) }
        if let known = composites.first(where: { $0.elements == elements }) {
            return known.name
        }
        var unique = attribute
        var number = 1
        while composites.contains(where: { $0.name == unique }) {
            number += 1
            unique = attribute + "\(number)"
        }
        composites.append(CompositeDescription(name: unique, elements: elements))
        return unique
    }
}
