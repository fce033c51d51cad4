import ImportMappings
import RecordSources
import StoreImport
import Testing

/// Files in whose header a name stands several times, or none at all.
@Suite struct DuplicateColumnTests {
    private func fixture() throws -> DraftFixture {
        try DraftFixture(
            DraftFixture.entity("City", "code", "name", "size:Integer 32", more: DraftFixture.unique("code")))
    }

    @Test(arguments: [
        ("code,name,name,size", ["code", "name", "name_2", "size"]),
        ("code,name,,,size", ["code", "name", "column3", "column4", "size"]),
        ("code,name,name,name_2,size", ["code", "name", "name_3", "name_2", "size"]),
        ("code,name,name_2,name,size", ["code", "name", "name_2", "name_3", "size"]),
    ])
    func aDraftNamesTheColumnsAndRuns(header: String, columns: [String]) throws {
        let fixture = try fixture()
        let row = columns.map { $0 == "size" ? "7" : $0 == "code" ? "a" : "Rome" }.joined(separator: ",")
        let source = [try fixture.fixture.write("\(header)\n\(row)\n", as: "city.csv")]
        #expect(try fixture.draft(source).mapping.sources[0].format.columns == columns)
        #expect(try fixture.run(source).rejected == 0)
        #expect(try fixture.fixture.rows("SELECT ZCODE, ZNAME, ZSIZE FROM ZCITY") == ["a|Rome|7"])
    }

    @Test func aMappingThatMeansOneOfThemWithoutSayingWhichIsRefused() throws {
        let fixture = try fixture().fixture
        let mapping = "files: city.csv\nentity: City\nattributes: {code: code, name: name}\n"
        let error = #expect(throws: ImportPlanError.self) {
            try fixture.run("code,name,name\na,b,c\n", as: "city.csv", mapping: mapping)
        }
        #expect(error?.code == .ambiguousColumn("name"))
        try fixture.run(
            "code,name,name\na,b,c\n", as: "city.csv", mapping: mapping + "columns: [code, other, name]\nheader: true\n"
        )
        #expect(try fixture.rows("SELECT ZNAME FROM ZCITY") == ["c"])
    }
}
