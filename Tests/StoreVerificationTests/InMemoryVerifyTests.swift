import ManagedObjectModels
import PersistentStores
import SQLiteAccess
import StoreConversion
import StoreVerification
import TestSupport
import Testing

/// A store in memory is held against the same rules as one in a file.
@Suite struct InMemoryVerifyTests {
    @Test func faultsAreFoundAndNamed() throws {
        let sample = try SampleStore()
        var memory = try InMemoryStore(path: sample.path, model: sample.model)
        let newStore = NewStore(
            model: sample.model, hashes: memory.metadata.versionHashes, digest: "", checksum: "",
            uuid: memory.metadata.uuid)
        let sound = try AtomicStoreVerifier(memory, newStore, name: "the cache").verify()
        #expect(sound.findings.isEmpty, "\(sound)")
        #expect(sound.store == "the cache" && sound.rows > 0)
        let chef = try #require(ObjectForms(sample.model).entities.first { $0.name == "Chef" })
        let place = try #require(chef.attributes.firstIndex { !$0.description.isOptional })
        let index = try #require(memory.objects.firstIndex { $0.slot == chef.slot })
        memory.objects[index].setValue(ArenaValue.null, at: place)
        let faults = try AtomicStoreVerifier(memory, newStore).verify().findings
        #expect(faults.map(\.code) == ["missing-required-value"], "\(faults)")
        #expect(
            faults.first?.examples == [
                "x-coredata://\(memory.metadata.uuid)/Chef/p\(memory.objects[index].key)"
            ], "\(faults)")
    }
}
