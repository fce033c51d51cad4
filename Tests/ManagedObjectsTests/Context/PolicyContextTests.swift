import GeneratedStores
import ManagedObjectModels
import ManagedObjects
import PersistentStores
import StoreMigration
import TestSupport
import Testing

/// Policies in Swift that have the old objects as live ones.
@Suite struct PolicyContextTests {
    /// Says of each note how many others have its text, and which note it follows.
    final class CountingPolicy: EntityMigrationPolicy {
        private var notes: ManagedObjectContext?

        override func begin(_ context: MigrationContext) throws {
            let coordinator = PersistentStoreCoordinator(model: context.sourceModel)
            var options = StoreOptions()
            options.isReadOnly = true
            try coordinator.addStore(at: context.sourceStorePath, options: options)
            notes = ManagedObjectContext(coordinator)
        }

        override func createDestinationInstances(for source: SourceObject, in context: MigrationContext) throws {
            let note = try context.createDestinationInstance(for: source)
            guard let old = try notes?.existingObject(with: source.objectID) else { return }
            let text = try old.text("text") ?? ""
            let equal = try notes?.fetch("Note", where: "text == '\(text)'").count ?? 0
            let before = try old.one("before")?.text("text") ?? "none"
            try note.set("remark", to: .string("\(text) \(equal), after \(before)"))
        }

        override func end(_ context: MigrationContext) { notes = nil }
    }

    private static func model(_ attributes: [String]) -> ManagedObjectModel {
        let links = [
            relationship("before", to: "Note", inverse: "after"),
            relationship("after", to: "Note", inverse: "before", many: true),
        ]
        return ManagedObjectModel(entities: [entity("Note", attributes.map { attribute($0) }, links)])
    }

    private static func makeNotes(_ coordinator: PersistentStoreCoordinator) throws {
        let context = ManagedObjectContext(coordinator)
        var last: ManagedObject?
        for text in ["a", "b", "a"] {
            let note = try context.make("Note", ["text": .string(text)])
            if let last { try note.set("before", to: last) }
            last = note
        }
        try context.save()
    }

    /// With a step before it, the policy reads what that has made of the store.
    @Test(arguments: [("1", false), ("2", false), ("2", true)])
    func aPolicyReadsTheOldObjects(version: String, isInPlace: Bool) throws {
        let versions = [
            ("1", Self.model(["text"])), ("2", Self.model(["extra", "text"])),
            ("3", Self.model(["extra", "remark", "text"])),
        ]
        let holder = try TestDirectoryHolder(version == "1" ? versions[0].1 : versions[1].1)
        try Self.makeNotes(holder.coordinator)
        let bundle = holder.directory.file("App.xcdatamodeld")
        try GeneratedModels.write(versions, to: bundle)
        try holder.directory.write(
            """
            mapping: 1
            entities:
              - {source: Note, destination: Note, policy: App.CountingPolicy}
            """, to: "counting.yaml")
        try holder.directory.write(
            """
            stages: 1
            migration:
              - lightweight: ["1", "2"]
              - {from: "2", to: "3", mapping: counting.yaml}
            """, to: "stages.yaml")
        var paths = MigrationModels.Paths(models: [bundle])
        paths.stages = holder.directory.file("stages.yaml")
        var options = StoreMigrator.Options()
        options.destination = "3"
        options.planning.policies.register(CountingPolicy.self, as: "App.CountingPolicy")
        let placement: MigrationPlacement = isInPlace ? .inPlace(backup: nil) : .replace(backup: nil)
        _ = try StoreMigrator(MigrationModels(paths), options: options).plan(holder.path, placement).execute()
        #expect(
            try holder.rows("SELECT ZREMARK FROM ZNOTE ORDER BY Z_PK")
                == ["'a 2, after none'", "'b 1, after a'", "'a 2, after b'"])
    }
}
