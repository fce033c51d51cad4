import GeneratedStores
import ManagedObjectModels
import PersistentStores
import StoreConversion
import TestSupport
import Testing

@Suite struct HostileStoreTests {
    private static func stores() throws -> (model: ResolvedModel, directory: TemporaryDirectory) {
        let directory = try TemporaryDirectory()
        let model = try ResolvedModel(
            ManagedObjectModel(entities: [
                entity(
                    "A",
                    [
                        attribute("text"), attribute("number", .decimal), attribute("when", .date),
                        attribute("id", .uuid),
                        attribute("data", .binaryData), attribute("link", .uri),
                    ],
                    [
                        relationship("bs", to: "B", inverse: "a", many: true, ordered: true),
                        relationship("cs", to: "B", inverse: "ds", many: true),
                    ]),
                entity(
                    "B", [attribute("size", .integer32)],
                    [
                        relationship("a", to: "A", inverse: "bs"),
                        relationship("ds", to: "A", inverse: "cs", many: true),
                    ]),
            ]))
        var content = RandomContent(model: model, seed: 3)
        try StoreWriter().write(content.content(upTo: 8), of: model, to: directory.file("a.sqlite"))
        try convert([directory.file("a.sqlite")], to: .xml, directory.file("a.xml"), model)
        try convert([directory.file("a.sqlite")], to: .binary, directory.file("a.bin"), model)
        return (model, directory)
    }

    /// Damaged stores are converted or refused; nothing else happens, and nothing is left of a refusal.
    @Test(.long, arguments: ["a.xml", "a.bin", "a.sqlite"])
    func damageIsAnErrorAndNoCrash(_ name: String) throws {
        let (model, directory) = try Self.stores()
        let bytes = try #require(WholeFile.read(directory.file(name)))
        var random = RandomNumbers(seed: 11)
        var refused = 0
        for round in 0..<40 {
            let path = try directory.write(Mutation.mutate(bytes, with: &random), to: "bad-\(name)")
            do {
                try convert([path], to: .sqlite, directory.file("out.sqlite"), model)
                try convert([directory.file("out.sqlite")], to: .binary, directory.file("out.bin"), model)
            } catch {
                refused += 1
                #expect(!"\(error)".isEmpty, "round \(round)")
            }
            StoreFiles(directory.file("out.sqlite")).remove()
            try? FileSystem.remove(directory.file("out.bin"))
            let left = try FileSystem.names(in: FileSystem.directory(of: path)).filter { $0.contains("ferry") }
            #expect(left.isEmpty, "round \(round): \(left)")
        }
        #expect(refused > 0)
    }

    @Test(arguments: ["a.xml", "a.bin"])
    func everyTruncationIsAnError(_ name: String) throws {
        let (model, directory) = try Self.stores()
        let bytes = try #require(WholeFile.read(directory.file(name)))
        for step in 1..<40 {
            let path = try directory.write(Array(bytes.prefix(bytes.count * step / 40)), to: "cut-\(name)")
            #expect(throws: (any Error).self) { try convert([path], to: .sqlite, directory.file("out.sqlite"), model) }
        }
    }

    @Test func entitiesAreRefused() throws {
        let (model, directory) = try Self.stores()
        let text = """
            <?xml version="1.0"?><!DOCTYPE database [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;">]>
            <database><databaseInfo><version>1</version><UUID>&b;</UUID><nextObjectID>1</nextObjectID></databaseInfo>
            </database>
            """
        let path = try directory.write(text, to: "bomb.xml")
        let error = #expect(throws: (any Error).self) {
            try convert([path], to: .sqlite, directory.file("out.sqlite"), model)
        }
        #expect(error.map { "\($0)" }?.contains("entit") == true)
    }

    @Test(arguments: [Array("text".utf8), [], Array("<html></html>".utf8), Array("CoreDat".utf8)])
    func whatIsNoStoreIsToldByItsContent(_ bytes: [UInt8]) throws {
        let directory = try TemporaryDirectory()
        let path = try directory.write(bytes, to: "a.sqlite")
        let error = #expect(throws: StoreError.self) { try PersistentStoreRegistry.standard.type(at: path) }
        #expect(error?.cocoaCode == 134020)
    }
}
