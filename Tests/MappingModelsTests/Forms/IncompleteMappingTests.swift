import DocumentReading
import Testing

@testable import MappingModels

/// Core Data's forms can say what no mapping is: their readers refuse it, and name the mapping.
@Suite struct IncompleteMappingTests {
    private static func mapping(_ type: EntityMappingType, _ source: String?, _ destination: String?) -> EntityMapping {
        EntityMapping(name: "M", type: type, sourceEntityName: source, destinationEntityName: destination)
    }

    private static func mapping(_ change: (inout EntityMapping) -> Void) -> EntityMapping {
        var mapping = mapping(.transform, "A", "B")
        change(&mapping)
        return mapping
    }

    private static let incomplete: [([EntityMapping], String)] = [
        ([mapping(.add, nil, nil)], "the mapping \"M\" adds objects, and has no destination entity"),
        ([mapping(.add, "A", "B")], "the mapping \"M\" adds objects, and has a source entity"),
        ([mapping(.remove, nil, nil)], "the mapping \"M\" removes objects, and has no source entity"),
        ([mapping(.remove, "A", "B")], "the mapping \"M\" removes objects, and has a destination entity"),
        ([mapping(.transform, "A", nil)], "the mapping \"M\" has no destination entity"),
        ([mapping(.copy, nil, "B")], "the mapping \"M\" has no source entity"),
        ([mapping(.custom, "", "B")], "the mapping \"M\" has an entity without a name"),
        ([EntityMapping(name: "", type: .custom)], "mapping 1 has neither a name nor an entity"),
        ([mapping(.copy, "A", "B"), mapping(.copy, "A", "B")], "the mapping \"M\" occurs twice"),
        ([mapping { $0.attributeMappings = [PropertyMapping(name: "")] }], "has a property without a name"),
        (
            [mapping { $0.relationshipMappings = [PropertyMapping(name: "r"), PropertyMapping(name: "r")] }],
            "has two properties \"r\""
        ),
    ]

    @Test(arguments: incomplete, [MappingModelForm.compiled, .source])
    func whatNoMappingIsIsRefusedWithItsName(_ incomplete: ([EntityMapping], String), _ form: MappingModelForm) throws {
        let bytes = try MappingModelFile.bytes(of: MappingModel(entityMappings: incomplete.0), form: form)
        let error = #expect(throws: DocumentErrors.self) { try MappingModelFile.read(bytes: bytes, name: "m") }
        #expect(error?.description.contains(incomplete.1) == true, "\(error?.description ?? "")")
    }

    @Test(arguments: [
        (mapping { $0.destinationEntityVersionHash = [1, 2] }, "has a version hash of 2 bytes"),
        (
            mapping {
                $0.attributeMappings = [PropertyMapping(name: "a", transforms: [PropertyTransform(propertyName: "")])]
            }, "has a transform without a property in \"a\""
        ),
    ])
    func whatOnlyCompiledMappingsSayIsRefusedToo(_ mapping: EntityMapping, _ words: String) throws {
        let bytes = try MappingModelFile.bytes(of: MappingModel(entityMappings: [mapping]), form: .compiled)
        let error = #expect(throws: DocumentErrors.self) { try MappingModelFile.read(bytes: bytes, name: "m") }
        #expect(error?.description.contains("the mapping \"M\" \(words)") == true, "\(error?.description ?? "")")
    }

    @Test(
        arguments: [
            (mapping { $0.sourceFilter = "NSKeyPath" }, "M: the filter cannot be parsed: "),
            (mapping { $0.sourceExpression = "FETCH(" }, "M: the expression cannot be parsed: "),
            (
                mapping { $0.attributeMappings = [PropertyMapping(name: "a", valueExpression: "$source.a%")] },
                "M.a: the expression cannot be parsed: "
            ),
            (
                mapping {
                    $0.relationshipMappings = [
                        PropertyMapping(
                            name: "r", transforms: [PropertyTransform(propertyName: "r", valueExpression: "1 +")])
                    ]
                }, "M.r: the expression cannot be parsed: "
            ),
        ], MappingModelForm.allCases)
    func textsThatNoReaderTakesAreNotWritten(_ damaged: (EntityMapping, String), _ form: MappingModelForm) {
        let error = #expect(throws: MappingModelWritingError.self) {
            try MappingModelFile.bytes(of: MappingModel(entityMappings: [damaged.0]), form: form)
        }
        #expect(error?.description.hasPrefix(damaged.1) == true, "\(error?.description ?? "")")
    }
}
