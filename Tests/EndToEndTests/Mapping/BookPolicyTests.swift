import Foundation
import ManagedObjectModels
import MappingModels
import PersistentStores
import StoreMigration
import TestSupport
import Testing

/// The example of a book on migrations: its mapping models, with its policies written again (PAIRS.md).
///
/// One author for each name that books have; then one file for each book and user.
final class BookPolicy: EntityMigrationPolicy {
    override func createDestinationInstances(for source: SourceObject, in context: MigrationContext) throws {
        let book = try context.createDestinationInstance(for: source)
        guard context.mapping.userInfo["modelVersion"] == "2", let name = try source.string("authorName") else {
            return
        }
        try book.add("authors", context.findOrInsert("Author", where: ["name": .string(name)]).object)
    }

    override func createRelationships(
        for book: DestinationObject, of source: SourceObject, in context: MigrationContext
    ) throws {
        try super.createRelationships(for: book, of: source, in: context)
        if context.mapping.userInfo["modelVersion"] == "2" {
            let users = try context.destinationObjects(for: source.related("user"), mappingName: "UserToUser")
            return try book.add("users", users.flatMap(\.self))
        }
        for user in try source.related("users") {
            let file = try context.insert("File")
            try file.set("fileURL", to: source.value("fileURL"))
            try file.relate("book", to: book)
            try file.relate("user", to: context.destinationObjects(for: [user])[0])
        }
    }
}

@Suite(.enabled(if: Corpus.isPresent, "there is no corpus")) struct BookPolicyTests {
    private let directory: TemporaryDirectory
    private let folder = (Corpus.path ?? "") + "/2_mappings/objcio__issue-4-core-data-migration/BookMigration/"
    private let models =
        (Corpus.path ?? "")
        + "/1_models/objcio__issue-4-core-data-migration/BookMigration/Model.xcdatamodeld"

    init() throws { directory = try TemporaryDirectory() }

    private func migrate(_ path: String, to version: String, _ mappings: [String]) throws -> String {
        let output = directory.file("\(version).sqlite")
        let fingerprint = StoreFingerprint(of: StoreFiles(followingLinks: path), isSettled: true)
        let store = try SQLiteStore(path: path)
        let catalog = try VersionCatalog(paths: [models])
        let source = try catalog.sourceVersion(of: store, named: nil, configuration: nil, towards: version)
        let destination = try catalog.destinationVersion(named: version, for: source)
        let documents = try mappings.map { try MappingModelFile.read(path: folder + $0) }
        let mapping = try MappingChoice.mapping(among: documents, from: source, to: destination, in: catalog)
        var policies = PolicyRegistry()
        policies.register(BookPolicy.self, as: "MHWBookToBookPolicy")
        policies.register(BookPolicy.self, as: "MHWUserToUserPolicy")
        let plan = try MigrationPlanner(
            store: store, from: source, to: destination,
            options: .init(placement: .output(output), mapping: mapping, policies: policies)
        ).plan()
        _ = try MigrationManager().execute(plan, unchangedSince: fingerprint)
        try StoreRows.expectSound(output, "\(models)/\(version).xcdatamodel")
        return output
    }

    @Test(.long, arguments: ["", "HISTORY_173c50fb5b/"])
    func authorsAndFilesBecomeObjects(history: String) throws {
        let old =
            (Corpus.path ?? "") + "/3_stores/objcio__issue-4-core-data-migration/\(history)BookMigration/Model1.sqlite"
        let second = try migrate(old, to: "Model2", ["Model1_to_Model2.xcmappingmodel"])
        #expect(
            try StoreRows.of(second, "SELECT ZNAME FROM ZAUTHOR ORDER BY 1")
                == StoreRows.of(old, "SELECT DISTINCT ZAUTHORNAME FROM ZBOOK WHERE ZAUTHORNAME NOT NULL ORDER BY 1"))
        let books = try StoreRows.of(old, "SELECT ZTITLE, ZAUTHORNAME, ZUSER FROM ZBOOK ORDER BY 1")
        /// The join table that has a column of that name, and its two columns.
        func joined(_ store: String, _ name: String) throws -> (table: String, books: String, others: String) {
            let columns = try StoreRows.of(
                store,
                "SELECT m.name, c.name FROM sqlite_master m, pragma_table_info(m.name) c WHERE m.name GLOB 'Z_[0-9]*'")
            let other = try #require(columns.first { $0[1].hasSuffix(name) })
            let books = try #require(columns.first { $0[0] == other[0] && $0[1].contains("BOOKS") })
            return (other[0], books[1], other[1])
        }
        let (authors, users) = (try joined(second, "AUTHORS"), try joined(second, "USERS"))
        #expect(
            try StoreRows.of(
                second,
                "SELECT b.ZTITLE, a.ZNAME, u.\(users.others) FROM ZBOOK b "
                    + "JOIN \(authors.table) j ON j.\(authors.books) = b.Z_PK "
                    + "JOIN ZAUTHOR a ON a.Z_PK = j.\(authors.others) "
                    + "LEFT JOIN \(users.table) u ON u.\(users.books) = b.Z_PK ORDER BY 1") == books)
        // Two mapping models for one pair are passes.
        let third = try migrate(
            second, to: "Model3", ["Model2_to_Model3.xcmappingmodel", "Model2_to_Model3_User.xcmappingmodel"])
        #expect(
            try StoreRows.of(
                third,
                "SELECT b.ZTITLE, hex(f.ZFILEURL), f.ZUSER FROM ZFILE f JOIN ZBOOK b ON b.Z_PK = f.ZBOOK ORDER BY 1")
                == StoreRows.of(old, "SELECT ZTITLE, hex(ZFILEURL), ZUSER FROM ZBOOK WHERE ZUSER NOT NULL ORDER BY 1"))
        #expect(
            try StoreRows.of(third, "SELECT count(*) FROM ZUSER") == StoreRows.of(old, "SELECT count(*) FROM ZUSER"))
    }
}
