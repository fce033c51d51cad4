import DocumentReading
import GeneratedStores
import ManagedObjectModels
import ManagedObjects
import PersistentStores
import SQLiteAccess
import StoreConversion
import StoreFetching
import TestSupport
import Testing

/// Several stores under one coordinator, of any type.
@Suite struct CoordinatorTests {
    private struct Halves {
        let directory: TemporaryDirectory
        let coordinator: PersistentStoreCoordinator
        let staff: PersistentStore
        let work: PersistentStore

        init(timeout: Int32 = StoreOptions().timeout) throws {
            directory = try TemporaryDirectory()
            coordinator = PersistentStoreCoordinator(model: try ResolvedModel(Staff().model))
            var options = StoreOptions()
            options.timeout = timeout
            staff = try coordinator.addStore(at: directory.file("Staff.sqlite"), configuration: "Staff")
            work = try coordinator.addStore(
                at: directory.file("Work.sqlite"), configuration: "Work", options: options)
        }
    }

    @Test func objectsGoToTheStoreOfTheirConfiguration() throws {
        let halves = try Halves()
        let context = ManagedObjectContext(halves.coordinator)
        let department = try context.make("Department", ["name": .string("X")])
        let project = try context.make("Project", ["title": .string("X")])
        try context.save()
        #expect(department.objectID.storeUUID == halves.staff.uuid && project.objectID.storeUUID == halves.work.uuid)
        #expect(halves.coordinator.persistentStore(at: halves.staff.path) === halves.staff)
        // A fetched property crosses stores, with the values of its owner.
        #expect(try department.value(forKey: "namesakes") == .objects([project]))
        let other = ManagedObjectContext(halves.coordinator)
        #expect(try other.fetch("Project").map(\.objectID) == [project.objectID])
        #expect(throws: ManagedObjectError.self) { try context.assign(context.make("Project"), to: halves.staff) }
    }

    @Test func relationshipsDoNotCross() throws {
        let halves = try Halves()
        let context = ManagedObjectContext(halves.coordinator)
        let employee = try context.make("Employee")
        try employee.add(context.make("Project"), to: "projects")
        let error = #expect(throws: ManagedObjectError.self) { try context.save() }
        #expect(error?.number == 133010)
        try employee.setValue(.objects([]), forKey: "projects")
        try context.save()
    }

    /// Each store is a transaction of its own, as in Core Data; what one of them has not taken stays changed.
    @Test func aStoreThatCannotCommitLeavesItsObjectsChanged() throws {
        let halves = try Halves(timeout: 20)
        // A reader of a store with a rollback journal keeps others from committing.
        try SQLiteSession(on: halves.work.path, running: "PRAGMA journal_mode = DELETE;").close()
        let context = ManagedObjectContext(halves.coordinator)
        let department = try context.make("Department", ["name": .string("A")])
        let projects = try ["P", "Q", "R"].map { try context.make("Project", ["title": .string($0)]) }
        try context.save()
        let session = try SQLiteSession(on: halves.work.path, running: "BEGIN; SELECT count(*) FROM ZPROJECT;")
        try department.set("name", .string("B"))
        let made = try (context.make("Department", ["name": .string("C")]), context.make("Project"))
        try projects[0].set("title", .string("X"))
        try context.delete(projects[1])
        let before = try StoreDump(of: halves.work.path)
        let error = #expect(throws: IncompleteSaveError.self) { try context.save() }
        #expect(IncompleteSaveError.number == 134040)
        #expect(error?.savedStores == [halves.staff.path] && error?.failedStores == [halves.work.path])
        #expect(try StoreDump(of: halves.work.path) == before)
        #expect(!department.hasChanges && !made.0.hasChanges && !made.0.objectID.isTemporary)
        #expect(context.insertedObjects == [made.1] && made.1.objectID.isTemporary)
        #expect(context.updatedObjects == [projects[0]] && context.deletedObjects == [projects[1]])
        session.close()
        try context.save()
        #expect(!context.hasChanges)
        let other = ManagedObjectContext(halves.coordinator)
        #expect(try other.fetch("Department").map { try $0.text("name") } == ["B", "C"])
        #expect(try other.fetch("Project").map { try $0.text("title") } == ["X", "R", nil])
    }

    @Test(arguments: [nil, "xml", "binary"]) func anEntityMayBeInSeveralStores(type: String?) throws {
        let stack = try Stack()
        let second = try stack.coordinator.addStore(
            at: stack.directory.file("Second." + (type ?? "sqlite")),
            type: type.flatMap { PersistentStoreRegistry.standard.type(named: $0) })
        let context = stack.context()
        for name in ["A", "C", "E"] { try context.make("Department", ["name": .string(name)]) }
        var assigned: [ManagedObject] = []
        for name in ["B", "D"] {
            let object = try context.make("Department", ["name": .string(name)])
            try context.assign(object, to: second)
            assigned.append(object)
        }
        try context.save()
        #expect(throws: ManagedObjectError.self) { try context.assign(assigned[0], to: stack.store) }
        var request = FetchRequest(entityName: "Department")
        request.sortDescriptors = [.init(keyPath: "name", isAscending: true)]
        let other = stack.context()
        func names(_ options: ObjectFetchOptions = ObjectFetchOptions()) throws -> [String] {
            try other.fetch(request, options: options).map { try $0.text("name") ?? "" }
        }
        #expect(try names() == ["A", "B", "C", "D", "E"])
        var options = ObjectFetchOptions()
        options.affectedStores = [second]
        #expect(try names(options) == ["B", "D"])
        #expect(try other.count(request) == 5)
        request.fetchOffset = 1
        request.fetchLimit = 3
        #expect(try names() == ["B", "C", "D"])
        #expect(try other.count(request) == 3)
        let found = try other.existingObject(with: assigned[0].objectID)
        #expect(try found.text("name") == "B")
        let uri = found.objectID.uri
        #expect(try other.fetch("Department", where: "SELF == \"\(uri)\"") == [found])
        // Another program reads the file.
        let fresh = PersistentStoreCoordinator(model: stack.model)
        try fresh.addStore(at: second.path)
        #expect(try ManagedObjectContext(fresh).count(FetchRequest(entityName: "Department")) == 2)
        try stack.coordinator.remove(second)
        #expect(throws: ManagedObjectError.self) { try stack.coordinator.remove(second) }
        #expect(try stack.context().count(FetchRequest(entityName: "Department")) == 3)
    }

    /// The same work on every type of store, save by save; the file is read anew by other code after each.
    @Test(arguments: ["SQLite", "XML", "Binary", "InMemory"]) func everyTypeOfStore(name: String) throws {
        let type = PersistentStoreType(name)
        let stack = try Stack(Staff(isOrdered: true), type: type)
        let context = stack.context()
        let department = try context.make("Department", ["name": .string("A")])
        let employees = try ["X", "Y"].map { try context.make("Employee", ["lastName": .string($0)]) }
        try department.setValue(.objects([employees[1], employees[0]]), forKey: "employees")
        try context.save()
        let ids = employees.map(\.objectID)
        let project = try context.make("Project", ["title": .string("P")])
        try project.setValue(.objects(employees), forKey: "members")
        try context.save()
        try department.set("name", .string("B"))
        try context.delete(employees[0])
        try context.save()
        let coordinator: PersistentStoreCoordinator
        if type == .inMemory {
            coordinator = stack.coordinator
        } else {
            coordinator = PersistentStoreCoordinator(model: stack.model)
            #expect(try coordinator.addStore(at: stack.path).type == type)
        }
        let other = ManagedObjectContext(coordinator)
        #expect(try other.fetch("Department").map { try $0.text("name") } == ["B"])
        // The objects still have the IDs that they were saved with.
        let left = try other.existingObject(with: ids[1])
        #expect(try left.text("lastName") == "Y" && left.one("department")?.text("name") == "B")
        #expect(try left.many("projects").map(\.objectID) == [project.objectID])
        #expect(throws: ManagedObjectError.self) { try other.existingObject(with: ids[0]) }
    }

    /// Somebody else has written the file since: nothing of theirs is lost.
    @Test func aFileThatHasChangedIsNotReplaced() throws {
        let stack = try Stack(type: .xml)
        let other = PersistentStoreCoordinator(model: stack.model)
        try other.addStore(at: stack.path)
        let theirs = ManagedObjectContext(other)
        try theirs.make("Department", ["name": .string("theirs")])
        try theirs.save()
        let bytes = try FileSystem.contents(of: stack.path, upTo: 1 << 20)
        let context = stack.context()
        try context.make("Department", ["name": .string("ours")])
        #expect(throws: (any Error).self) { try context.save() }
        #expect(try FileSystem.contents(of: stack.path, upTo: 1 << 20) == bytes)
    }

    @Test(arguments: ["XML", "Binary", "SQLite"]) func aStoreCanBecomeOneOfAnotherType(name: String) throws {
        let stack = try Stack()
        let context = stack.context()
        let department = try context.make("Department", ["name": .string("A")])
        let employee = try context.make("Employee", ["lastName": .string("X")])
        try employee.set("department", to: department)
        try context.save()
        let (old, oldEmployee) = (department.objectID, employee.objectID)
        let path = stack.directory.file("Other.store")
        let (store, ids) = try stack.coordinator.migrate(stack.store, to: path, type: PersistentStoreType(name))
        #expect(stack.coordinator.persistentStores.map(\.path) == [path] && store.type.name == name)
        let other = stack.context()
        // Two tables have the key 1, and a store that is one file has one numbering.
        #expect(ids.isEmpty == (name == "SQLite"))
        let moved = try other.existingObject(with: ids[old] ?? old)
        #expect(try moved.text("name") == "A")
        #expect(try moved.many("employees").map(\.objectID) == [ids[oldEmployee] ?? oldEmployee])
        #expect(FileSystem.exists(stack.path))
        #expect(throws: ManagedObjectError.self) {
            try stack.coordinator.migrate(stack.store, to: stack.directory.file("Third"), type: .xml)
        }
        #expect(throws: (any Error).self) { try stack.coordinator.migrate(store, to: stack.path, type: .xml) }
        #expect(stack.coordinator.persistentStores.map(\.path) == [path])
    }

    /// What the reader would pass over is an error with the place, where that is asked for.
    @Test func anXMLStoreIsHeldAgainstItsDocumentType() throws {
        let stack = try Stack(type: .xml)
        let context = stack.context()
        try context.make("Note", ["text": .string("a")])
        try context.save()
        var options = StoreOptions()
        options.validatesXML = true
        try PersistentStoreCoordinator(model: stack.model).addStore(at: stack.path, options: options)
        let text = String(decoding: try FileBytes.beginning(of: stack.path, count: 1 << 20), as: UTF8.self)
        let output = stack.directory.file("Other.xml")
        try NewFile(output).write(Array(text.replacing("<object ", with: "<object note=\"1\" ").utf8))
        try PersistentStoreCoordinator(model: stack.model).addStore(at: output)
        let error = #expect(throws: DocumentError.self) {
            try PersistentStoreCoordinator(model: stack.model).addStore(at: output, options: options)
        }
        #expect(error?.sentence.contains("\"object\" has no attribute \"note\"") ?? false)
        #expect((error?.location.line ?? 0) > 1 && "\(error as Any)".contains("Other.xml"))
    }

    @Test func whatDoesNotFitIsRefused() throws {
        let stack = try Stack()
        #expect(throws: ManagedObjectError.self) { try stack.coordinator.addStore(at: stack.path) }
        let other = PersistentStoreCoordinator(model: try ResolvedModel(Staff(needsDepartment: true).model))
        let error = #expect(throws: ManagedObjectError.self) { try other.addStore(at: stack.path) }
        #expect(error?.number == 134100)
        #expect(throws: ManagedObjectError.self) {
            try other.addStore(at: stack.directory.file("New"), configuration: "Nothing")
        }
        #expect(!FileSystem.exists(stack.directory.file("New")))
        #expect(throws: ManagedObjectError.self) { try ManagedObjectContext(other).fetch("Department") }
        let context = ManagedObjectContext(other)
        try context.insert("Department")
        #expect(throws: ManagedObjectError.self) { try context.save() }
    }

    // MARK: - Settings of SQLite

    @Test func aNewStoreHasTheSettingsThatItIsMadeWith() throws {
        let directory = try TemporaryDirectory()
        let coordinator = PersistentStoreCoordinator(model: try ResolvedModel(Staff().model))
        var options = StoreOptions()
        options.pragmas = try StorePragmas([
            ("page_size", "8192"), ("journal_mode", "delete"), ("synchronous", "extra"),
        ])
        let path = directory.file("Staff.sqlite")
        let store = try coordinator.addStore(at: path, options: options)
        let context = ManagedObjectContext(coordinator)
        try context.make("Note", ["text": .string("a")])
        try context.save()
        let connection = try Connection(path: path, access: .readOnly)
        #expect(try connection.value("PRAGMA page_size").integer == 8192)
        #expect(try connection.value("PRAGMA journal_mode").string == "delete")
        try connection.close()
        // Of a store that is there, the journal mode can be changed.
        try coordinator.remove(store)
        options.pragmas = try StorePragmas([("journal_mode", "wal")])
        try coordinator.addStore(at: path, options: options)
        let later = try Connection(path: path, access: .readWrite)
        #expect(try later.value("PRAGMA journal_mode").string == "wal")
        #expect(try ManagedObjectContext(coordinator).count(.init(entityName: "Note")) == 1)
    }

    @Test(arguments: [
        ("page_size", "8192"), ("auto_vacuum", "full"), ("synchronous", "off"), ("synchronous", "normal"),
    ])
    func whatAStoreThatIsThereCannotHaveIsRefused(name: String, value: String) throws {
        let stack = try Stack()
        let before = try stack.content()
        let coordinator = PersistentStoreCoordinator(model: stack.model)
        var options = StoreOptions()
        options.pragmas = try StorePragmas([(name, value)])
        #expect(throws: StorePragmaError.self) { try coordinator.addStore(at: stack.path, options: options) }
        #expect(coordinator.persistentStores.isEmpty)
        #expect(try stack.content() == before)
    }

    @Test func onlySQLiteStoresThatAreWrittenHaveSettings() throws {
        let stack = try Stack()
        let coordinator = PersistentStoreCoordinator(model: stack.model)
        var options = StoreOptions()
        options.pragmas = try StorePragmas([("synchronous", "full")])
        for (name, type) in [("a.xml", PersistentStoreType.xml), ("b", .binary), ("c", .inMemory)] {
            let path = stack.directory.file(name)
            #expect(throws: ManagedObjectError.self) {
                try coordinator.addStore(at: path, type: type, options: options)
            }
            #expect(!FileSystem.isThere(path))
        }
        options.isReadOnly = true
        #expect(throws: ManagedObjectError.self) { try coordinator.addStore(at: stack.path, options: options) }
    }

    /// Another process' connection holds the journal mode up.
    @Test func aJournalModeThatCannotChangeIsAnError() throws {
        let stack = try Stack()
        let other = try Connection(path: stack.path, access: .readWrite)
        try other.execute("BEGIN; SELECT count(*) FROM Z_METADATA")
        let coordinator = PersistentStoreCoordinator(model: stack.model)
        var options = StoreOptions()
        options.timeout = 0
        options.pragmas = try StorePragmas([("journal_mode", "delete")])
        let error = #expect(throws: ManagedObjectError.self) {
            try coordinator.addStore(at: stack.path, options: options)
        }
        #expect(error.map { "\($0)".contains("journal mode") } == true, "\(String(describing: error))")
        try other.execute("COMMIT")
        try other.close()
        try coordinator.addStore(at: stack.path, options: options)
    }
}
