import GeneratedStores
import ManagedObjectModels
import PersistentStores
import StoreConversion
import TestSupport
import Testing

@Suite struct CustomStoreTests {
    @Test func aTypeOfOnesOwnIsReadAndWrittenAsTheOthers() throws {
        let directory = try TemporaryDirectory()
        let model = try PeopleModel.resolved()
        let text = """
            {"store":"A"}
            {"entity":"Person","key":1,"name":"a","staff":[2]}
            {"entity":"Person","key":2,"name":"b","boss":[1]}
            """
        let path = try directory.write(text, to: "a.store")
        let registry = PersistentStoreRegistry.standard.adding(JSONLinesFormat())
        #expect(try registry.type(at: path) == PersistentStoreType("JSONLines"))
        #expect(registry.type(ofNewStore: "b.ndjson") == PersistentStoreType("JSONLines"))
        #expect(try registry.isAtomic(path) && registry.metadata(at: path).uuid == "A")
        try convert([path], to: .sqlite, directory.file("a.sqlite"), model) { $0.registry = registry }
        #expect(try !registry.isAtomic(directory.file("a.sqlite")))
        try convert([directory.file("a.sqlite")], to: PersistentStoreType("JSONLines"), directory.file("b"), model) {
            $0.registry = registry
        }
        let (old, new) = (
            try InMemoryStore(path: path, model: model, registry: registry),
            try InMemoryStore(path: directory.file("b"), model: model, registry: registry)
        )
        #expect(try ObjectListing(old, model: model) == ObjectListing(new, model: model))
    }

    @Test func whatIsNotAStoreIsNotReadAsAWhole() throws {
        let directory = try TemporaryDirectory()
        let registry = PersistentStoreRegistry.standard
        for text in ["", "hello", "{\"store\":1}"] {
            #expect(try !registry.isAtomic(directory.write(text, to: "a")))
        }
        #expect(throws: StoreError.self) { try registry.isAtomic(directory.file("missing")) }
        #expect(throws: StoreError.self) { try registry.isAtomic(directory.path) }
    }
}
