import GeneratedStores
import ManagedObjectModels
import ManagedObjects
import PersistentStores
import SQLiteAccess
import StoreMigration
import TestSupport
import Testing

/// Contexts within transactions of others: what they save lasts or goes with these.
@Suite struct BorrowedStoreTests {
    /// A department A with an employee.
    private func stack() throws -> Stack {
        let stack = try Stack()
        try HistoryFixture.add(to: stack)
        let context = stack.context()
        try context.make("Employee", ["lastName": .string("a")]).set(
            "department", to: context.make("Department", ["name": .string("A")]))
        try context.save()
        return stack
    }

    @Test(arguments: [true, false]) func savesArePartsOfTheTransaction(isKept: Bool) throws {
        let stack = try stack()
        let before = try stack.content()
        let opened = try SQLiteStore(path: stack.path, access: .readWrite)
        try opened.connection.execute("BEGIN IMMEDIATE")
        do {
            let context = try ManagedObjectContext(within: opened, model: stack.model)
            let department = try context.fetch("Department")[0]
            try department.set("name", .string("B"))
            let new = try context.make("Employee", ["photo": .binary([UInt8](repeating: 7, count: 200_000))])
            try new.set("department", to: department)
            try context.obtainPermanentIDs(for: [new])
            try context.save()
            #expect(try stack.content() == before)
            #expect(try context.fetch("Employee", where: "department.name = 'B'").count == 2)
            try context.delete(context.fetch("Employee", where: "lastName = 'a'")[0])
            try context.save()
            // What is not valid is taken back by itself.
            try new.set("salary", .integer(5000))
            #expect(throws: ObjectValidationError.self) { try context.save() }
            context.rollback()
            #expect(try new.value(forKey: "photo") == .attribute(.binary([UInt8](repeating: 7, count: 200_000))))
        }
        try opened.connection.execute(isKept ? "COMMIT" : "ROLLBACK")
        if isKept {
            #expect(try stack.rows("SELECT ZNAME, Z_OPT FROM ZDEPARTMENT") == ["'B'|2"])
            #expect(try stack.rows("SELECT Z_PK, ZDEPARTMENT FROM ZPERSON") == ["2|1"])
            #expect(
                try stack.rows("SELECT ZTRANSACTIONID, ZCHANGETYPE FROM ACHANGE ORDER BY Z_PK").suffix(3)
                    == ["2|1", "2|0", "3|2"])
        } else {
            #expect(try stack.content() == before)
        }
        #expect(!FileSystem.isDirectory(StoreFiles(stack.path).externalDataDirectory))
        #expect(try stack.faults() == [])
    }

    @Test func aStoreOfAnotherModelIsRefused() throws {
        let stack = try stack()
        let opened = try SQLiteStore(path: stack.path, access: .readWrite)
        let model = try ResolvedModel(ManagedObjectModel(entities: [entity("Planet", [attribute("name")])]))
        #expect(throws: ManagedObjectError.self) { try ManagedObjectContext(within: opened, model: model) }
    }

    // MARK: - Stages

    /// A note of each version: before the step its text changes, behind it the new attribute gets a value.
    @Test(arguments: [false, true]) func stagesWorkOnObjects(fails: Bool) throws {
        struct Refusal: Error {}
        let models = [[attribute("text")], [attribute("text"), attribute("kind")]].map {
            ManagedObjectModel(entities: [entity("Note", $0)])
        }
        let store = try TestDirectoryHolder(models[0])
        try Self.makeNotes(store.coordinator)
        let bundle = store.directory.file("App.xcdatamodeld")
        try GeneratedModels.write([("old", models[0]), ("new", models[1])], to: bundle)
        let catalog = try VersionCatalog(paths: [bundle])
        let old = try catalog.versionedModel(catalog.version(named: "old"))
        let new = try catalog.versionedModel(catalog.version(named: "new"))
        let stages = StagedMigration([
            .custom(
                from: "old", to: "new", label: "kinds",
                willMigrate: { [model = old.model] opened in
                    let context = try ManagedObjectContext(within: opened, model: model)
                    for note in try context.fetch("Note", where: "text = 'b'") { try context.delete(note) }
                    try context.make("Note", ["text": .string("c")])
                    try context.save()
                },
                didMigrate: { [model = new.model] opened in
                    let context = try ManagedObjectContext(within: opened, model: model)
                    for note in try context.fetch("Note") {
                        try note.set("kind", .string((try note.text("text") ?? "").uppercased()))
                    }
                    try context.save()
                    if fails { throw Refusal() }
                })
        ])
        let plan = try ChainPlanner(
            store: SQLiteStore(path: store.path), chain: stages.chain(from: old, to: new, in: catalog),
            options: .init(placement: .replace(backup: nil))
        ).plan()
        let before = try FolderState(of: store.directory.path)
        let fingerprint = StoreFingerprint(of: StoreFiles(followingLinks: store.path), isSettled: true)
        if fails {
            #expect(throws: Refusal.self) { try MigrationManager().execute(plan, unchangedSince: fingerprint) }
            #expect(try FolderState(of: store.directory.path).byteDifferences(from: before) == [])
        } else {
            _ = try MigrationManager().execute(plan, unchangedSince: fingerprint)
            #expect(try store.rows("SELECT Z_PK, ZTEXT, ZKIND FROM ZNOTE ORDER BY 1") == ["1|'a'|'A'", "3|'c'|'C'"])
        }
    }

    private static func makeNotes(_ coordinator: PersistentStoreCoordinator) throws {
        let context = ManagedObjectContext(coordinator)
        for text in ["a", "b"] { try context.make("Note", ["text": .string(text)]) }
        try context.save()
    }
}
