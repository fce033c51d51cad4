import GeneratedStores
import ManagedObjectModels
import PersistentStores
import StoreConversion
import TestSupport
import Testing

@Suite struct RandomRoundTripTests {
    @Test(arguments: 0..<6)
    func sqliteToXMLToBinaryToSQLiteGivesTheSameObjects(_ seed: Int) throws {
        let directory = try TemporaryDirectory()
        let model = try ResolvedModel(Self.model(seed))
        var content = RandomContent(model: model, seed: UInt64(seed))
        let path = directory.file("a.sqlite")
        var writer = StoreWriter()
        writer.columnSeed = UInt64(seed)
        try writer.write(content.content(upTo: 12), of: model, to: path)
        let wanted = try ObjectListing(of: path, model: model)
        var previous = path
        for (type, name) in [
            (PersistentStoreType.sqlite, "b.sqlite"), (.xml, "c.xml"), (.binary, "d.bin"), (.sqlite, "e.sqlite"),
        ] {
            let report = try convert([previous], to: type, directory.file(name), model)
            #expect(!report.hasWarnings, "\(report.findings)")
            previous = directory.file(name)
            let found = try ObjectListing(of: previous, model: model)
            #expect(found == wanted, "\(name): \(found.difference(from: wanted))")
        }
    }

    /// A random model without types whose values tests invent.
    static func model(_ seed: Int) -> ManagedObjectModel {
        var random = RandomModel(seed: UInt64(seed))
        var model = random.model()
        let invented: [AttributeType] = [.objectID, .undefined]
        for index in model.entities.indices {
            model.entities[index].attributes.removeAll { invented.contains($0.type) }
        }
        return model
    }
}
