import GeneratedStores
import ManagedObjectModels

/// Departments with employees, badges, projects and notes: a relationship of each kind, and attributes of each.
struct Staff {
    var departmentRule = DeleteRule.nullify
    var needsDepartment = false
    var isOrdered = false
    /// The least and the most employees of a department.
    var staff: ClosedRange<Int>?
    var isNameUnique = false
    /// More constraints of departments, those of all people, and those of employees alone.
    var uniqueness: (departments: [[String]], people: [[String]], employees: [[String]]) = ([], [], [])
    var badgeRule = DeleteRule.cascade
    var countsEmployees = false

    var model: ManagedObjectModel {
        ManagedObjectModel(
            entities: [
                department,
                entity(
                    "Person", abstract: true, unique: uniqueness.people,
                    [
                        attribute("firstName"), attribute("lastName", optional: false, default: .string("?")),
                        attribute("fullName", transient: true),
                    ]),
                entity(
                    "Employee", parent: "Person", unique: uniqueness.employees,
                    [
                        AttributeDescription(
                            name: "salary", type: .integer32, isOptional: true,
                            validation: AttributeValidation(minimum: .integer(0), maximum: .integer(1000))),
                        attribute("isActive", .boolean, default: .boolean(true)),
                        attribute("photo", .binaryData, external: true),
                        attribute("hired", .date), attribute("rate", .decimal), attribute("home", .uri),
                        attribute("tag", .uuid), attribute("weight", .double),
                        attribute("settings", .transformable),
                    ],
                    [
                        RelationshipDescription(
                            name: "department", destinationEntityName: "Department", inverseName: "employees",
                            isOptional: !needsDepartment),
                        relationship("manager", to: "Employee", inverse: "reports"),
                        relationship("reports", to: "Employee", inverse: "manager", many: true),
                        RelationshipDescription(
                            name: "badge", destinationEntityName: "Badge", inverseName: "owner", deleteRule: badgeRule),
                        relationship(
                            "projects", to: "Project", inverse: "members", many: true, ordered: isOrdered),
                        relationship("favorite", to: "Project"),
                    ]),
                entity("Manager", parent: "Employee", [attribute("bonus", .integer64)]),
                entity(
                    "Badge", [attribute("number", .integer64)],
                    [relationship("owner", to: "Employee", inverse: "badge")]),
                entity(
                    "Project", [attribute("number", .integer64), attribute("title")],
                    [
                        relationship("members", to: "Employee", inverse: "projects", many: true),
                        relationship("related", to: "Project", inverse: "related", many: true),
                    ]),
                entity("Note", [attribute("text")]),
            ],
            configurations: [
                ConfigurationDescription(
                    name: "Staff", entityNames: ["Badge", "Department", "Employee", "Manager", "Note", "Person"]),
                ConfigurationDescription(name: "Work", entityNames: ["Project"]),
            ])
    }

    private var department: EntityDescription {
        var result = entity(
            "Department", unique: (isNameUnique ? [["name"]] : []) + uniqueness.departments,
            [
                AttributeDescription(
                    name: "name", type: .string, isOptional: true,
                    validation: AttributeValidation(maximum: .integer(20))),
                attribute("code", .integer16),
            ]
                + (countsEmployees
                    ? [attribute("size", .integer64, derived: "employees.@count")] : []),
            [
                RelationshipDescription(
                    name: "employees", destinationEntityName: "Employee", inverseName: "department", isToMany: true,
                    isOrdered: isOrdered, minimumCount: staff?.lowerBound ?? 0, maximumCount: staff?.upperBound,
                    deleteRule: departmentRule),
                relationship("notes", to: "Note", many: true, ordered: isOrdered),
            ])
        result.fetchedProperties = [
            FetchedPropertyDescription(
                name: "namesakes",
                fetchRequest: FetchRequestTemplate(
                    name: "namesakes", entityName: "Project", predicateFormat: "title == $FETCH_SOURCE.name"))
        ]
        return result
    }
}
