import GeneratedStores
import ManagedObjectModels

/// Departments with employees, badges and projects: a relationship of each kind.
struct StaffModel {
    var departmentRule = DeleteRule.nullify
    var needsDepartment = false
    var ordered = false
    /// What the model says of the number of a department's employees.
    var minimumStaff = 0

    var model: ManagedObjectModel {
        ManagedObjectModel(entities: [
            entity(
                "Department", unique: [["code"]], [attribute("code", .integer16), attribute("name")],
                [
                    RelationshipDescription(
                        name: "employees", destinationEntityName: "Employee", inverseName: "department", isToMany: true,
                        isOrdered: ordered, minimumCount: minimumStaff, deleteRule: departmentRule)
                ]),
            entity(
                "Employee",
                [
                    AttributeDescription(
                        name: "salary", type: .integer32, isOptional: true,
                        validation: AttributeValidation(maximum: .integer(1000))),
                    attribute("photo", .binaryData, external: true),
                ],
                [
                    RelationshipDescription(
                        name: "department", destinationEntityName: "Department", inverseName: "employees",
                        isOptional: !needsDepartment),
                    relationship("manager", to: "Employee", inverse: "reports"),
                    relationship("reports", to: "Employee", inverse: "manager", many: true),
                    RelationshipDescription(
                        name: "badge", destinationEntityName: "Badge", inverseName: "owner", deleteRule: .cascade),
                    relationship("projects", to: "Project", inverse: "members", many: true),
                ]),
            entity(
                "Badge", [attribute("number", .integer64)], [relationship("owner", to: "Employee", inverse: "badge")]),
            entity(
                "Project", [attribute("number", .integer64)],
                [relationship("members", to: "Employee", inverse: "projects", many: true)]),
        ])
    }
}
