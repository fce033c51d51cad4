import GeneratedStores
import ManagedObjectModels
import TestSupport
import Testing

/// Models wider than what SQLite puts into one statement: 500 selections, 64 joins, 127 arguments.
@Suite struct WideModelTests {
    private static func model(_ isNew: Bool) -> ManagedObjectModel {
        let rule = AttributeValidation(minimum: .integer(1), maximum: .integer(9))
        func number(_ place: Int) -> AttributeDescription {
            var attribute = attribute("a\(place)", .integer16, optional: false, default: .integer(5))
            attribute.validation = rule
            return attribute
        }
        let hub = entity(
            "Hub", (0..<450).map(number) + (isNew ? [attribute("more")] : []),
            (0..<70).map { relationship("r\($0)", to: "E\($0)", inverse: "hubs") })
        return ManagedObjectModel(
            entities: [hub]
                + (0..<520).map { place in
                    entity(
                        "E\(place)", [attribute("text")],
                        place < 70 ? [relationship("hubs", to: "Hub", inverse: "r\(place)", many: true)] : [])
                })
    }

    @Test(.long) func eachCommandTakesAModelOf520EntitiesAndAnEntityOf520Properties() throws {
        let directory = try TemporaryDirectory()
        let bundle = directory.file("Wide.xcdatamodeld")
        try GeneratedModels.write([("Wide", Self.model(false)), ("Wide 2", Self.model(true))], to: bundle)
        let models = ["--models", bundle]
        let store = directory.file("Wide.sqlite")
        func ferry(_ words: [String], status: Int32 = 0) throws {
            let run = try ToolProcess.ferry(words + models)
            #expect(run.status == status, "\(words.prefix(3)): \(run.summary.prefix(2000))")
        }
        func hubs(_ path: String) throws -> [[String]] {
            try StoreRows.of(
                path,
                "SELECT h.ZA0, h.ZA449, a.ZTEXT, b.ZTEXT FROM ZHUB h LEFT JOIN ZE0 a ON a.Z_PK = h.ZR0 "
                    + "LEFT JOIN ZE69 b ON b.Z_PK = h.ZR69 ORDER BY h.Z_PK")
        }
        try ferry(["fixture", "--version", "Wide", "--rows", "3", "--output", store])
        let wanted = try hubs(store)
        #expect(wanted.count == 3)
        try ferry(["verify", store])
        try ferry(["migrate", store, "--to", "Wide 2", "--output", directory.file("new.sqlite")])
        #expect(try hubs(directory.file("new.sqlite")) == wanted)
        for (source, target) in [("Wide.sqlite", "a.xml"), ("a.xml", "b.binary"), ("b.binary", "c.sqlite")] {
            try ferry(["convert", directory.file(source), "--output", directory.file(target)])
        }
        #expect(try hubs(directory.file("c.sqlite")) == wanted)
        // Keys that are shared by several tables are an error, and no fault of a statement.
        let kept = try ToolProcess.ferry(
            ["convert", store, "--keep-ids", "--output", directory.file("kept.xml")] + models)
        #expect(kept.status == 2 && !kept.errors.contains("SELECT"), "\(kept.summary)")
        try ferry(["export", store, "--all", "--output", directory.file("files")])
        try ferry(["fetch", store, "--entity", "Hub", "--format", "ndjson"])
    }
}
