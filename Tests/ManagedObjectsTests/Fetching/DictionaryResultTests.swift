import ManagedObjectModels
import ManagedObjects
import PersistentStores
import PredicateExpressions
import StoreConversion
import StoreFetching
import TestSupport
import Testing

/// Results of fetches that are dictionaries: values, expressions, and groups.
@Suite struct DictionaryResultTests {
    private let stack: Stack
    private let context: ManagedObjectContext
    private let departments: [ManagedObject]

    init() throws {
        let stack = try Stack()
        let context = stack.context()
        let departments = try ["A", "B", "C"].map { try context.make("Department", ["name": .string($0)]) }
        for (index, name) in ["Abel", "Baker", "Clay", "Dodd", "Ely"].enumerated() {
            let employee = try context.make(
                "Employee", ["lastName": .string(name), "salary": .integer(Int64(index + 1) * 10)])
            try employee.set("department", to: departments[index % 2])
            if index == 0 {
                try employee.set("rate", .decimal("1.5"))
                try employee.set("hired", .date(1000))
                try employee.set("tag", .uuid([UInt8](repeating: 7, count: 16)))
                try employee.set("photo", .binary([UInt8](repeating: 1, count: 200_000)))
                try employee.set("isActive", .boolean(false))
            }
        }
        try context.save()
        (self.stack, self.context, self.departments) = (stack, context, departments)
    }

    private func asking(_ properties: [String], of entity: String = "Employee") throws -> FetchRequest {
        var request = FetchRequest(entityName: entity)
        request.resultType = .dictionaries
        request.propertiesToFetch = try properties.map { FetchedProperty(try FormatExpression(format: $0)) }
        return request
    }

    /// The same sum, as the type that a request says.
    @Test(arguments: [
        (AttributeType.integer16, AttributeValue.integer(15)), (.integer64, .integer(15)), (.double, .real(15.5)),
        (.float, .real(15.5)), (.string, .string("15.5")), (.boolean, .boolean(true)), (.decimal, .decimal("15.5")),
        (.date, .date(15.5)), (.undefined, .real(15.5)),
    ])
    func expressionsHaveTheTypesThatAreAskedFor(type: AttributeType, value: AttributeValue) throws {
        var request = FetchRequest(entityName: "Employee")
        request.resultType = .dictionaries
        let sum = try FormatExpression(format: "salary + 5.5")
        request.propertiesToFetch = [FetchedProperty(name: "sum", .expression(sum), as: type)]
        request.predicate = try Predicate(format: "salary = 10")
        #expect(try context.fetchDictionaries(request) == [["sum": .attribute(value)]])
        // The property of a group is of the type, its key is as it is.
        request.propertiesToFetch = [
            FetchedProperty(.keyPath("department.name")),
            FetchedProperty(name: "sum", .aggregate(.average, of: try FormatExpression(format: "salary")), as: .string),
        ]
        request.predicate = try Predicate(format: "salary < 30")
        request.propertiesToGroupBy = [.keyPath("department.name")]
        #expect(
            try context.fetchDictionaries(request) == [
                ["department.name": .attribute(.string("A")), "sum": .attribute(.string("10.0"))],
                ["department.name": .attribute(.string("B")), "sum": .attribute(.string("20.0"))],
            ])
    }

    @Test func valuesHaveTheTypesOfTheirAttributes() throws {
        var request = try asking(
            [
                "lastName", "salary", "rate", "hired", "tag", "photo", "isActive", "department", "department.name",
                "weight",
            ])
        request.predicate = try Predicate(format: "salary = 10")
        let results = try context.fetchDictionaries(request)
        let expected: [String: DictionaryValue] = [
            "lastName": .attribute(.string("Abel")), "salary": .attribute(.integer(10)),
            "rate": .attribute(.decimal("1.5")), "hired": .attribute(.date(1000)),
            "tag": .attribute(.uuid([UInt8](repeating: 7, count: 16))),
            "photo": .attribute(.binary([UInt8](repeating: 1, count: 200_000))),
            "isActive": .attribute(.boolean(false)), "department": .objectID(departments[0].objectID),
            "department.name": .attribute(.string("A")),
        ]
        #expect(results == [expected])
    }

    @Test func listsOfPathsThroughToManyRelationships() throws {
        var request = try asking(["name", "employees.salary"], of: "Department")
        request.sortDescriptors = [FetchSortDescriptor(keyPath: "name")]
        let results = try context.fetchDictionaries(request)
        let salaries = results.map { row -> [Int64] in
            guard case .list(let elements)? = row["employees.salary"] else { return [] }
            return elements.compactMap { if case .attribute(.integer(let number)) = $0 { number } else { nil } }
                .sorted()
        }
        #expect(salaries == [[10, 30, 50], [20, 40], []])
    }

    @Test func expressionsHaveNames() throws {
        var request = try asking([])
        request.propertiesToFetch = [
            FetchedProperty(name: "twice", .expression(try FormatExpression(format: "salary * 2")))
        ]
        request.sortDescriptors = [FetchSortDescriptor(keyPath: "salary", isAscending: false)]
        (request.fetchOffset, request.fetchLimit) = (1, 2)
        #expect(
            try context.fetchDictionaries(request)
                == [["twice": .attribute(.integer(80))], ["twice": .attribute(.integer(60))]])
        request.propertiesToFetch.append(FetchedProperty(name: "twice", .expression(.keyPath("salary"))))
        #expect(throws: ManagedObjectError.self) { try context.fetchDictionaries(request) }
    }

    @Test func groupsHaveAggregatesAndConditions() throws {
        var request = FetchRequest(entityName: "Employee")
        request.resultType = .dictionaries
        request.propertiesToGroupBy = [.keyPath("department.name")]
        request.propertiesToFetch = [
            FetchedProperty(.keyPath("department.name")), FetchedProperty(.sum, of: .keyPath("salary")),
            FetchedProperty(.count, of: nil),
        ]
        request.sortDescriptors = [FetchSortDescriptor(keyPath: "department.name")]
        let all = try context.fetchDictionaries(request)
        #expect(
            all == [
                [
                    "department.name": .attribute(.string("A")), "sum(salary)": .attribute(.integer(90)),
                    "count": .attribute(.integer(3)),
                ],
                [
                    "department.name": .attribute(.string("B")), "sum(salary)": .attribute(.integer(60)),
                    "count": .attribute(.integer(2)),
                ],
            ])
        request.havingPredicate = try Predicate(format: "sum:(salary) > 60")
        #expect(try context.fetchDictionaries(request) == [all[0]])
    }

    @Test func distinctResultsComeOnce() throws {
        var request = try asking(["department.name"])
        request.returnsDistinctResults = true
        request.sortDescriptors = [FetchSortDescriptor(keyPath: "department.name")]
        #expect(
            try context.fetchDictionaries(request).map { $0["department.name"] }
                == [.attribute(.string("A")), .attribute(.string("B"))])
    }

    /// As in Core Data, and in a child context as well.
    @Test func whatIsNotSavedPlaysNoPart() throws {
        try departments[0].set("name", .string("New"))
        try context.make("Department", ["name": .string("D")])
        try context.delete(departments[2])
        let request = try asking(["name"], of: "Department")
        for context in [context, ManagedObjectContext(parent: context)] {
            let names = try context.fetchDictionaries(request).compactMap { $0["name"] }
            #expect(Set(names) == Set(["A", "B", "C"].map { .attribute(.string($0)) }))
        }
    }

    @Test func severalStoresHaveNoCommonGroups() throws {
        let second = try stack.coordinator.addStore(at: stack.directory.file("Second.sqlite"), type: .sqlite)
        let other = try context.make("Employee", ["lastName": .string("Fox")])
        try context.assign(other, to: second)
        try context.save()
        var request = try asking(["lastName"])
        #expect(try context.fetchDictionaries(request).count == 6)
        #expect(try context.fetchDictionaries(request, affectedStores: [second]).count == 1)
        request.returnsDistinctResults = true
        #expect(throws: ManagedObjectError.self) { try context.fetchDictionaries(request) }
        #expect(try context.fetchDictionaries(request, affectedStores: [second]).count == 1)
        request.resultType = .objects
        #expect(throws: ManagedObjectError.self) { try context.fetchDictionaries(request) }
    }
}
