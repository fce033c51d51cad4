import GeneratedStores
import Testing

@testable import MappingModels

@Suite struct MappingModelWriterTests {
    @Test func anInferredModelIsReadable() throws {
        let mapping = try infer(
            [entity("Car", [attribute("maker")], [relationship("owner", to: "Car")])],
            [
                entity(
                    "Car", [attribute("brand", renamedFrom: "maker"), attribute("note")],
                    [relationship("owner", to: "Car")])
            ])
        #expect(
            MappingModelWriter.yaml(mapping.mappingModel, comments: ["1 -> 2", "two\nlines"]) == """
                # 1 -> 2
                # two lines
                mapping: 1
                entities:
                  - name: IEM_Transform_Car
                    type: transform
                    source: Car
                    destination: Car
                    attributes:
                      brand: $source.valueForKey:("maker")
                      note: null
                    relationships:
                      owner: $manager.destinationInstancesForSourceRelationshipNamed:sourceInstances:\
                ("owner", $source.valueForKey:("owner"))

                """)
    }

    @Test func everythingOfAMappingIsWritten() {
        let mapping = EntityMapping(
            name: "AToB", type: .custom, sourceEntityName: "A", sourceEntityVersionHash: [0, 255],
            destinationEntityName: "B", destinationEntityVersionHash: [1],
            attributeMappings: [
                PropertyMapping(
                    name: "x", valueExpression: "1",
                    transforms: [PropertyTransform(propertyName: "x", replacesMissingValueOnly: true)])
            ],
            relationshipMappings: [
                PropertyMapping(
                    name: "r", sourceKeyPath: "$source.r", sourceMappingName: "RToR", isExpressionGenerated: true,
                    userInfo: ["k": "v"])
            ],
            sourceFilter: "x > 1", sourceExpression: "FETCH(1, 2, NO)", migrationPolicyClassName: "My.Policy",
            userInfo: ["b": "2", "a": "x"])
        #expect(
            MappingModelWriter.yaml(MappingModel(entityMappings: [mapping])) == """
                mapping: 1
                entities:
                  - name: AToB
                    type: custom
                    source: A
                    sourceHash: sha256-00ff
                    destination: B
                    destinationHash: sha256-01
                    filter: x > 1
                    fetch: FETCH(1, 2, NO)
                    policy: My.Policy
                    userInfo:
                      a: x
                      b: '2'
                    attributes:
                      x:
                        value: '1'
                        transforms:
                          - property: x
                            value: null
                            missingOnly: true
                    relationships:
                      r:
                        value: null
                        keyPath: $source.r
                        mapping: RToR
                        generated: true
                        userInfo:
                          k: v

                """)
    }

    @Test func anEmptyModelHasNoEntities() {
        #expect(MappingModelWriter.yaml(MappingModel()) == "mapping: 1\nentities: []\n")
    }

    @Test(arguments: [
        ("word", "word"), ("", "''"), ("No", "'No'"), ("null", "'null'"), ("12", "'12'"), ("it's", "it's"),
        ("'", "''''"), ("a: b", "'a: b'"), ("a:", "'a:'"), ("a #b", "'a #b'"), ("- a", "'- a'"), ("a ", "'a '"),
        ("\u{e9}t\u{e9}", "'\u{e9}t\u{e9}'"), ("a\nb", #""a\nb""#), ("\u{2028}\"", #""\U00002028\"""#),
        ("$source.x", "$source.x"),
    ])
    func textsAreQuotedWhereYAMLWouldTakeThemForSomethingElse(text: String, expected: String) {
        #expect(MappingModelWriter.scalar(text) == expected)
    }
}
