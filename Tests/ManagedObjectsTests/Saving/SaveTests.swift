import Foundation
import KeyedArchives
import ManagedObjectModels
import ManagedObjects
import PersistentStores
import SQLiteAccess
import TestSupport
import Testing

/// What a save writes, held against what plain SQL reads, and two checkers of stores.
@Suite struct SaveTests {
    @Test func nothingIsWrittenBeforeTheSave() throws {
        let stack = try Stack()
        let before = try stack.content()
        let context = stack.context()
        try context.make("Department", ["name": .string("A")])
        #expect(try stack.content() == before)
        try context.save()
        #expect(try stack.content() != before)
    }

    @Test func everyTypeOfValueComesBack() throws {
        let stack = try Stack()
        let context = stack.context()
        let values: [String: AttributeValue] = [
            "firstName": .string("Zoë 🎨"), "lastName": .string("O'Brien"), "salary": .integer(7),
            "isActive": .boolean(false), "photo": .binary([1, 2, 3]), "hired": .date(123.5), "rate": .decimal("12.75"),
            "home": .uri("https://example.com/a"), "tag": .uuid(Array(0..<16)), "weight": .real(61.25),
        ]
        let object = try context.make("Employee", values)
        let key = TransformableKey<PropertyListValue>("settings")
        let settings = PropertyListValue.array([.string("a"), .integer(2), .data([1])])
        try object.setValue(settings, of: key)
        try context.save()
        for (name, value) in values { #expect(try object.value(forKey: name) == .attribute(value), "\(name)") }
        let other = stack.context()
        let read = try other.existingObject(with: object.objectID)
        for (name, value) in values { #expect(try read.value(forKey: name) == .attribute(value), "\(name)") }
        #expect(try read.value(of: key) == settings)
        #expect(try read.value(of: AttributeKey<Date>("hired")) == Date(timeIntervalSinceReferenceDate: 123.5))
        #expect(try read.value(of: AttributeKey<UUID>("tag"))?.uuidString == "00010203-0405-0607-0809-0A0B0C0D0E0F")
        #expect(try read.value(of: AttributeKey<Decimal>("rate")) == Decimal(string: "12.75"))
        #expect(try read.value(of: AttributeKey<URL>("home"))?.host == "example.com")
        #expect(try stack.faults() == [])
    }

    @Test func rowsCountTheirVersionsAndTablesTheirKeys() throws {
        let stack = try Stack()
        let context = stack.context()
        let object = try context.make("Manager", ["lastName": .string("A"), "bonus": .integer(5)])
        try context.save()
        #expect(
            try stack.rows("SELECT Z_PK, Z_ENT, Z_OPT, ZLASTNAME, ZBONUS, ZISACTIVE FROM ZPERSON") == ["1|6|1|'A'|5|1"])
        try object.set("bonus", .integer(6))
        try context.save()
        #expect(try stack.rows("SELECT Z_OPT, ZBONUS FROM ZPERSON") == ["2|6"])
        #expect(try stack.rows("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'Person'") == ["1"])
        try context.delete(object)
        try context.save()
        #expect(try stack.rows("SELECT count(*) FROM ZPERSON") == ["0"])
        try context.make("Employee")
        try context.save()
        // A key is never given twice.
        #expect(try stack.rows("SELECT Z_PK FROM ZPERSON") == ["2"])
        #expect(try stack.faults() == [])
    }

    @Test func settingAnEqualValueChangesNothing() throws {
        let stack = try Stack()
        let context = stack.context()
        let object = try context.make("Department", ["name": .string("A")])
        try context.save()
        let before = try stack.content()
        try object.set("name", .string("A"))
        #expect(!context.hasChanges)
        try object.set("name", .string("B"))
        #expect(object.changedKeys == ["name"])
        #expect(try object.committedValue(forKey: "name") == .string("A"))
        try object.set("name", .string("A"))
        #expect(object.changedKeys == [])
        try context.save()
        #expect(try stack.content() == before)
    }

    @Test func whatWasMadeAndDeletedLeavesNoTrace() throws {
        let stack = try Stack()
        let before = try stack.content()
        let context = stack.context()
        let department = try context.make("Department")
        let employee = try context.make("Employee")
        try employee.set("department", to: department)
        try context.delete(employee)
        try context.delete(department)
        #expect(context.deletedObjects.isEmpty && context.insertedObjects.isEmpty && !context.hasChanges)
        try context.save()
        #expect(try stack.content() == before)
        #expect(context.registeredObjects.isEmpty)
    }

    @Test func aRollbackTakesEverythingBack() throws {
        let stack = try Stack()
        let context = stack.context()
        let kept = try context.make("Department", ["name": .string("A")])
        let lost = try context.make("Department", ["name": .string("B")])
        let employee = try context.make("Employee")
        try employee.set("department", to: kept)
        try context.save()
        let before = try stack.content()

        try kept.set("name", .string("C"))
        try employee.set("department", to: lost)
        try context.delete(lost)
        let new = try context.make("Department")
        try context.processPendingChanges()
        context.rollback()
        #expect(!context.hasChanges && !lost.isDeleted)
        #expect(try kept.text("name") == "A")
        #expect(try employee.one("department") === kept)
        #expect(try kept.many("employees") == [employee])
        #expect(try lost.many("employees") == [])
        #expect(throws: ManagedObjectError.self) { try new.text("name") }
        try context.save()
        #expect(try stack.content() == before)
    }

    @Test func aSaveThatFailsLeavesStoreAndObjectsAsTheyWere() throws {
        let stack = try Stack(Staff(isNameUnique: true))
        let context = stack.context()
        let first = try context.make("Department", ["name": .string("A")])
        try context.save()
        let before = try stack.content()
        let second = try context.make("Department", ["name": .string("A")])
        try first.set("code", .integer(3))
        let error = #expect(throws: ConstraintConflictError.self) { try context.save() }
        #expect(error?.conflictList.map(\.conflictingObjects) == [[second.objectID]])
        #expect(try stack.content() == before)
        #expect(second.isInserted && first.isUpdated && second.objectID.isTemporary)
        try second.set("name", .string("B"))
        try context.save()
        #expect(try stack.rows("SELECT ZNAME, ZCODE FROM ZDEPARTMENT ORDER BY 1") == ["'A'|3", "'B'|NULL"])
        #expect(try stack.faults() == [])
    }

    /// Only what is equal in the end breaks a uniqueness constraint.
    @Test func objectsMaySwapUniqueValues() throws {
        let stack = try Stack(Staff(isNameUnique: true))
        let context = stack.context()
        let objects = try ["A", "B", "C"].map { try context.make("Department", ["name": .string($0)]) }
        try context.save()
        let schema = try stack.rows("SELECT sql FROM sqlite_master ORDER BY name")
        for (object, name) in zip(objects, ["B", "C", "A"]) { try object.set("name", .string(name)) }
        try context.save()
        #expect(try stack.rows("SELECT ZNAME, Z_OPT FROM ZDEPARTMENT ORDER BY Z_PK") == ["'B'|2", "'C'|2", "'A'|2"])
        #expect(try stack.rows("SELECT sql FROM sqlite_master ORDER BY name") == schema)
        #expect(try stack.faults() == [])
    }

    /// Large values have files of their own, which go with them.
    @Test func largeValuesLieInFiles() throws {
        let stack = try Stack()
        let context = stack.context()
        let large = [UInt8](repeating: 7, count: 200_000)
        let object = try context.make("Employee", ["photo": .binary(large)])
        try context.save()
        let folder = StoreFiles(stack.path).externalDataDirectory
        #expect(try FileSystem.names(in: folder).count == 1)
        #expect(try object.value(forKey: "photo") == .attribute(.binary(large)))
        #expect(try stack.faults() == [])
        let other = stack.context()
        let read = try other.existingObject(with: object.objectID)
        #expect(try read.value(forKey: "photo") == .attribute(.binary(large)))
        try read.set("photo", .binary([1]))
        try other.save()
        #expect(!FileSystem.isDirectory(folder))
        try context.refresh(object, mergeChanges: false)
        try object.set("photo", .binary(large))
        try context.save()
        try context.delete(object)
        try context.save()
        #expect(!FileSystem.isDirectory(folder))
        #expect(try stack.faults() == [])
    }

    @Test func derivedAttributesFollow() throws {
        let stack = try Stack(Staff(countsEmployees: true))
        let context = stack.context()
        let department = try context.make("Department")
        try context.make("Employee").set("department", to: department)
        try context.save()
        #expect(try department.number("size") == 1)
        let second = try context.make("Employee")
        try second.set("department", to: department)
        try context.save()
        #expect(try department.number("size") == 2)
        #expect(throws: ManagedObjectError.self) { try department.set("size", .integer(9)) }
        try context.delete(second)
        try context.save()
        #expect(try department.number("size") == 1)
        #expect(try stack.faults() == [])
    }

    @Test func historyHasWhatWasSaved() throws {
        let stack = try Stack()
        try HistoryFixture.add(to: stack)
        let context = stack.context()
        let department = try context.make("Department")
        let employee = try context.make("Employee")
        try context.save()
        try employee.set("department", to: department)
        try context.save()
        try context.delete(department)
        try context.save()
        let changes = try stack.rows(
            "SELECT ZTRANSACTIONID, ZENTITY, ZENTITYPK, ZCHANGETYPE FROM ACHANGE ORDER BY Z_PK")
        #expect(changes == ["1|2|1|0", "1|5|1|0", "2|5|1|1", "3|5|1|1", "3|2|1|2"])
    }

    @Test func aStoreThatIsOnlyReadIsRefused() throws {
        let stack = try Stack()
        let writing = stack.context()
        let id = try writing.make("Department").objectID
        try writing.save()
        _ = id
        var options = StoreOptions()
        options.isReadOnly = true
        let coordinator = PersistentStoreCoordinator(model: stack.model)
        try coordinator.addStore(at: stack.path, options: options)
        let state = try FolderState(of: stack.directory.path)
        let context = ManagedObjectContext(coordinator)
        let department = try context.fetch("Department")[0]
        try department.set("name", .string("B"))
        #expect(throws: ManagedObjectError.self) { try context.save() }
        context.rollback()
        try context.insert("Department")
        #expect(throws: ManagedObjectError.self) { try context.save() }
        #expect(try FolderState(of: stack.directory.path) == state)
    }
}
