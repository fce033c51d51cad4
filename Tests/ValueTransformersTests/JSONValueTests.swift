import KeyedArchives
import ManagedObjectModels
import Testing

@testable import ValueTransformers

/// Values of transformable attributes that are written as JSON.
@Suite struct JSONValueTests {
    /// Takes texts, and keeps them backwards.
    private struct BackwardsTransformer: AttributeValueTransformer {
        func transformedValue(_ value: PropertyListValue) throws -> [UInt8] {
            guard case .string(let text) = value else { throw ValueTransformerError("only texts go backwards") }
            return Array(String(text.reversed()).utf8)
        }

        func reverseTransformedValue(_ bytes: [UInt8]) throws -> PropertyListValue {
            .string(String(decoding: bytes.reversed(), as: UTF8.self))
        }
    }

    private struct NumberTransformer: AttributeValueTransformer {
        func transformedValue(_ value: Int) throws -> [UInt8] { [UInt8(value)] }
        func reverseTransformedValue(_ bytes: [UInt8]) throws -> Int { Int(bytes[0]) }
    }

    private func attribute(
        _ transformer: String? = nil, class name: String? = nil, type: AttributeType = .transformable
    ) -> AttributeDescription {
        AttributeDescription(
            name: "label", type: type, isOptional: true, valueTransformerName: transformer,
            attributeValueClassName: name)
    }

    private func bytes(_ json: String, _ attribute: AttributeDescription) throws -> [UInt8]? {
        try ValueTransformerRegistry().registering(BackwardsTransformer(), as: "Backwards")
            .registering(NumberTransformer(), as: "Number").bytes(ofJSON: json, for: attribute, of: "Probe")
    }

    private func dictionary(_ key: String, _ value: PropertyListValue) -> PropertyListValue {
        var pairs = PropertyListDictionary()
        pairs[key] = value
        return .dictionary(pairs)
    }

    @Test(arguments: [nil, "NSSecureUnarchiveFromData", "NSKeyedUnarchiveFromDataTransformerName"])
    func valuesAreKeyedArchivesByDefault(transformer: String?) throws {
        let examples: [(String, PropertyListValue)] = [
            ("\"grün\"", .string("grün")), ("7", .integer(7)), ("0.5", .real(0.5)), ("true", .boolean(true)),
            ("[]", .array([])), (" {\"a\": [1, \"b\"]} ", dictionary("a", .array([.integer(1), .string("b")]))),
            ("{\"$date\": 10.5}", .date(10.5)), ("{\"$data\": \"AQI=\"}", .data([1, 2])),
            ("{\"$dictionary\": {\"$date\": 1}}", dictionary("$date", .integer(1))),
        ]
        for (json, value) in examples {
            let bytes = try #require(try bytes(json, attribute(transformer)))
            #expect(try KeyedArchive(bytes).rootValue().propertyList() == value, "\(json)")
            #expect(try KeyedArchiveTransformer().reverseTransformedValue(bytes) == value, "\(json)")
        }
        #expect(try bytes("null", attribute(transformer)) == nil)
    }

    @Test func aTransformerThatIsRegisteredMakesTheBytes() throws {
        #expect(try bytes("\"abc\"", attribute("Backwards")) == Array("cba".utf8))
        #expect(try bytes("null", attribute("Backwards")) == nil)
        #expect(throws: ValueTransformerError("only texts go backwards")) { try bytes("1", attribute("Backwards")) }
    }

    @Test(arguments: [
        ("{", nil, nil, "Probe.label: column 2 is not JSON"), ("1 2", nil, nil, "Probe.label: column 3 is not JSON"),
        ("", nil, nil, "Probe.label: column 1 is not JSON"),
        ("{\"$date\": \"x\"}", nil, nil, "Probe.label: \"$date\""),
        ("[1]", nil, "NSDictionary", "Probe.label has values of the class NSDictionary"),
        ("1", "Label", nil, "has the value transformer Label, which is not registered"),
        ("1", "Number", nil, "the value transformer of Probe.label takes values of Int"),
    ])
    func whatHasNoBytesIsExplained(json: String, transformer: String?, name: String?, reason: String) throws {
        let error = try #require(throws: ValueTransformerError.self) {
            try bytes(json, attribute(transformer, class: name))
        }
        #expect(error.description.contains(reason), "\(error)")
    }

    @Test func classesOfTheModelAreKept() throws {
        #expect(try bytes("[1]", attribute(class: "NSArray")) != nil)
        #expect(try bytes("null", attribute(class: "NSArray")) == nil)
    }

    @Test func otherAttributesHaveNoValuesInJSON() throws {
        let error = try #require(throws: ValueTransformerError.self) { try bytes("1", attribute(type: .integer16)) }
        #expect(error.description.hasPrefix("Probe.label is of type"))
    }
}
