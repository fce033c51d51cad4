import ManagedObjectModels
import ManagedObjects
import PersistentStores
import PredicateExpressions
import StoreConversion
import StoreFetching
import TestSupport
import Testing

/// Predicates, expressions and orders over objects that are in memory.
@Suite struct ObjectEvaluationTests {
    /// Two departments, and employees A to F with the salaries 1 to 6; D to F are in the second one, C has none.
    private func company() throws -> (stack: Stack, context: ManagedObjectContext, all: [ManagedObject]) {
        let stack = try Stack()
        let context = stack.context()
        let departments = try ["Sales", "Lab"].map { try context.make("Department", ["name": .string($0)]) }
        for (index, name) in ["A", "B", "C", "D", "E", "F"].enumerated() {
            let entity = index % 2 == 0 ? "Employee" : "Manager"
            let object = try context.make(entity, ["lastName": .string(name), "salary": .integer(Int64(index + 1))])
            if index != 2 { try object.set("department", to: departments[index / 3]) }
        }
        try context.save()
        return (stack, context, try context.fetch("Employee"))
    }

    private func names(_ objects: [ManagedObject]) throws -> [String] {
        try objects.map { try $0.text("lastName") ?? "" }
    }

    /// Each predicate against a condition in SQL, over saved objects.
    @Test(arguments: [
        ("salary > 3", "ZSALARY > 3"), ("department = NULL", "ZDEPARTMENT IS NULL"),
        ("department.name = 'Lab'", "ZDEPARTMENT = 2"), ("NOT (salary BETWEEN {2, 5})", "ZSALARY NOT BETWEEN 2 AND 5"),
        ("department.employees.@count = 3", "ZDEPARTMENT = 2"),
        ("lastName IN {'A', 'F', 'Z'}", "ZLASTNAME IN ('A', 'F')"),
        ("salary = '4'", "ZSALARY = 4"), ("FALSEPREDICATE", "0"),
    ])
    func aPredicateFindsWhatTheStoreWould(format: String, condition: String) throws {
        let (stack, context, all) = try company()
        let expected = try stack.rows("SELECT ZLASTNAME FROM ZPERSON WHERE \(condition) ORDER BY Z_PK").map {
            $0.replacing("'", with: "")
        }
        let predicate = try Predicate(format: format)
        let reads = context.storeReadCount
        let found = try context.filter(all.reversed(), by: predicate)
        #expect(try names(found) == expected.reversed())
        #expect(try names(all.filter { try $0.satisfies(predicate) }) == expected)
        // Only what a path leads to is read.
        #expect(format.contains(".") || context.storeReadCount == reads)
    }

    @Test func changesThatAreNotSavedCount() throws {
        let (_, context, all) = try company()
        try all[0].set("salary", .integer(10))
        try all[5].set("department", to: nil)
        let new = try context.make("Employee", ["lastName": .string("N"), "salary": .integer(10)])
        let rich = try Predicate(format: "salary >= $least")
        #expect(try names(context.filter(all + [new], by: rich, variables: ["least": .integer(6)])) == ["A", "F", "N"])
        #expect(try new.satisfies(rich, variables: ["least": .integer(10)]))
        #expect(try names(context.filter(all, by: Predicate(format: "department = NULL"))) == ["C", "F"])
    }

    @Test func namesThatAreNotThereAreErrors() throws {
        let (stack, context, all) = try company()
        #expect(throws: (any Error).self) { try all[0].satisfies(Predicate(format: "wage > 1")) }
        #expect(throws: (any Error).self) { try all[0].value(forKeyPath: "department.wage") }
        // A bonus is a manager's.
        #expect(throws: ManagedObjectError.self) { try context.filter(all, by: Predicate(format: "bonus = 1")) }
        #expect(throws: ManagedObjectError.self) {
            try stack.context().filter(all, by: Predicate(format: "salary = 1"))
        }
    }

    @Test func pathsLeadThroughRelationships() throws {
        let (_, context, all) = try company()
        let lab = try #require(try context.fetch("Department", where: "name = 'Lab'").first)
        #expect(try all[3].value(forKeyPath: "department.name") == .attribute(.string("Lab")))
        #expect(try all[3].value(forKeyPath: "department") == .objectID(lab.objectID))
        #expect(try all[2].value(forKeyPath: "department.name") == nil)
        #expect(try lab.value(forKeyPath: "employees.@count") == .attribute(.integer(3)))
        #expect(try lab.value(forKeyPath: "employees.@max.salary") == .attribute(.integer(6)))
        guard case .list(let salaries)? = try lab.value(forKeyPath: "employees.salary") else {
            Issue.record("no list")
            return
        }
        #expect(Set(salaries) == [.attribute(.integer(4)), .attribute(.integer(5)), .attribute(.integer(6))])
        #expect(try all[0].value(of: Expression(format: "salary * 2 + 1")) == .attribute(.integer(3)))
        try all[3].set("salary", .integer(100))
        #expect(try lab.value(forKeyPath: "employees.@max.salary") == .attribute(.integer(100)))
    }

    @Test func equalObjectsStayInTheirOrder() throws {
        let (_, context, all) = try company()
        for (object, salary) in zip(all, [3, 1, 3, 2, 1, 3]) { try object.set("salary", .integer(Int64(salary))) }
        func sorted(_ descriptors: FetchSortDescriptor..., of objects: [ManagedObject]) throws -> String {
            try names(context.sort(objects, by: descriptors)).joined()
        }
        let salary = FetchSortDescriptor(keyPath: "salary", isAscending: true)
        #expect(try sorted(salary, of: all) == "BEDACF")
        #expect(try sorted(.init(keyPath: "salary", isAscending: false), of: all) == "ACFDBE")
        #expect(try sorted(salary, of: all.reversed()) == "EBDFCA")
        #expect(try sorted(.init(keyPath: "department.name"), salary, of: all) == "CEDFBA")
        #expect(try sorted(of: all) == "ABCDEF" && sorted(salary, of: []).isEmpty)
        #expect(throws: FetchError.self) { try sorted(.init(keyPath: "salary", selectorName: "x:"), of: all) }
    }

    /// `self == %@` and `self IN %@` take objects, saved or not.
    @Test func objectsAreValuesOfPlaceholders() throws {
        let (_, context, all) = try company()
        let new = try context.make("Employee", ["lastName": .string("N")])
        func found(_ format: String, _ arguments: ConstantValue...) throws -> String {
            let predicate = try Predicate(format: format, arguments: arguments)
            return try names(context.fetch(FetchRequest(entityName: "Employee", predicate: predicate))).joined()
        }
        #expect(try found("SELF = %@", .objectID(all[1].objectID)) == "B")
        #expect(try found("SELF IN %@", .objectIDs([all[0], all[5], new].map(\.objectID))) == "AFN")
        #expect(try found("SELF IN %@", .objectIDs([])).isEmpty)
        let lab = try #require(try all[4].one("department"))
        #expect(
            try found("%K = %@ AND salary < %d", .string("department"), .objectID(lab.objectID), .integer(6)) == "DE")
        try context.delete(all[1])
        #expect(try found("SELF = %@", .objectID(all[1].objectID)).isEmpty)
    }

    /// The IDs of objects have key paths, also those of objects that are not saved.
    @Test func idsHaveKeyPaths() throws {
        let (_, context, all) = try company()
        let new = try context.make("Employee", ["lastName": .string("N")])
        let lab = try #require(try all[4].one("department"))
        try new.set("department", to: lab)
        func found(_ format: String, _ arguments: ConstantValue...) throws -> String {
            let predicate = try Predicate(format: format, arguments: arguments)
            let fetched = try names(context.fetch(FetchRequest(entityName: "Employee", predicate: predicate))).joined()
            #expect(try names(context.filter(all + [new], by: predicate)).joined() == fetched)
            return fetched
        }
        #expect(try found("objectID = %@", .objectID(all[1].objectID)) == "B")
        #expect(try found("objectID IN %@", .objectIDs([all[0].objectID, new.objectID])) == "AN")
        #expect(try found("department.objectID = %@", .objectID(lab.objectID)) == "DEFN")
        #expect(try new.value(forKeyPath: "objectID") == .objectID(new.objectID))
        #expect(try new.value(forKeyPath: "department.objectID") == .objectID(lab.objectID))
        let order = FetchSortDescriptor(keyPath: "objectID", isAscending: false)
        #expect(try names(context.sort(all, by: [order])).joined() == "FEDCBA")
    }

    @Test func requestsOfTheModelTakeValues() throws {
        var model = Staff().model
        model.fetchRequestTemplates = [
            FetchRequestTemplate(name: "byName", entityName: "Project", predicateFormat: "title = $title")
        ]
        let coordinator = PersistentStoreCoordinator(model: try ResolvedModel(model))
        try coordinator.addStore(at: "projects", type: .inMemory)
        let context = ManagedObjectContext(coordinator)
        for title in ["A", "B", "A"] { try context.make("Project", ["title": .string(title)]) }
        try context.save()
        let request = try context.fetchRequest(fromTemplate: "byName", variables: ["title": .string("A")])
        #expect(try context.fetch(request).count == 2)
        let error = #expect(throws: ManagedObjectError.self) { try context.fetchRequest(fromTemplate: "byname") }
        #expect(error?.code == .templateUnknown("byname", known: ["byName"]))
    }
}
