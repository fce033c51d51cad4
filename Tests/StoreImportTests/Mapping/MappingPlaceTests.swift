import ImportMappings
import StoreImport
import Testing

/// Errors that show when the sources are opened point to their place in the mapping.
@Suite struct MappingPlaceTests {
    @Test(arguments: [
        ("number: nowhere", 9, "no column \"nowhere\""), ("number: {expression: 'gone + 1'}", 9, "no column \"gone\""),
    ])
    func aColumnThatTheSourceLacksIsShownWhereTheMappingNamesIt(
        attribute: String, line: Int, reason: String
    ) throws {
        let fixture = try ImportFixture(entities: DraftFixture.entity("Item", "code", "number:Integer 32"))
        let text = """
            import: 1
            sources:
              - {files: other.csv, entity: Item, key: code, attributes: [code]}
              - files: items.csv
                entity: Item
                key: code
                attributes:
                  code: code
                  \(attribute)
            """
        let document = try ImportMappingReader.read(bytes: Array(text.utf8), name: "items.yaml")
        let sources = [
            try fixture.write("code,count\na,1\n", as: "items.csv"),
            try fixture.write("code,count\nb,2\n", as: "other.csv"),
        ]
        let error = #expect(throws: ImportPlanError.self) { _ = try fixture.run(sources, .mapping(document.mapping)) }
        let shown = "\(document.located(try #require(error)))"
        #expect(shown.contains("items.yaml:\(line):") && shown.contains(reason) && shown.contains("^"), "\(shown)")
    }
}
