import GeneratedStores
import ManagedObjectModels
import SQLiteAccess
import TestSupport

/// A store with more objects than any batch, run and cache of the tool, made by the tool itself.
///
/// 66 000 items: more than a batch of 20 000 rows, a run of 65 536 keys, and 6 MiB of index entries.
final class LargeStore: Sendable {
    static let rows = 66_000
    let directory: TemporaryDirectory
    let path: String
    let models: [String]

    /// Made once for all tests, which only read it.
    static let shared = Result { try LargeStore() }

    private static let old = ManagedObjectModel(entities: [
        entity(
            "Item", unique: [["code"]],
            [
                attribute("amount", .integer32), attribute("code", optional: false), attribute("group", .integer16),
                attribute("note"),
            ],
            [
                relationship("owner", to: "Owner", inverse: "items"),
                relationship("tags", to: "Tag", inverse: "items", many: true),
            ]),
        entity(
            "Owner", unique: [["name"]], [attribute("name", optional: false)],
            [relationship("items", to: "Item", inverse: "owner", many: true)]),
        entity("Tag", [attribute("label")], [relationship("items", to: "Item", inverse: "tags", many: true)]),
    ])

    /// With another name, another type, a default value, and for mapping models an entity for what an attribute holds.
    private static let new = ManagedObjectModel(entities: [
        entity(
            "Item", unique: [["code"]],
            [
                attribute("amount", .integer64), attribute("code", optional: false), attribute("group", .integer16),
                attribute("kind", optional: false, default: .string("plain")),
                attribute("remark", renamedFrom: "note"),
            ],
            [
                relationship("owner", to: "Owner", inverse: "items"),
                relationship("place", to: "Place", inverse: "items"),
                relationship("tags", to: "Tag", inverse: "items", many: true),
            ]),
        entity(
            "Owner", unique: [["name"]], [attribute("name", optional: false)],
            [relationship("items", to: "Item", inverse: "owner", many: true)]),
        entity(
            "Place", unique: [["code"]], [attribute("code", optional: false)],
            [relationship("items", to: "Item", inverse: "place", many: true)]),
        entity("Tag", [attribute("label")], [relationship("items", to: "Item", inverse: "tags", many: true)]),
    ])

    private init() throws {
        directory = try TemporaryDirectory()
        path = directory.file("Large.sqlite")
        let bundle = directory.file("Large.xcdatamodeld")
        try GeneratedModels.write([("Large", Self.old), ("Large 2", Self.new)], to: bundle)
        models = ["--models", bundle, "--progress", "none"]
        let made = try ToolProcess.ferry(
            ["fixture", "--version", "Large", "--rows", "\(Self.rows)", "--output", path] + models)
        guard made.status == 0 else { throw Unmade(summary: made.summary) }
    }

    struct Unmade: Error {
        let summary: String
    }

    /// How many rows of two queries, one of this store and one of another, are not in both.
    func differences(_ query: String, from path: String, _ other: String) throws -> Int64 {
        let connection = try Connection(path: self.path, access: .readOnly)
        try connection.attach(path: path, as: "other", access: .readOnly)
        let (mine, others) = ("SELECT * FROM (\(query))", "SELECT * FROM (\(other))")
        return try connection.value(
            "SELECT (SELECT count(*) FROM (\(mine) EXCEPT \(others))) + (SELECT count(*) FROM (\(others) EXCEPT \(mine))) "
                + "+ abs((SELECT count(*) FROM (\(mine))) - (SELECT count(*) FROM (\(others))))"
        ).integer ?? -1
    }
}
