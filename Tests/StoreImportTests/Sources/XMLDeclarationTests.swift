import Foundation
import TestSupport
import Testing

@testable import ImportMappings
@testable import StoreImport

/// Documents that declare entities and default attributes.
@Suite struct XMLDeclarationTests {
    @Test func whatTheyStandForIsImportedAndRejectedRecordsCanBeImportedAgain() throws {
        let fixture = try ImportFixture(entities: DraftFixture.entity("Thing", "name", "unit", "size:Integer 32"))
        let text = """
            <!DOCTYPE r [<!ENTITY co "A &amp; B"><!ATTLIST i unit CDATA "kg">]>
            <r owner="&co;"><i><name>&co; Ltd</name><size>1</size></i><i unit="g"><name>&co;</name><size>x</size></i></r>
            """
        let mapping = try ImportMappingReader.read(
            bytes: Array(
                "import: 1\nrecords: i\nentity: Thing\nattributes: {name: name, unit: '@unit', size: size}\n".utf8),
            name: "m.yaml"
        ).mapping
        var options = ImportOptions()
        options.rejectsDirectory = fixture.directory.file("rejects")
        let report = try fixture.run([try fixture.write(text, as: "things.xml")], .mapping(mapping), options: options)
        #expect(report.rejected == 1 && report.findings == [])
        #expect(try fixture.rows("SELECT ZNAME, ZUNIT, ZSIZE FROM ZTHING") == ["A & B Ltd|kg|1"])
        let rejected = try String(
            contentsOfFile: fixture.directory.file("rejects") + "/things.rejected.xml", encoding: .utf8)
        let mended = try fixture.write(rejected.replacingOccurrences(of: ">x<", with: ">2<"), as: "mended.xml")
        #expect(try !fixture.run([mended], .mapping(mapping)).hasFindings)
        #expect(try fixture.rows("SELECT ZNAME, ZUNIT FROM ZTHING WHERE ZSIZE = 2") == ["A & B|g"])
    }
}
