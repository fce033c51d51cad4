import PersistentStores
import TestSupport
import Testing

@Suite struct ExternalRecordTests {
    @Test(arguments: [
        ("487EF7F8-6FB0-568A-AD7C-81CAF3CC76C8", true), ("487ef7f8-6fb0-568a-ad7c-81caf3cc76c8", true),
        ("../../../../../../../../../etc/passwd", false), ("487EF7F8-6FB0-568A-AD7C-81CAF3CC76C", false),
        ("487EF7F8/6FB0/568A/AD7C/81CAF3CC76C8", false), ("", false), ("487EF7F8-6FB0-568A-AD7C-81CAF3CC76CG", false),
        ("é87EF7F8-6FB0-568A-AD7C-81CAF3CC76C", false),
    ])
    func onlyUUIDsAreNames(name: String, isName: Bool) {
        #expect(ExternalRecord.isName(name) == isName)
    }

    @Test func theContentIsTheFiles() throws {
        let directory = try TemporaryDirectory()
        let name = "487EF7F8-6FB0-568A-AD7C-81CAF3CC76C8"
        #expect(try ExternalRecord.content(named: name, in: directory.path) == nil)
        #expect(try ExternalRecord.content(named: name, in: directory.file("missing")) == nil)
        try directory.write([1, 2, 0, 3], to: name)
        #expect(try ExternalRecord.content(named: name, in: directory.path) == [1, 2, 0, 3])
        try directory.write([], to: name)
        #expect(try ExternalRecord.content(named: name, in: directory.path) == [])
    }
}
