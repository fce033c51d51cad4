import DocumentReading
import Testing

@testable import MappingModels

@Suite struct MappingModelReaderTests {
    private static func read(_ text: String) throws -> MappingModelDocument {
        try MappingModelFile.read(bytes: Array(text.utf8), name: "m.yaml")
    }

    @Test func whatMayBeLeftOutHasItsUsualMeaning() throws {
        let model = try Self.read(
            """
            mapping: 1
            entities:
              - source: A
                destination: B
              - destination: New
              - source: Gone
              - source: P
                destination: P
                policy: My.Policy
            """
        ).model
        #expect(model.entityMappings.map(\.name) == ["AToB", "New", "Gone", "PToP"])
        #expect(model.entityMappings.map(\.type) == [.undefined, .add, .remove, .custom])
    }

    @Test func allErrorsComeAtOnceWithTheirPlaces() throws {
        let text = """
            mapping: 1
            entities:
              - source: A
                destination: B
                filtre: x > 1
                filter: x >
                type: transfrom
                attributes:
                  x: 1 +
                  y: {value: $source.y, choose: first}
                relationships:
                  r: {value: $source.r, choose: middle}
              - name: AToB
                source: C
                type: add
              - {}
              - name: Nothing
            """
        let error = try #require(throws: DocumentErrors.self) { try Self.read(text) }
        let places = error.errors.map { "\($0.location.line):\($0.location.column ?? 0)" }
        #expect(
            places == ["5:5", "6:16", "7:11", "9:13", "10:29", "12:37", "13:5", "14:5", "16:5", "17:5"], "\(error)")
        #expect(error.description.contains("did you mean \"filter\"?"))
        #expect(error.description.contains("did you mean \"transform\"?"))
        #expect(error.description.contains("      x: 1 +\n"))
    }

    @Test func hashesAreDigits() throws {
        let digits = String(repeating: "0f", count: 32)
        let model = try Self.read(
            "mapping: 1\nentities:\n  - source: A\n    sourceHash: sha256-\(digits)\n"
        ).model
        #expect(model.entityMappings[0].sourceEntityVersionHash == [UInt8](repeating: 15, count: 32))
        for wrong in ["abc", "sha256-0f", "sha256-" + digits.dropLast() + "g"] {
            #expect(throws: DocumentErrors.self) {
                try Self.read("mapping: 1\nentities:\n  - source: A\n    sourceHash: \(wrong)\n")
            }
        }
    }
}
