import GeneratedStores
import ManagedObjectModels
import PersistentStores
import StoreConversion
import TestSupport
import Testing
import Threading

/// Conversions where the system starts no thread: they are done by the calling one.
@Suite struct ThreadlessTests {
    @Test(arguments: 0..<2)
    func aConversionEndsWhereThereAreNoThreads(seed: Int) throws {
        let directory = try TemporaryDirectory()
        let model = try ResolvedModel(RandomRoundTripTests.model(seed))
        var content = RandomContent(model: model, seed: UInt64(seed))
        let path = directory.file("a.sqlite")
        try StoreWriter().write(content.content(upTo: 12), of: model, to: path)
        try WorkerThread.$isRefused.withValue(true) {
            let copy = directory.file("b.sqlite")
            try convert([path], to: .sqlite, copy, model)
            #expect(try ObjectListing(of: copy, model: model) == ObjectListing(of: path, model: model))
            let xml = directory.file("c.xml")
            try convert([path], to: .xml, xml, model)
            for (place, type) in [PersistentStoreType.sqlite, .binary].enumerated() {
                let back = directory.file("\(place)")
                try convert([xml], to: type, back, model)
                #expect(try ObjectListing(of: back, model: model) == ObjectListing(of: path, model: model))
            }
        }
    }
}
