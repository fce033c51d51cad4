import ManagedObjectModels
import Testing

/// What damaged models have brought to light, each as small as it can be.
@Suite struct FoundByMutationTests {
    private func compiledAndRead(_ entities: [EntityDescription]) throws -> (ManagedObjectModel, [ModelWarning]) {
        let result = try CompiledModelWriter(ManagedObjectModel(entities: entities)).compile()
        return (try CompiledModelReader.read(bytes: result.bytes, name: "test.mom").model, result.warnings)
    }

    @Test
    func twoPropertiesOfOneNameAreRefusedInWhateverFormTheyCame() {
        let entity = EntityDescription(
            name: "E", attributes: [AttributeDescription(name: "a", type: .string)],
            relationships: [RelationshipDescription(name: "a", destinationEntityName: "E")])
        #expect(throws: ModelError(.duplicateProperty, entity: "E", property: "a")) {
            try ResolvedModel(ManagedObjectModel(entities: [entity]))
        }
        #expect(throws: ModelError(.duplicateProperty, entity: "E", property: "a")) { try compiledAndRead([entity]) }
    }

    @Test
    func aPropertyThatAnHeirDeclaresAgainIsTheInheritedOneWithAWarning() throws {
        let parent = EntityDescription(
            name: "A", attributes: [AttributeDescription(name: "a", type: .string)],
            relationships: [RelationshipDescription(name: "r", destinationEntityName: "A", inverseName: "r")])
        let heir = EntityDescription(
            name: "B", superentityName: "A",
            attributes: [AttributeDescription(name: "a", type: .date), AttributeDescription(name: "b", type: .date)],
            relationships: [RelationshipDescription(name: "r", destinationEntityName: "B", inverseName: "r")])
        let (model, warnings) = try compiledAndRead([parent, heir])
        #expect(warnings.map(\.property) == ["a", "r"])
        #expect(model.entity(named: "B")?.attributes.map(\.name) == ["b"])
        #expect(model.compiledForm == ManagedObjectModel(entities: [parent, heir]).compiledForm)
    }

    @Test
    func aValidationPredicateWithoutAWarningHasNoneWhenItComesBack() throws {
        let predicate = ValidationPredicate(predicateFormat: "SELF CONTAINS \" \"")
        let entity = EntityDescription(
            name: "E",
            attributes: [
                AttributeDescription(
                    name: "a", type: .string, validation: AttributeValidation(otherPredicates: [predicate]))
            ])
        #expect(
            try compiledAndRead([entity]).0.entities.first?.attributes.first?.validation.otherPredicates == [predicate])
    }

    @Test
    func aPatternStaysAPatternOfWhateverTypeTheAttributeIs() throws {
        let attribute = AttributeDescription(
            name: "a", type: .undefined, isTransient: true,
            validation: AttributeValidation(regularExpression: "^[a-z]*$"))
        let model = try compiledAndRead([EntityDescription(name: "E", attributes: [attribute])]).0
        #expect(model.entities.first?.attributes == [attribute])
    }

    @Test
    func aCompositeThatAnAttributeOfAnotherTypeNamesDoesNotCount() throws {
        let attribute = AttributeDescription(name: "a", type: .string, compositeName: "C")
        let model = ManagedObjectModel(
            entities: [EntityDescription(name: "E", attributes: [attribute])],
            composites: [CompositeDescription(name: "C", elements: [AttributeDescription(name: "e", type: .string)])])
        let result = try CompiledModelWriter(model).compile()
        #expect(try CompiledModelReader.read(bytes: result.bytes, name: "test.mom").model == model.compiledForm)
    }

    @Test
    func anExpressionInAnIndexComesBackInTheOneNotation() throws {
        let index = FetchIndexDescription(
            name: "i", elements: [FetchIndexElementDescription(propertyName: nil, expression: "a-b")])
        let entity = EntityDescription(name: "E", fetchIndexes: [index])
        #expect(try compiledAndRead([entity]).0.compiledForm == ManagedObjectModel(entities: [entity]).compiledForm)
    }
}
