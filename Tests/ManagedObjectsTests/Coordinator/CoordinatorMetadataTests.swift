import KeyedArchives
import ManagedObjectModels
import ManagedObjects
import PersistentStores
import StoreConversion
import Testing

/// What a program keeps in the metadata of a store, beside Core Data's own entries.
@Suite struct CoordinatorMetadataTests {
    private static let keywords = PropertyListValue.array([.string("a"), .string("<b>")])

    @Test(arguments: [PersistentStoreType.sqlite, .xml, .binary, .inMemory])
    func entriesOfTheProgramStandBesideOthers(type: PersistentStoreType) throws {
        let stack = try Stack(type: type)
        let context = stack.context()
        let object = try context.make("Department", ["name": .string("A")])
        try context.save()
        let before = try stack.coordinator.metadata(of: stack.store)
        #expect(before.uuid == stack.store.uuid && before.customKeys.isEmpty)
        try stack.coordinator.updateMetadata(of: stack.store) { metadata in
            metadata.entries["keywords"] = Self.keywords
            metadata.entries["count"] = .integer(3)
        }
        try stack.coordinator.updateMetadata(of: stack.store) { $0.entries["count"] = nil }
        // A save leaves them alone, and they leave the objects alone.
        try object.set("name", .string("B"))
        try context.save()
        var expected = before
        expected.entries["keywords"] = Self.keywords
        #expect(try stack.coordinator.metadata(of: stack.store) == expected)
        guard type != .inMemory else { return }
        let metadata = try StoreMetadata.read(storeAt: stack.path)
        #expect(metadata.entries["keywords"] == Self.keywords && metadata.customKeys == ["keywords"])
        #expect(metadata.versionHashes == before.versionHashes && metadata.uuid == before.uuid)
        let again = PersistentStoreCoordinator(model: stack.model)
        try again.addStore(at: stack.path)
        let reader = ManagedObjectContext(again)
        #expect(try reader.fetch("Department").map { try $0.text("name") } == ["B"])
        #expect(!reader.hasChanges)
    }

    @Test(arguments: [PersistentStoreType.sqlite, .xml])
    func whatIsCoreDatasStays(type: PersistentStoreType) throws {
        let stack = try Stack(type: type)
        let before = try stack.coordinator.metadata(of: stack.store)
        func code(_ change: (inout StoreMetadata) throws -> Void) -> ManagedObjectError.Code? {
            #expect(throws: ManagedObjectError.self) {
                try stack.coordinator.updateMetadata(of: stack.store, change)
            }?.code
        }
        #expect(code { $0.uuid = "X" } == .metadataReserved("NSStoreUUID"))
        #expect(code { $0.versionHashes = [:] } == .metadataReserved("NSStoreModelVersionHashes"))
        #expect(code { $0.entries["_NSAutoVacuumLevel"] = .string("9") } == .metadataReserved("_NSAutoVacuumLevel"))
        struct Refusal: Error {}
        #expect(throws: Refusal.self) {
            try stack.coordinator.updateMetadata(of: stack.store) {
                $0.entries["a"] = .integer(1)
                throw Refusal()
            }
        }
        #expect(try stack.coordinator.metadata(of: stack.store) == before)
        let other = PersistentStoreCoordinator(model: stack.model)
        #expect(throws: ManagedObjectError.self) { try other.metadata(of: stack.store) }
        var options = StoreOptions()
        options.isReadOnly = true
        let store = try other.addStore(at: stack.path, options: options)
        #expect(throws: ManagedObjectError.self) { try other.updateMetadata(of: store) { $0.entries["a"] = nil } }
    }

    /// A file that somebody has replaced meanwhile stays as it is.
    @Test func aFileThatHasChangedIsNotReplaced() throws {
        let stack = try Stack(type: .xml)
        try StoreMetadata.update(storeAt: stack.path) { $0.entries["theirs"] = .integer(1) }
        #expect(throws: StoreError.self) {
            try stack.coordinator.updateMetadata(of: stack.store) { $0.entries["ours"] = .integer(1) }
        }
        #expect(try StoreMetadata.read(storeAt: stack.path).customKeys == ["theirs"])
    }
}
